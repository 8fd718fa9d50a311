import type { CoarseStack } from './stack-pixels.js';

/**
 * How far each place of a stack stands out, in units of noise; signed, positive is brighter. Every map takes the
 * smallest of several differences, so that edges, long vessels and bones, and anatomy that goes on from slice to slice
 * give nothing.
 */
export interface DeviationMaps {
  readonly width: number;
  readonly height: number;
  /** Against the slices some way above and below: both must differ the same way. */
  readonly along: readonly Float32Array[];
  /** Against the surroundings in the slice: six of eight directions must differ the same way. */
  readonly around: readonly Float32Array[];
  /** Against the mirrored place in the same slice. */
  readonly mirror: readonly Float32Array[];
  /** 1 inside the body, away from its outline. */
  readonly body: readonly Uint8Array[];
  /** Modality values on the grid. */
  readonly values: readonly Float32Array[];
  /** Column of the body's midline. */
  readonly midline: number;
}

/** Distances along the stack at which a finding has ended, in slices. */
const ALONG_SLICES = [3, 5];
/** Distances in the slice at which a finding has ended, in grid pixels. */
const AROUND_PIXELS = [3, 6, 10];
/** Directions of eight in which a finding may touch something alike. */
const FORGIVEN_DIRECTIONS = 2;
/** A slice at an end of the stack has one neighbour only: its difference counts by this share. */
const ONE_NEIGHBOUR_SHARE = 0.3;
/** Differences along the stack below this many units of noise are left at 0: the rest is not worth computing. */
const LEAST = 1.5;
/** Share of a stack's 99th percentile below which MR and PET voxels are background. */
const BACKGROUND_SHARE = 0.06;

/**
 * The deviation maps of a stack.
 *
 * Values are brought to one scale first: CT is clipped to −150…300 HU, others are taken as percent of their 99th
 * percentile (PET after a square root).
 */
export function deviationMaps(stack: CoarseStack, modality: string | null): DeviationMaps {
  const { width, height } = stack;
  const { values, body, scale } = prepare(stack, modality);
  const smooth = values.map((slice) => blur(slice, width, height));
  const midline = findMidline(body, width);
  const along: Float32Array[] = [];
  const around: Float32Array[] = [];
  const mirror: Float32Array[] = [];
  for (let z = 0; z < smooth.length; z++) {
    const own = smooth[z]!;
    const inside = body[z]!;
    const alongMap = new Float32Array(own.length);
    const aroundMap = new Float32Array(own.length);
    const mirrorMap = new Float32Array(own.length);
    for (let y = 1; y < height - 1; y++) {
      for (let x = 1; x < width - 1; x++) {
        const i = y * width + x;
        if (inside[i] === 0) continue;
        mirrorMap[i] = mirrorDifference(own, inside, x, y, width, height, midline) / scale;
        const deep = alongDifference(smooth, z, i) / scale;
        if (Math.abs(deep) < LEAST) continue;
        alongMap[i] = deep;
        aroundMap[i] = aroundDifference(own, x, y, width, height) / scale;
      }
    }
    along.push(alongMap);
    around.push(aroundMap);
    mirror.push(mirrorMap);
  }
  return { width, height, along, around, mirror, body, values: stack.slices, midline };
}

/** Brighter (or darker) than some slice above and some slice below: the smaller of the two differences, signed. */
function alongDifference(smooth: readonly Float32Array[], z: number, i: number): number {
  const above = span(smooth, z, i, 1);
  const below = span(smooth, z, i, -1);
  if (above === null || below === null) {
    const only = above ?? below;
    if (only === null) return 0;
    return ONE_NEIGHBOUR_SHARE * (only.most > -only.least ? only.most : only.least);
  }
  const bright = Math.min(above.most, below.most);
  const dark = Math.max(above.least, below.least);
  if (bright > 0 && bright >= -dark) return bright;
  return dark < 0 ? dark : 0;
}

/** The largest and the smallest difference from the slices on one side, or null at the end of the stack. */
function span(
  smooth: readonly Float32Array[],
  z: number,
  i: number,
  direction: 1 | -1,
): { readonly most: number; readonly least: number } | null {
  const own = smooth[z]![i]!;
  let most = -Infinity;
  let least = Infinity;
  for (const step of ALONG_SLICES) {
    const other = smooth[z + direction * step]?.[i];
    if (other === undefined) continue;
    most = Math.max(most, own - other);
    least = Math.min(least, own - other);
  }
  return most === -Infinity ? null : { most, least };
}

const differences = new Float32Array(8);

function aroundDifference(own: Float32Array, x: number, y: number, width: number, height: number): number {
  const centre = own[y * width + x]!;
  let best = 0;
  for (const radius of AROUND_PIXELS) {
    const diagonal = Math.round(radius * 0.707);
    let n = 0;
    for (const [dx, dy] of [
      [radius, 0],
      [-radius, 0],
      [0, radius],
      [0, -radius],
      [diagonal, diagonal],
      [-diagonal, diagonal],
      [diagonal, -diagonal],
      [-diagonal, -diagonal],
    ] as const) {
      const column = Math.min(width - 1, Math.max(0, x + dx));
      const row = Math.min(height - 1, Math.max(0, y + dy));
      differences[n++] = centre - own[row * width + column]!;
    }
    differences.sort();
    const bright = differences[FORGIVEN_DIRECTIONS]!;
    const dark = differences[7 - FORGIVEN_DIRECTIONS]!;
    if (bright > 0 && bright > Math.abs(best)) best = bright;
    if (dark < 0 && -dark > Math.abs(best)) best = dark;
  }
  return best;
}

/** The smaller of two differences that go the same way, else 0. */
export function smallerAlike(a: number, b: number): number {
  if (a * b <= 0) return 0;
  return Math.abs(a) < Math.abs(b) ? a : b;
}

/** The smallest signed departure from the mirrored place and its neighbours: bodies are not quite symmetric. */
function mirrorDifference(
  own: Float32Array,
  body: Uint8Array,
  x: number,
  y: number,
  width: number,
  height: number,
  midline: number,
): number {
  const at = Math.round(2 * midline - x);
  let best = Infinity;
  let signed = 0;
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -2; dx <= 2; dx++) {
      const mx = at + dx;
      const my = y + dy;
      if (mx < 0 || mx >= width || my < 0 || my >= height || body[my * width + mx] === 0) continue;
      const difference = own[y * width + x]! - own[my * width + mx]!;
      if (Math.abs(difference) < best) {
        best = Math.abs(difference);
        signed = difference;
      }
    }
  }
  return signed;
}

function prepare(
  stack: CoarseStack,
  modality: string | null,
): { values: Float32Array[]; body: Uint8Array[]; scale: number } {
  const { width, height, slices } = stack;
  if (modality === 'CT') {
    const body = slices.map((slice) => fillBody(slice, width, height, (value) => value > -300));
    const values = slices.map((slice) => slice.map((value) => Math.min(300, Math.max(-150, value))));
    return { values, body, scale: 4 };
  }
  const high = Math.max(percentile(slices, 0.99), 1e-6);
  const root = modality === 'PT';
  const body = slices.map((slice) =>
    fillBody(slice, width, height, (value) => value > BACKGROUND_SHARE * high),
  );
  const values = slices.map((slice) =>
    slice.map((value) => {
      const share = Math.max(0, value) / high;
      return 100 * (root ? Math.sqrt(share) : share);
    }),
  );
  return { values, body, scale: 3 };
}

/** The body: everything not reachable from the border through what is outside, without its outermost ring. */
function fillBody(
  slice: Float32Array,
  width: number,
  height: number,
  inside: (value: number) => boolean,
): Uint8Array {
  const outside = new Uint8Array(width * height);
  const stack: number[] = [];
  const visit = (i: number): void => {
    if (outside[i] === 1 || inside(slice[i]!)) return;
    outside[i] = 1;
    stack.push(i);
  };
  for (let x = 0; x < width; x++) {
    visit(x);
    visit((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    visit(y * width);
    visit(y * width + width - 1);
  }
  for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
    const x = i % width;
    if (x > 0) visit(i - 1);
    if (x < width - 1) visit(i + 1);
    if (i >= width) visit(i - width);
    if (i < (height - 1) * width) visit(i + width);
  }
  const body = new Uint8Array(width * height);
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const i = y * width + x;
      const ring =
        outside[i]! + outside[i - 1]! + outside[i + 1]! + outside[i - width]! + outside[i + width]!;
      const wide = outside[i - 2]! + outside[i + 2]! + outside[i - 2 * width]! + outside[i + 2 * width]!;
      body[i] = ring + wide === 0 ? 1 : 0;
    }
  }
  return body;
}

function findMidline(body: readonly Uint8Array[], width: number): number {
  let sum = 0;
  let n = 0;
  for (const slice of body) {
    for (let i = 0; i < slice.length; i++) {
      if (slice[i] === 0) continue;
      sum += i % width;
      n++;
    }
  }
  return n === 0 ? (width - 1) / 2 : sum / n;
}

function percentile(slices: readonly Float32Array[], share: number): number {
  const sampled: number[] = [];
  for (const slice of slices) for (let i = 0; i < slice.length; i += 7) sampled.push(slice[i]!);
  sampled.sort((a, b) => a - b);
  return sampled[Math.min(sampled.length - 1, Math.floor(share * sampled.length))] ?? 0;
}

/** Three-by-three binomial smoothing. */
function blur(slice: Float32Array, width: number, height: number): Float32Array {
  const out = slice.slice();
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      out[i] =
        (4 * slice[i]! +
          2 * (slice[i - 1]! + slice[i + 1]! + slice[i - width]! + slice[i + width]!) +
          slice[i - width - 1]! +
          slice[i - width + 1]! +
          slice[i + width - 1]! +
          slice[i + width + 1]!) /
        16;
    }
  }
  return out;
}
