import { createHash } from 'node:crypto';
import { answerSchema, type ChatPart, type ChatRequest } from '../../src/adapters/llm/index.js';
import { png } from '../adapters/llm/helpers.js';

/** The layout of a run's requests: prompt, label and image in turn, question with choices. */
export function aQuestion(images: number, overrides: Partial<ChatRequest> = {}): ChatRequest {
  const parts: ChatPart[] = [{ type: 'text', text: 'PROMPT' }];
  for (let n = 1; n <= images; n++) {
    const bytes = png(16, 12, n);
    parts.push(
      { type: 'text', text: `Image img0${n}:` },
      {
        type: 'image',
        bytes: async () => bytes,
        mediaType: 'image/png',
        sha256: createHash('sha256').update(bytes).digest('hex'),
        width: 16,
        height: 12,
      },
    );
  }
  parts.push({ type: 'text', text: 'Where is it?\n\nA. upper lobe\nB. lower lobe' });
  return { key: 'item-1', parts, schema: answerSchema(['A', 'B']), epoch: 1, ...overrides };
}
