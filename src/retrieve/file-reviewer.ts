import { z } from 'zod';
import { ratingValueSchema, type Nomination, type Rating } from '../domain/evidence.js';
import type { Target } from '../domain/finding.js';
import type { IndexRow } from '../domain/index-row.js';
import { normalise, tokens } from '../util/text.js';
import { sliceKey, sliceRef } from './volumes.js';

const place = {
  caseId: z.string().min(1),
  reviewer: z.string().min(1),
  seriesInstanceUid: z.string().min(1),
  sopInstanceUid: z.string().min(1),
  frame: z.number().int().nonnegative().default(0),
};

/** A line of a reader's nominations file. `position` may be given; the index's own is used. */
export const fileNominationSchema = z.looseObject({
  ...place,
  description: z.string(),
  confidence: z.number().min(0).max(1).nullable().default(null),
});
export type FileNomination = z.infer<typeof fileNominationSchema>;

/** A line of a reader's ratings file; `finding` holds words of the report sentence. */
export const fileRatingSchema = z.looseObject({
  ...place,
  finding: z.string().min(1),
  rating: ratingValueSchema,
});
export type FileRating = z.infer<typeof fileRatingSchema>;

/** Lines that could not be used, counted by reason. Never shorter in silence. */
export type Unused = Record<string, number>;

/** One reader's nominations as records. Lines of other readers are another reviewer's and are passed over. */
export function fileNominations(
  lines: readonly FileNomination[],
  reviewer: string,
  rows: ReadonlyMap<string, IndexRow>,
): { readonly nominations: Nomination[]; readonly unused: Unused } {
  const unused: Unused = {};
  const nominations: Nomination[] = [];
  for (const { line, row } of placed(lines, reviewer, rows, unused)) {
    nominations.push({
      schemaVersion: 1,
      caseId: line.caseId,
      reviewer,
      model: 'file',
      slice: sliceRef(row),
      description: line.description,
      confidence: line.confidence,
    });
  }
  return { nominations, unused };
}

/**
 * One reader's ratings as records. A rating belongs to the target whose report sentence contains the words of
 * `finding`; when several sentences do, to the first in report order.
 */
export function fileRatings(
  lines: readonly FileRating[],
  reviewer: string,
  rows: ReadonlyMap<string, IndexRow>,
  targets: readonly Target[],
): { readonly ratings: Rating[]; readonly unused: Unused } {
  const unused: Unused = {};
  const ratings: Rating[] = [];
  for (const { line, row } of placed(lines, reviewer, rows, unused)) {
    const target = targetOf(line, targets);
    if (target === undefined) {
      count(unused, 'no-target-for-finding');
      continue;
    }
    ratings.push({
      schemaVersion: 1,
      caseId: line.caseId,
      targetId: target.targetId,
      reviewer,
      model: 'file',
      slice: sliceRef(row),
      rating: line.rating,
      strength: null,
    });
  }
  return { ratings, unused };
}

/** A reader's own lines with the index rows of their slices; a slice that the index lacks is counted. */
function placed<
  T extends {
    readonly caseId: string;
    readonly reviewer: string;
    readonly sopInstanceUid: string;
    readonly frame: number;
  },
>(
  lines: readonly T[],
  reviewer: string,
  rows: ReadonlyMap<string, IndexRow>,
  unused: Unused,
): { readonly line: T; readonly row: IndexRow }[] {
  return lines.flatMap((line) => {
    if (line.reviewer !== reviewer) return [];
    const row = rows.get(`${line.caseId}\u0000${sliceKey(line)}`);
    if (row !== undefined) return [{ line, row }];
    count(unused, 'unknown-slice');
    return [];
  });
}

function targetOf(line: FileRating, targets: readonly Target[]): Target | undefined {
  const own = targets.filter(({ caseId }) => caseId === line.caseId);
  const phrase = normalise(line.finding);
  const wanted = tokens(line.finding);
  return (
    own.find(({ sentence }) => normalise(sentence.text).includes(phrase)) ??
    own.find(({ sentence }) => {
      const present = new Set(tokens(sentence.text));
      return wanted.every((word) => present.has(word));
    })
  );
}

function count(counts: Unused, reason: string): void {
  counts[reason] = (counts[reason] ?? 0) + 1;
}
