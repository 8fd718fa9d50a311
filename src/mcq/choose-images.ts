import {
  EVIDENCE_TOLERANCE_SLICES,
  REFERENCE_CAP,
  type Evidence,
  type SliceRef,
} from '../domain/evidence.js';
import type { IndexRow } from '../domain/index-row.js';
import { IMAGES_MAX, IMAGES_MIN, type Role } from '../domain/item.js';
import type { Rng } from '../util/rng.js';

export interface ChosenImage {
  readonly slice: SliceRef;
  readonly row: IndexRow;
  readonly role: Role;
}

export type ChosenImages =
  | { readonly images: readonly ChosenImage[]; readonly dropped: null }
  | { readonly images: null; readonly dropped: ImagesDropped };

export type ImagesDropped =
  | 'no-reference'
  | 'too-few-images'
  | 'comparison-acceptable'
  | 'comparison-rated'
  | 'duplicate-image'
  | 'slice-not-indexed';

/**
 * The 7 to 12 images of one item in shuffled order, or why there is no item: a comparison image that would count as
 * evidence (PROTOCOL.md §2), or that a reviewer rated `direct` or `possible`, is never shown.
 *
 * @param rowOf - the index row of a slice of the case
 */
export function chooseImages(
  evidence: Evidence,
  rowOf: (slice: SliceRef) => IndexRow | undefined,
  random: Rng,
): ChosenImages {
  const references = evidence.references.slice(0, REFERENCE_CAP);
  const comparisons = evidence.comparisons.slice(0, IMAGES_MAX - references.length);
  const problem = findProblem(evidence, references, comparisons);
  if (problem) return { images: null, dropped: problem };
  const images: ChosenImage[] = [];
  for (const [role, slices] of [['reference', references] as const, ['comparison', comparisons] as const]) {
    for (const slice of slices) {
      const row = rowOf(slice);
      if (!row) return { images: null, dropped: 'slice-not-indexed' };
      images.push({ slice, row, role });
    }
  }
  return { images: random.shuffle(images), dropped: null };
}

function findProblem(
  evidence: Evidence,
  references: readonly SliceRef[],
  comparisons: readonly SliceRef[],
): ImagesDropped | null {
  if (references.length === 0) return 'no-reference';
  if (references.length + comparisons.length < IMAGES_MIN) return 'too-few-images';
  const keys = [...references, ...comparisons].map(sliceKey);
  if (new Set(keys).size < keys.length) return 'duplicate-image';
  if (comparisons.some((slice) => evidence.references.some((reference) => isAcceptable(slice, reference)))) {
    return 'comparison-acceptable';
  }
  const rated = new Set(
    evidence.candidates
      .filter(({ ratings }) => Object.values(ratings).some((rating) => rating !== 'unassessable'))
      .map(sliceKey),
  );
  return comparisons.some((slice) => rated.has(sliceKey(slice))) ? 'comparison-rated' : null;
}

/** One frame of one instance. */
export function sliceKey(slice: { readonly sopInstanceUid: string | null; readonly frame: number }): string {
  return `${slice.sopInstanceUid}\u0000${slice.frame}`;
}

function isAcceptable(slice: SliceRef, reference: SliceRef): boolean {
  return (
    slice.volumeId === reference.volumeId &&
    Math.abs(slice.position - reference.position) <= EVIDENCE_TOLERANCE_SLICES
  );
}
