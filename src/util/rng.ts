import seedrandom from 'seedrandom';

/** Seeded randomness. Two generators with the same labels give the same stream; other labels, another stream. */
export interface Rng {
  /** [0, 1). */
  next(): number;
  /** Whole number in [0, n). */
  int(n: number): number;
  /** Normal, mean 0, standard deviation 1 (Box–Muller). */
  normal(): number;
  pick<T>(items: readonly T[]): T;
  /** A shuffled copy (Fisher–Yates). */
  shuffle<T>(items: readonly T[]): T[];
}

/**
 * @param labels - seed first, then what the stream is for (`rng(seed, 'labels')`), so that one stream never moves another
 */
export function rng(...labels: readonly (string | number)[]): Rng {
  const source = seedrandom(JSON.stringify(labels));
  const int = (n: number): number => Math.floor(source() * n);
  return {
    next: () => source(),
    int,
    normal: () => Math.sqrt(-2 * Math.log(1 - source())) * Math.cos(2 * Math.PI * source()),
    pick: (items) => {
      if (items.length === 0) throw new RangeError('rng.pick: nothing to pick from');
      return items[int(items.length)]!;
    },
    shuffle: (items) => {
      const copy = [...items];
      for (let i = copy.length - 1; i > 0; i--) {
        const j = int(i + 1);
        [copy[i], copy[j]] = [copy[j]!, copy[i]!];
      }
      return copy;
    },
  };
}
