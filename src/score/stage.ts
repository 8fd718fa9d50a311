import type { Deps } from '../adapters/deps.js';
import { parseJsonl } from '../adapters/store/index.js';
import { GroundmarkError } from '../domain/error.js';
import { keyEntrySchema } from '../domain/item.js';
import { responseSchema } from '../domain/response.js';
import type { Reparse, ScoreReport } from '../domain/score.js';
import { scoreResponses } from './aggregate/index.js';
import { checkKey } from './check-key.js';
import { toCsv } from './csv.js';
import { toMarkdown } from './markdown.js';
import type { PlacedResponse } from './match-responses.js';
import { reparseResponses } from './reparse.js';
import { renderReport } from './report/index.js';

export interface RunScoreInput {
  readonly keyFile: string;
  /** One or more; a model may be spread over several files. */
  readonly responseFiles: readonly string[];
  /** `scores.json`; null writes none. */
  readonly out: string | null;
  /** One row a reply. */
  readonly csv?: string | null;
  readonly html?: string | null;
  readonly markdown?: string | null;
  /** Reads the raw replies again with the present parser; the report says what changed. */
  readonly reparse?: boolean;
}

/**
 * Scores response files against a key and writes what was asked for. CONTRACT.md `score`.
 *
 * @throws {GroundmarkError} `no-items`, `no-responses`, `no-reference`, `duplicate-key`, `duplicate-image`,
 *   `duplicate-response`, `bad-line`
 */
export async function runScore(input: RunScoreInput, deps: Deps): Promise<ScoreReport> {
  const key = await readLines(input.keyFile, keyEntrySchema, deps);
  checkKey(
    key.map(({ value, line }) => ({ entry: value, line })),
    input.keyFile,
  );
  let responses: PlacedResponse[] = [];
  for (const file of input.responseFiles) {
    const lines = await readLines(file, responseSchema, deps);
    if (lines.length === 0) deps.log.warn(`${file} holds no response.`);
    responses.push(...lines.map(({ value, line }) => ({ response: value, file, line })));
  }
  if (responses.length === 0) {
    throw new GroundmarkError(
      'no-responses',
      `No response in ${input.responseFiles.join(', ')}, so there is no model to score. Run a model first.`,
      { files: input.responseFiles },
    );
  }
  const entries = key.map(({ value }) => value);
  let reparse: Reparse | null = null;
  if (input.reparse === true) ({ responses, reparse } = reparseResponses(responses, entries));
  const scored = scoreResponses(entries, responses, deps.seed);
  const report: ScoreReport = reparse === null ? scored : { ...scored, reparse };
  if (report.ignored.length === responses.length) {
    throw new GroundmarkError(
      'wrong-key',
      `None of the ${responses.length} responses answers an item of ${input.keyFile}: it is the key of another set. ` +
        `Name the key that belongs to the released items.`,
      { keyFile: input.keyFile, responses: responses.length },
    );
  }
  if (report.ignored.length > 0)
    deps.log.warn(
      `${report.ignored.length} responses answer items that the key lacks; they are listed as ignored.`,
    );
  await writeAll(report, input, deps);
  return report;
}

async function writeAll(report: ScoreReport, input: RunScoreInput, deps: Deps): Promise<void> {
  const { out, csv, html, markdown } = input;
  if (out !== null) await deps.store.write(out, `${JSON.stringify(report, null, 1)}\n`);
  if (csv) await deps.store.write(csv, toCsv(report));
  if (markdown) await deps.store.write(markdown, toMarkdown(report));
  if (html) await deps.store.write(html, renderReport({ title: 'Groundmark scores', scores: report }));
}

/** Records of a JSONL file with the line each stands on, from 1. */
async function readLines<T>(
  file: string,
  schema: Parameters<typeof parseJsonl<T>>[1],
  deps: Deps,
): Promise<{ value: T; line: number }[]> {
  const text = (await deps.store.read(file)).toString('utf8');
  // parseJsonl skips blank lines and throws at the first bad one, so the n-th record stands on the n-th other line.
  const numbers = text
    .split('\n')
    .flatMap((line, i) => (line.replace(/^\uFEFF/, '').trim() === '' ? [] : [i + 1]));
  return parseJsonl(text, schema, file).map((value, i) => ({ value, line: numbers[i]! }));
}
