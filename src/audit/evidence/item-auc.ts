/**
 * P(a reference's value > a comparison's) over all pairs of one item, ties half; null when either side is empty.
 */
export function itemAuc(references: readonly number[], comparisons: readonly number[]): number | null {
  if (references.length === 0 || comparisons.length === 0) return null;
  let won = 0;
  for (const reference of references) {
    for (const comparison of comparisons) {
      if (reference > comparison) won += 1;
      else if (reference === comparison) won += 0.5;
    }
  }
  return won / (references.length * comparisons.length);
}
