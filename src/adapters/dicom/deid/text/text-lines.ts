import type { Component, Surface } from './components.js';

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
/** Up to this height letters touch, so that fewer pieces than letters are seen. */
const TOUCHING_HEIGHT = 9;

/** Rows of letters among components, left to right in each, by place of their first letter. */
export function textLines(all: readonly Component[], surface: Surface): TextLine[] {
  const letters = all.filter(isLetterSized).sort((a, b) => a.left - b.left || a.top - b.top);
  return chains(letters).flatMap((chain) => {
    const score = scoreLine(chain, surface);
    return score > 0 ? [{ components: chain, score }] : [];
  });
}

const heightOf = ({ top, bottom }: Component): number => bottom - top + 1;
const widthOf = ({ left, right }: Component): number => right - left + 1;

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

/** Letters that stand beside each other on one line, joined to chains. */
function chains(letters: readonly Component[]): Component[][] {
  const next = new Int32Array(letters.length).fill(-1);
  const taken = new Uint8Array(letters.length);
  for (let i = 0; i < letters.length; i++) {
    const a = letters[i]!;
    let best = -1;
    let bestGap = Infinity;
    for (let j = i + 1; j < letters.length; j++) {
      const b = letters[j]!;
      const gap = b.left - a.right - 1;
      if (gap > reach(a)) {
        if (b.left > a.right + 1 + 2 * MAX_HEIGHT) break;
        continue;
      }
      if (taken[j] === 1 || gap < -1 || !areNeighbours(a, b, gap)) continue;
      if (gap < bestGap) {
        best = j;
        bestGap = gap;
      }
    }
    if (best >= 0) {
      next[i] = best;
      taken[best] = 1;
    }
  }
  const found: Component[][] = [];
  for (let i = 0; i < letters.length; i++) {
    if (taken[i] === 1) continue;
    const chain: Component[] = [];
    for (let at = i; at >= 0; at = next[at]!) chain.push(letters[at]!);
    if (chain.length > 1) found.push(chain);
  }
  return found;
}

/** Widest gap to the next letter: a space between words is about two thirds of a capital. */
function reach(a: Component): number {
  return Math.max(4, 1.2 * heightOf(a));
}

function areNeighbours(a: Component, b: Component, gap: number): boolean {
  const tall = Math.max(heightOf(a), heightOf(b));
  const low = Math.min(heightOf(a), heightOf(b));
  if (tall > 2 * low || gap > Math.max(4, 1.1 * tall)) return false;
  const slack = Math.max(1, 0.15 * tall);
  const level = Math.abs(a.bottom - b.bottom) <= slack || Math.abs(a.top - b.top) <= slack;
  const strong = Math.max(a.strength, b.strength) <= 1.6 * Math.min(a.strength, b.strength);
  return level && strong;
}

/** How sharp the letters stand out, 0 when a chain is no text. */
function scoreLine(chain: readonly Component[], surface: Surface): number {
  const heights = chain.map(heightOf);
  const height = upperMedian(heights);
  const width = chain.at(-1)!.right - chain[0]!.left + 1;
  // Letters that touch count by their width; a letter is about 0.6 of a capital wide.
  const letters = chain.reduce((sum, c) => sum + Math.max(1, Math.round(widthOf(c) / (0.75 * height))), 0);
  if (letters < MIN_LETTERS || width < 2.2 * height) return 0;
  const slack = Math.max(1, 0.12 * height);
  const base = upperMedian(chain.map(({ bottom }) => bottom));
  const onBase = share(chain, ({ bottom }) => Math.abs(bottom - base) <= slack);
  const sameStrength = 1 - spread(chain.map(({ strength }) => strength));
  const strokes = chain.map((c) => c.area / c.runs);
  const sameStroke = 1 - spread(strokes);
  const thin = upperMedian(strokes) / height;
  // Ticks of a ruler and bars of a grid: straight, alike, nothing crossed twice.
  const crossings = share(chain, (c) => c.runs > 1.15 * heightOf(c));
  const evenHeights = share(chain, (c) => {
    const h = heightOf(c);
    return Math.abs(h - height) <= slack || Math.abs(h - 0.74 * height) <= slack || h > height;
  });
  const core = chain.reduce((n, c) => n + c.core, 0) / chain.reduce((n, c) => n + c.area, 0);
  const cl = clutter(chain, surface);
  if (onBase < 0.65 || evenHeights < 0.65 || crossings < 0.3 || thin > 0.5) return 0;
  if (sameStrength < 0.7 || sameStroke < 0.5) return 0;
  if (chain.length < (height <= TOUCHING_HEIGHT ? 3 : MIN_LETTERS)) return 0;
  return core - 2 * cl - 0.04 * Math.max(0, 8 - chain.length);
}

/**
 * What stands out around and between the letters, as a share of what the letters do: next to nothing in text, much in
 * anatomy and noise. Pixels that touch a stroke are left out: they are its blurred edge.
 */
function clutter(chain: readonly Component[], { strength, threshold }: Surface): number {
  const margin = Math.max(2, Math.round(0.3 * heightOf(chain[0]!)));
  const { rows, columns, stride, origin } = strength;
  const top = Math.max(1, Math.min(...chain.map((c) => c.top)) - margin);
  const bottom = Math.min(rows - 2, Math.max(...chain.map((c) => c.bottom)) + margin);
  const left = Math.max(1, chain[0]!.left - margin);
  const right = Math.min(columns - 2, chain.at(-1)!.right + margin);
  const isStroke = (at: number): boolean => strength.values[at]! >= threshold.values[at]!;
  let sum = 0;
  let pixels = 0;
  for (let row = top; row <= bottom; row++) {
    const base = origin + row * stride;
    for (let at = base + left; at <= base + right; at++) {
      if (isStroke(at) || isStroke(at - 1) || isStroke(at + 1)) continue;
      if (isStroke(at - stride) || isStroke(at + stride)) continue;
      sum += strength.values[at]!;
      pixels++;
    }
  }
  return pixels === 0 ? 1 : sum / pixels / upperMedian(chain.map((c) => c.strength));
}

function share(chain: readonly Component[], test: (c: Component) => boolean): number {
  return chain.filter(test).length / chain.length;
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
