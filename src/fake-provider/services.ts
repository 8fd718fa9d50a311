import { anthropicBatchRoutes } from './anthropic/batches.js';
import { messagesProtocol } from './anthropic/messages.js';
import { geminiBatchRoutes } from './gemini/batches.js';
import { generateProtocol } from './gemini/generate.js';
import { openaiBatchRoutes } from './openai/batches.js';
import { chatProtocol } from './openai/chat.js';
import { responsesProtocol } from './openai/responses.js';
import type { Context } from './respond.js';
import { modelRoute, type Service } from './routes.js';

/** The three providers, each below a path of its own. */
export function services(context: Context): Service[] {
  return [
    {
      base: '/openai',
      keyHeaders: ['authorization'],
      otherHeaders: [],
      protocol: responsesProtocol,
      routes: [
        modelRoute(/^\/v1\/responses$/u, responsesProtocol, context),
        modelRoute(/^\/v1\/chat\/completions$/u, chatProtocol, context),
        ...openaiBatchRoutes(context),
      ],
    },
    {
      base: '/anthropic',
      keyHeaders: ['authorization', 'x-api-key'],
      otherHeaders: ['anthropic-version'],
      protocol: messagesProtocol,
      routes: [
        modelRoute(/^\/v1\/messages$/u, messagesProtocol, context),
        ...anthropicBatchRoutes(context, '/anthropic'),
      ],
    },
    {
      base: '/gemini',
      keyHeaders: ['x-goog-api-key'],
      otherHeaders: [],
      protocol: generateProtocol,
      routes: [
        modelRoute(/^\/v1beta\/models\/([^/:]+):generateContent$/u, generateProtocol, context),
        ...geminiBatchRoutes(context, '/gemini'),
      ],
    },
  ];
}
