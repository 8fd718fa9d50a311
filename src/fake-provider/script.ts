import { z } from 'zod';
import { parseJsonl } from '../adapters/store/index.js';
import { seededAnswer } from './answers.js';
import { FAULTS, type FakeProviderOptions, type FakeQuestion } from './types.js';

/** One line of a script: which questions it is about, and what becomes of them. */
const lineSchema = z.strictObject({
  /** A text that the question or one of its choices holds, or a key; absent: every question. */
  match: z.string().min(1).optional(),
  /** The raw text of the reply. */
  reply: z.string().optional(),
  fault: z.enum(FAULTS).optional(),
  /** Calls of a question that the fault lasts for; absent: all. */
  calls: z.number().int().positive().optional(),
  retryAfterSeconds: z.number().nonnegative().optional(),
});
type Line = z.infer<typeof lineSchema>;

/**
 * Answers and faults by a JSONL text. The first line that matches and has a reply answers; the first that matches and has a
 * fault, while it lasts, is what goes wrong.
 *
 * @throws {GroundmarkError} `bad-line` naming file, line and field
 */
export function scriptedBehaviour(
  text: string,
  file: string,
  seed: number,
): Required<Pick<FakeProviderOptions, 'answer' | 'faults'>> {
  const lines = parseJsonl(text, lineSchema, file);
  const otherwise = seededAnswer(seed);
  return {
    answer: (question) =>
      lines.find((line) => line.reply !== undefined && matches(line, question))?.reply ?? otherwise(question),
    faults: (question) => {
      const line = lines.find(
        ({ fault, calls = Number.POSITIVE_INFINITY, ...rest }) =>
          fault !== undefined && question.call < calls && matches(rest, question),
      );
      if (line?.fault === undefined) return null;
      const { fault: kind, retryAfterSeconds } = line;
      return { kind, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
    },
  };
}

function matches({ match }: Pick<Line, 'match'>, { key, texts }: FakeQuestion): boolean {
  return match === undefined || key === match || (texts.at(-1) ?? '').includes(match);
}
