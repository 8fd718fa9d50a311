import type { PublicItem, VerifyCheck } from '../domain/release.js';
import type { ImageFacts } from './image-job.js';

/** One image as an item tells it and as its file is. */
export interface CheckedImage {
  readonly itemId: string;
  readonly told: PublicItem['images'][number];
  readonly facts: ImageFacts | null;
}

/** Are the images those that the items tell, of equal size inside an item, and free of anything but the picture? */
export function imageChecks(images: readonly CheckedImage[]): VerifyCheck[] {
  return [
    check(
      'images',
      images.flatMap((image) => contentProblem(image) ?? []),
      `${images.length} images have the SHA-256, width and height that their item tells`,
    ),
    check('image-bytes', sizeProblems(images), 'the images of every item have the same size in bytes'),
    check(
      'png-chunks',
      images.flatMap(({ told, facts }) => (facts?.chunkProblems ?? []).map((why) => `${told.file}: ${why}`)),
      'every image holds the picture and nothing else',
    ),
  ];
}

/** A check from its problems; a long list is cut to the first three. */
export function check(name: string, problems: readonly string[], good: string): VerifyCheck {
  if (problems.length === 0) return { name, ok: true, detail: good };
  const more = problems.length > 3 ? `; and ${problems.length - 3} more` : '';
  return { name, ok: false, detail: problems.slice(0, 3).join('; ') + more };
}

function contentProblem({ told, facts }: CheckedImage): string | null {
  if (facts === null) return `${told.file} is missing`;
  if (facts.sha256 !== told.sha256) return `${told.file} has another SHA-256 than its item tells`;
  if (facts.width === null) return `${told.file} does not decode`;
  if (facts.width !== told.width || facts.height !== told.height) {
    return `${told.file} is ${facts.width} × ${facts.height} pixels, its item tells ${told.width} × ${told.height}`;
  }
  return null;
}

function sizeProblems(images: readonly CheckedImage[]): string[] {
  const sizes = new Map<string, Set<number>>();
  for (const { itemId, facts } of images) {
    if (facts === null) continue;
    const seen = sizes.get(itemId) ?? new Set();
    sizes.set(itemId, seen.add(facts.bytes));
  }
  return [...sizes]
    .filter(([, seen]) => seen.size > 1)
    .map(([id, seen]) => `item ${id} has images of ${seen.size} different sizes in bytes`);
}
