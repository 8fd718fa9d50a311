import { z } from 'zod';
import { GroundmarkError } from '../../domain/error.js';
import type { Item } from '../../domain/item.js';
import { parseReply } from '../parse-response.js';
import type { AnswerModel, Reply } from './answer-model.js';

/** One line of a `scripted/FILE`: the raw text that stands for a model's reply, or why there is none. */
export const scriptedReplySchema = z.looseObject({
  itemId: z.string().min(1),
  reply: z.string(),
  /** A reply that a provider would have ended otherwise than `ok`. */
  outcome: z.enum(['refused', 'truncated', 'blocked', 'transport']).optional(),
});
export type ScriptedReply = z.infer<typeof scriptedReplySchema>;

/**
 * A model that says what a file says; items without a line get outcome `missing`.
 *
 * @throws {GroundmarkError} `duplicate-reply` when an item has two lines
 */
export function scriptedModel(id: string, replies: readonly ScriptedReply[], file: string): AnswerModel {
  const byItem = new Map<string, ScriptedReply>();
  for (const reply of replies) {
    if (byItem.has(reply.itemId)) {
      throw new GroundmarkError(
        'duplicate-reply',
        `${file} has two replies to item ${reply.itemId}. Keep one.`,
        {
          file,
          itemId: reply.itemId,
        },
      );
    }
    byItem.set(reply.itemId, reply);
  }
  return { id, answer: (item) => scriptedAnswer(item, byItem.get(item.id)) };
}

function scriptedAnswer(item: Item, line: ScriptedReply | undefined): Reply {
  if (line === undefined) return { answer: null, evidence: [], outcome: 'missing' };
  if (line.outcome !== undefined)
    return { answer: null, evidence: [], outcome: line.outcome, raw: line.reply };
  return {
    ...parseReply(
      line.reply,
      item.images.map((image) => image.id),
    ),
    raw: line.reply,
  };
}
