import { hypergeometricPmf } from '../../util/stats.js';
import type { KeyImage } from '../item.js';
import { acceptableImages } from './acceptable-images.js';
import { isEvidenceHit, neededHits } from './score-evidence.js';

/**
 * Exact P(evidence passes) for a guesser who names `picks` distinct shown images at random. Hypergeometric.
 *
 * @param shown - every image of the item; with fewer images than picks all of them are named
 */
export function evidenceChance(shown: readonly KeyImage[], picks: number): number {
  const acceptable = acceptableImages(shown).length;
  const needed = neededHits(shown.filter((image) => image.role === 'reference').length);
  const named = Math.min(picks, shown.length);
  let chance = 0;
  for (let hits = 0; hits <= named; hits++) {
    if (isEvidenceHit(named, hits, needed))
      chance += hypergeometricPmf(hits, shown.length, acceptable, named);
  }
  return chance;
}
