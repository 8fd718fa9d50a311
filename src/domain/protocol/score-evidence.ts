import type { KeyImage } from '../item.js';
import { acceptableImages } from './acceptable-images.js';
import { selectedIds } from './selected-ids.js';

/** Most images that a response may name. PROTOCOL.md §1. */
export const SELECTION_MAX = 3;

export interface EvidenceScore {
  /** Selected images that are acceptable. */
  readonly hits: number;
  readonly needed: number;
  readonly selected: readonly string[];
  readonly passes: boolean;
}

/** Hits that pass: 2 when the reference set has three or more images, else 1. */
export function neededHits(referenceCount: number): number {
  return referenceCount >= 3 ? 2 : 1;
}

/** Whether a selection passes: one to three images, enough hits, and hits at least half of it. */
export function isEvidenceHit(selectedCount: number, hits: number, needed: number): boolean {
  return selectedCount >= 1 && selectedCount <= SELECTION_MAX && hits >= needed && 2 * hits >= selectedCount;
}

/**
 * The evidence score of the ids that a response names. PROTOCOL.md §2.
 *
 * @throws {GroundmarkError} `no-reference`
 */
export function scoreEvidence(evidence: readonly string[], shown: readonly KeyImage[]): EvidenceScore {
  const acceptable = new Set(acceptableImages(shown));
  const selected = selectedIds(evidence);
  const hits = selected.filter((id) => acceptable.has(id)).length;
  const needed = neededHits(shown.filter((image) => image.role === 'reference').length);
  return { hits, needed, selected, passes: isEvidenceHit(selected.length, hits, needed) };
}
