import { z } from 'zod';
import type { RawImage } from '../images.js';
import type { Ending, HttpReply, ModelRequest, Protocol, Tokens } from '../protocol.js';
import { Rejected } from '../rejected.js';
import { checkSchema, GEMINI_SCHEMA } from '../schema-rules.js';
import { anything, fields, notDone, strictly } from '../strict.js';

const partSchema = z.strictObject({
  text: z.string().optional(),
  inlineData: z.strictObject({ mimeType: z.enum(['image/png', 'image/jpeg']), data: z.string() }).optional(),
  mediaResolution: anything,
});

const RESOLUTIONS = [
  'MEDIA_RESOLUTION_UNSPECIFIED',
  'MEDIA_RESOLUTION_LOW',
  'MEDIA_RESOLUTION_MEDIUM',
  'MEDIA_RESOLUTION_HIGH',
] as const;

const generationSchema = z.strictObject({
  temperature: z.number().min(0).max(2).optional(),
  maxOutputTokens: z.number().int().positive().optional(),
  responseMimeType: z.string().optional(),
  responseJsonSchema: z.record(z.string(), z.unknown()).optional(),
  mediaResolution: z.enum(RESOLUTIONS).optional(),
  candidateCount: z.literal(1).optional(),
  ...fields(anything, ['topP', 'topK', 'seed', 'stopSequences', 'presencePenalty', 'frequencyPenalty', 'thinkingConfig']), // prettier-ignore
  ...fields(notDone, ['responseSchema', 'responseModalities', 'speechConfig', 'imageConfig', 'responseLogprobs',
    'logprobs', 'audioTimestamp', 'enableEnhancedCivicAnswers']), // prettier-ignore
});

/** `models.generateContent`: the REST form of what the SDK sends (@google/genai 2.32.0). */
export const generateSchema = z.strictObject({
  /** Entries of a batch may name it. */
  model: z.string().optional(),
  contents: z
    .array(z.strictObject({ role: z.literal('user').optional(), parts: z.array(partSchema).min(1) }))
    .min(1),
  generationConfig: generationSchema.optional(),
  store: z.boolean().optional(),
  ...fields(anything, ['safetySettings', 'serviceTier', 'systemInstruction', 'labels']),
  ...fields(notDone, ['tools', 'toolConfig', 'cachedContent', 'continuationToken']),
});

function read(value: unknown, model: string): ModelRequest {
  const { contents, generationConfig, store } = strictly(generateSchema, value);
  const { responseJsonSchema, responseMimeType, mediaResolution } = generationConfig ?? {};
  if (responseJsonSchema) {
    const param = 'generationConfig.responseJsonSchema';
    if (responseMimeType !== 'application/json') {
      throw new Rejected('A response schema needs responseMimeType application/json.', param);
    }
    checkSchema(responseJsonSchema, GEMINI_SCHEMA, param);
  }
  const notes = store === false ? [] : ['store is not false: the provider may keep the request'];
  const parts = contents.flatMap((content, i) =>
    content.parts.map((part, j): string | RawImage => {
      const param = `contents[${i}].parts[${j}]`;
      if ((part.text === undefined) === (part.inlineData === undefined)) {
        throw new Rejected(`Invalid value for '${param}': a part is a text or inlineData.`, param);
      }
      if (!part.inlineData) return part.text!;
      if (mediaResolution !== 'MEDIA_RESOLUTION_HIGH' && part.mediaResolution === undefined)
        notes.push('mediaResolution is not high: the image may be scaled down');
      return {
        mediaType: part.inlineData.mimeType,
        base64: part.inlineData.data,
        param: `${param}.inlineData.data`,
      };
    }),
  );
  return { model, parts, notes };
}

function reply({ kind, text }: Ending, { model }: ModelRequest, tokens: Tokens, id: string): HttpReply {
  const shell = { modelVersion: model, responseId: id };
  const usage = { promptTokenCount: tokens.input, totalTokenCount: tokens.input + tokens.output };
  if (kind === 'blocked') {
    return {
      status: 200,
      body: { ...shell, promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: usage },
    };
  }
  return {
    status: 200,
    body: {
      ...shell,
      candidates: [
        {
          index: 0,
          content: { role: 'model', parts: [{ text }] },
          finishReason: kind === 'truncation' ? 'MAX_TOKENS' : 'STOP',
        },
      ],
      usageMetadata: { ...usage, candidatesTokenCount: tokens.output },
    },
  };
}

/** `{"error": {"code", "message", "status", "details"}}`, google.rpc.Status. */
export function geminiError(code: number, status: string, message: string, details?: unknown[]): HttpReply {
  return { status: code, body: { error: { code, message, status, ...(details ? { details } : {}) } } };
}

/** The Gemini API's `generateContent`. It has no form of its own for a refusal: the model just says so. */
export const generateProtocol: Protocol = {
  provider: 'gemini',
  read,
  reply,
  rejection: ({ message, param, code, status }) =>
    geminiError(
      status,
      status === 401 ? 'UNAUTHENTICATED' : status === 404 ? 'NOT_FOUND' : 'INVALID_ARGUMENT',
      code === 'unknown_parameter' && param !== null
        ? `Invalid JSON payload received. Unknown name "${param.split('.').at(-1)}" at '${param}': Cannot find field.`
        : message,
      param === null
        ? undefined
        : [
            {
              '@type': 'type.googleapis.com/google.rpc.BadRequest',
              fieldViolations: [{ field: param, description: message }],
            },
          ],
    ),
  rateLimit: () => geminiError(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'),
  serverError: (overloaded) =>
    overloaded
      ? geminiError(503, 'UNAVAILABLE', 'The model is overloaded.')
      : geminiError(500, 'INTERNAL', 'An internal error has occurred.'),
};
