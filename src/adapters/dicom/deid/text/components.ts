import type { Plane } from './plane.js';

/** A connected piece of a mask: a letter, or a part or a run of some. Rows and columns are inclusive. */
export interface Component {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
  /** Pixels. */
  readonly area: number;
  /** Runs of pixels in a row, summed over its rows: how often a horizontal line crosses a stroke. */
  readonly runs: number;
  /** Mean of the strongest value of each run: how far its strokes stand out. */
  readonly strength: number;
  /** Pixels at least one and a half times their threshold: the flat top of a stroke. */
  readonly core: number;
}

interface Run {
  readonly row: number;
  readonly from: number;
  readonly to: number;
  readonly peak: number;
  readonly core: number;
  parent: number;
}

/** How far pixels stand out, and how far each must to count. Same shape. */
export interface Surface {
  readonly strength: Plane;
  readonly threshold: Plane;
}

/** The 8-connected components of the pixels whose strength is at least their threshold, in order of their first run. */
export function components({ strength, threshold }: Surface): Component[] {
  const runs: Run[] = [];
  const { rows, columns, stride, origin } = strength;
  const values = strength.values;
  const least = threshold.values;
  let above = 0;
  for (let row = 0; row < rows; row++) {
    const first = runs.length;
    const base = origin + row * stride;
    for (let column = 0; column < columns; column++) {
      if (values[base + column]! < least[base + column]!) continue;
      const from = column;
      let peak = 0;
      let core = 0;
      for (; column < columns; column++) {
        const value = values[base + column]!;
        const enough = least[base + column]!;
        if (value < enough) break;
        if (value > peak) peak = value;
        if (value >= 1.5 * enough) core++;
      }
      runs.push({ row, from, to: column - 1, peak, core, parent: runs.length });
    }
    joinRows(runs, above, first);
    above = first;
  }
  return gather(runs);
}

/** Joins the runs of a row (from `first` on) with those of the row above (from `above` on). */
function joinRows(runs: Run[], above: number, first: number): void {
  let upper = above;
  for (let i = first; i < runs.length; i++) {
    const run = runs[i]!;
    while (upper < first && runs[upper]!.to < run.from - 1) upper++;
    for (let j = upper; j < first && runs[j]!.from <= run.to + 1; j++) {
      if (runs[j]!.row === run.row - 1) {
        const a = root(runs, i);
        const b = root(runs, j);
        runs[Math.max(a, b)]!.parent = Math.min(a, b);
      }
    }
  }
}

function root(runs: Run[], at: number): number {
  let top = at;
  while (runs[top]!.parent !== top) top = runs[top]!.parent;
  while (runs[at]!.parent !== top) {
    const next = runs[at]!.parent;
    runs[at]!.parent = top;
    at = next;
  }
  return top;
}

function gather(runs: Run[]): Component[] {
  const found = new Map<number, { -readonly [K in keyof Component]: Component[K] }>();
  runs.forEach((run, i) => {
    const id = root(runs, i);
    const length = run.to - run.from + 1;
    const known = found.get(id);
    if (!known) {
      const { row, from, to, peak, core } = run;
      found.set(id, {
        top: row,
        bottom: row,
        left: from,
        right: to,
        area: length,
        runs: 1,
        strength: peak,
        core,
      });
      return;
    }
    known.bottom = Math.max(known.bottom, run.row);
    known.left = Math.min(known.left, run.from);
    known.right = Math.max(known.right, run.to);
    known.area += length;
    known.runs += 1;
    known.strength += run.peak;
    known.core += run.core;
  });
  return [...found.values()].map((component) => ({
    ...component,
    strength: component.strength / component.runs,
  }));
}
