import { GroundmarkError } from '../error.js';
import { EVIDENCE_TOLERANCE_SLICES } from '../evidence.js';
import type { KeyImage } from '../item.js';
import { normaliseImageId } from './selected-ids.js';

/**
 * The shown images that count as evidence: references, and their near neighbours in the same series. PROTOCOL.md §2.
 *
 * @param shown - every image of the item; at least one must be a reference
 * @param toleranceSlices - largest |position − reference position| that counts, in slices
 * @returns ids in the order shown, trimmed and lower-cased
 * @throws {GroundmarkError} `no-reference` when no shown image is a reference: the item should not have been built
 */
export function acceptableImages(
  shown: readonly KeyImage[],
  toleranceSlices = EVIDENCE_TOLERANCE_SLICES,
): string[] {
  const references = shown.filter((image) => image.role === 'reference');
  if (references.length === 0) {
    throw new GroundmarkError(
      'no-reference',
      `A key entry with ${shown.length} images has no reference image, so its evidence cannot be scored. ` +
        `Give one to three of its images the role "reference".`,
      { images: shown.length },
    );
  }
  return shown
    .filter((image) =>
      references.some(
        (reference) =>
          reference === image ||
          (reference.series === image.series &&
            Math.abs(reference.position - image.position) <= toleranceSlices),
      ),
    )
    .map((image) => normaliseImageId(image.id));
}
