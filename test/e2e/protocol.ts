/** PROTOCOL.md §1 and §2 once more, from the text alone: the tests hold the product's files against this. */

export interface PublicItem {
  readonly id: string;
  readonly question: string;
  readonly choices: readonly { readonly letter: string; readonly text: string }[];
  readonly images: readonly {
    readonly id: string;
    readonly file: string;
    readonly sha256: string;
    readonly width: number;
    readonly height: number;
  }[];
  readonly split: string;
}

export interface Key {
  readonly id: string;
  readonly answer: string;
  readonly caseGroup: string;
  readonly images: readonly {
    readonly id: string;
    readonly series: string;
    readonly position: number;
    readonly role: string;
  }[];
}

/** Images that count as evidence: a reference, or at most 2 positions from one in its series. */
export function acceptable({ images }: Key): Set<string> {
  const references = images.filter(({ role }) => role === 'reference');
  return new Set(
    images
      .filter((image) =>
        references.some((r) => r.series === image.series && Math.abs(r.position - image.position) < 3),
      )
      .map(({ id }) => id),
  );
}

/** Whether naming these images passes. */
function passes(key: Key, good: ReadonlySet<string>, named: readonly string[]): boolean {
  const three = key.images.filter(({ role }) => role === 'reference').length > 2;
  const hits = named.filter((id) => good.has(id)).length;
  return hits >= (three ? 2 : 1) && hits >= named.length - hits;
}

/** Chance that `count` images drawn at random pass: every draw is tried. */
export function evidenceByChance(key: Key, count: number): number {
  const good = acceptable(key);
  const ids = key.images.map(({ id }) => id);
  const draws = subsets(ids, count);
  return draws.filter((named) => passes(key, good, named)).length / draws.length;
}

function subsets(ids: readonly string[], count: number): string[][] {
  if (count === 0) return [[]];
  return ids.flatMap((id, i) => subsets(ids.slice(i + 1), count - 1).map((rest) => [id, ...rest]));
}

/**
 * Two-sided tail of a count of independent successes: P(at most `seen`) and P(at least `seen`).
 *
 * @param chances - of each trial
 */
export function tails(
  chances: readonly number[],
  seen: number,
): { readonly low: number; readonly high: number } {
  let counts = [1];
  for (const p of chances) {
    const next = new Array<number>(counts.length + 1).fill(0);
    counts.forEach((weight, n) => {
      next[n]! += weight * (1 - p);
      next[n + 1]! += weight * p;
    });
    counts = next;
  }
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return { low: sum(counts.slice(0, seen + 1)), high: sum(counts.slice(seen)) };
}
