import type { Component, Surface } from './components.js';
import type { Plane } from './plane.js';

/** A row of letters. */
export interface TextLine {
  readonly components: readonly Component[];
  /** 0 to 1: how much it looks like text. */
  readonly score: number;
}

/** Sizes of a letter, pixels of the picture that is searched. */
const MIN_HEIGHT = 4;
const MAX_HEIGHT = 40;
const MIN_AREA = 5;
/** A run of letters that touch is wider than a letter. */
const MAX_ASPECT = 8;
const MIN_LETTERS = 4;
/** Taken off the score of a short row, by its number of letters. */
const SHORT_PENALTY: Readonly<Record<number, number>> = { 3: 0.35, 4: 0.15 };
/** Up to this height letters touch, so that fewer pieces than letters are seen. */
const TOUCHING_HEIGHT = 9;
/** Height of a line of text, as a multiple of its letters' median. */
const MAX_LINE_HEIGHT = 1.9;
/** Height of a letter, as a share of the picture's lesser side. */
const MAX_SHARE = 0.16;
/** Widths of its letters together, as a share of a line's. */
const MIN_COVER = 0.5;
/** Widest space between letters of a line, as a multiple of their height. */
const MAX_SPACE = 1.2;

/** Rows of letters among components, left to right in each, by place of their first letter. */
export function textLines(all: readonly Component[], surface: Surface): TextLine[] {
  const letters = all.filter(isLetterSized).sort((a, b) => a.left - b.left || a.top - b.top);
  return rowsOf(letters).flatMap((row) => {
    const score = scoreLine(row, surface);
    return score > 0 ? [{ components: row, score }] : [];
  });
}

const heightOf = ({ top, bottom }: Component): number => bottom - top + 1;
const widthOf = ({ left, right }: Component): number => right - left + 1;

function widthOfRow(row: readonly Component[]): number {
  return row.at(-1)!.right - row[0]!.left + 1;
}

function isLetterSized(component: Component): boolean {
  const height = heightOf(component);
  const width = widthOf(component);
  const fill = component.area / (height * width);
  return (
    height >= MIN_HEIGHT &&
    height <= MAX_HEIGHT &&
    component.area >= MIN_AREA &&
    width <= MAX_ASPECT * height &&
    fill >= 0.12
  );
}

/** Letters that stand beside each other on one line, with those beside them, and so on. Sorted by their left sides. */
function rowsOf(letters: readonly Component[]): Component[][] {
  const parents = letters.map((_, i) => i);
  const root = (i: number): number => {
    let top = i;
    while (parents[top] !== top) top = parents[top]!;
    parents[i] = top;
    return top;
  };
  for (let i = 0; i < letters.length; i++) {
    const a = letters[i]!;
    // A neighbour is at most twice as high, so no gap to one is wider.
    const farthest = a.right + 1 + MAX_SPACE * 2 * heightOf(a);
    for (let j = i + 1; j < letters.length && letters[j]!.left <= farthest; j++) {
      if (areNeighbours(a, letters[j]!)) parents[root(j)] = root(i);
    }
  }
  const rows = new Map<number, Component[]>();
  letters.forEach((letter, i) => {
    const row = rows.get(root(i)) ?? [];
    // What lies within the width of another, a dot or what is left of a noisy edge, is no letter more.
    if (letter.right > (row.at(-1)?.right ?? -1)) row.push(letter);
    rows.set(root(i), row);
  });
  return [...rows.values()];
}

function areNeighbours(a: Component, b: Component): boolean {
  const tall = Math.max(heightOf(a), heightOf(b));
  const low = Math.min(heightOf(a), heightOf(b));
  const gap = b.left - a.right - 1;
  if (tall > 2 * low || gap < -1 || gap > Math.max(4, MAX_SPACE * tall)) return false;
  const slack = Math.max(1, 0.15 * tall);
  const level = Math.abs(a.bottom - b.bottom) <= slack || Math.abs(a.top - b.top) <= slack;
  return level && Math.max(a.strength, b.strength) <= 1.6 * Math.min(a.strength, b.strength);
}

/** How sharp the letters stand out; 0 when a row is no text. */
function scoreLine(row: readonly Component[], surface: Surface): number {
  const height = upperMedian(row.map(heightOf));
  if (!hasLineForm(row, height, surface.strength) || !hasLetterForm(row, height)) return 0;
  const core = sumOf(row, (c) => c.core) / sumOf(row, (c) => c.area);
  // Few letters in a row happen by chance, as vessels and ribs do in fours: they must stand out more.
  const few = 0.04 * Math.max(0, 8 - row.length);
  const short = widthOfRow(row) < 4.4 * height ? (SHORT_PENALTY[row.length] ?? 0) : 0;
  return core - 2 * clutter(row, surface) - few - short;
}

/** Enough letters of one height, close together, on one baseline, and small in the picture. */
function hasLineForm(row: readonly Component[], height: number, { rows, columns }: Plane): boolean {
  // Letters that touch count by their width; a letter is about 0.6 of a capital wide.
  const letters = sumOf(row, (c) => Math.max(1, Math.round(widthOf(c) / (0.75 * height))));
  if (letters < MIN_LETTERS || row.length < (height <= TOUCHING_HEIGHT ? 3 : MIN_LETTERS)) return false;
  const width = widthOfRow(row);
  const top = Math.min(...row.map((c) => c.top));
  const bottom = Math.max(...row.map((c) => c.bottom));
  // Ascenders and descenders: from a small letter's height to less than twice of it.
  if (bottom - top + 1 > Math.max(height + 2, MAX_LINE_HEIGHT * height)) return false;
  if (height > MAX_SHARE * Math.min(rows, columns)) return false;
  if (sumOf(row, widthOf) < MIN_COVER * width) return false;
  const slack = Math.max(1, 0.12 * height);
  const base = upperMedian(row.map((c) => c.bottom));
  const onBase = share(row, (c) => Math.abs(c.bottom - base) <= slack);
  const even = share(row, (c) => {
    const h = heightOf(c);
    return Math.abs(h - height) <= slack || Math.abs(h - 0.74 * height) <= slack || h > height;
  });
  return onBase >= 0.65 && even >= 0.65;
}

/** Thin strokes of one width and brightness that turn: ticks of a ruler and bars of a grid are crossed once in a row. */
function hasLetterForm(row: readonly Component[], height: number): boolean {
  const strokes = row.map((c) => c.area / c.runs);
  const turning = share(row, (c) => c.runs > 1.15 * heightOf(c));
  return (
    turning >= 0.2 &&
    upperMedian(strokes) <= 0.5 * height &&
    spread(strokes) <= 0.5 &&
    spread(row.map((c) => c.strength)) <= 0.3
  );
}

/**
 * What stands out around and between the letters, as a share of what the letters do: next to nothing in text, much in
 * anatomy and noise. Pixels that touch a stroke are left out: they are its blurred edge.
 */
function clutter(row: readonly Component[], { strength, threshold }: Surface): number {
  const margin = Math.max(2, Math.round(0.3 * heightOf(row[0]!)));
  const { rows, columns, stride, origin } = strength;
  const top = Math.max(1, Math.min(...row.map((c) => c.top)) - margin);
  const bottom = Math.min(rows - 2, Math.max(...row.map((c) => c.bottom)) + margin);
  const left = Math.max(1, row[0]!.left - margin);
  const right = Math.min(columns - 2, row.at(-1)!.right + margin);
  const isStroke = (at: number): boolean => strength.values[at]! >= threshold.values[at]!;
  let sum = 0;
  let pixels = 0;
  for (let y = top; y <= bottom; y++) {
    const base = origin + y * stride;
    for (let at = base + left; at <= base + right; at++) {
      if (isStroke(at) || isStroke(at - 1) || isStroke(at + 1)) continue;
      if (isStroke(at - stride) || isStroke(at + stride)) continue;
      sum += strength.values[at]!;
      pixels++;
    }
  }
  return pixels === 0 ? 1 : sum / pixels / upperMedian(row.map((c) => c.strength));
}

function sumOf(row: readonly Component[], of: (c: Component) => number): number {
  return row.reduce((sum, c) => sum + of(c), 0);
}

function share(row: readonly Component[], test: (c: Component) => boolean): number {
  return row.filter(test).length / row.length;
}

/** Mean absolute deviation from the median, as a share of the median; 1 at most. */
function spread(values: readonly number[]): number {
  const middle = upperMedian(values);
  const deviation = values.reduce((sum, v) => sum + Math.abs(v - middle), 0) / values.length;
  return Math.min(1, deviation / middle);
}

function upperMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
