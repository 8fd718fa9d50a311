/** Border of a plane, pixels: no window that is laid on it reaches farther. */
const BORDER = 8;
const LEAST = -32768;
const MOST = 32767;

/** A grey picture of whole numbers, −16,000 to 16,000, within a border that holds none. */
export interface Plane {
  /** (rows + 2 borders) × stride, row-major. */
  readonly values: Int16Array;
  readonly rows: number;
  readonly columns: number;
  readonly stride: number;
  /** Index of the picture's first pixel. */
  readonly origin: number;
}

export function makePlane(rows: number, columns: number): Plane {
  const stride = columns + 2 * BORDER;
  const values = new Int16Array((rows + 2 * BORDER) * stride);
  return { values, rows, columns, stride, origin: BORDER * stride + BORDER };
}

/**
 * The largest value in a square window around every pixel; what lies outside the picture does not count.
 *
 * Windows of twice the width are made from two of half the width, so a window of 9 costs 8 comparisons a pixel.
 */
export function windowMax(plane: Plane, radius: number): Plane {
  const work = fenced(plane, LEAST);
  eachWidening(plane.stride, radius, (ahead) => {
    const end = work.length - ahead;
    // Ascending: the value ahead is still the narrower window's. Without a branch: the values are as good as random.
    for (let i = 0; i < end; i++) {
      const value = work[i]!;
      const difference = value - work[i + ahead]!;
      work[i] = value - (difference & (difference >> 31));
    }
  });
  return centred(plane, work, radius);
}

/** The least value in a square window around every pixel. */
export function windowMin(plane: Plane, radius: number): Plane {
  const work = fenced(plane, MOST);
  eachWidening(plane.stride, radius, (ahead) => {
    const end = work.length - ahead;
    for (let i = 0; i < end; i++) {
      const other = work[i + ahead]!;
      const difference = work[i]! - other;
      work[i] = other + (difference & (difference >> 31));
    }
  });
  return centred(plane, work, radius);
}

/** Calls with the offsets that widen a window of one pixel to the whole, along rows and then along columns. */
function eachWidening(stride: number, radius: number, widen: (ahead: number) => void): void {
  const window = 2 * radius + 1;
  for (const step of [1, stride]) {
    for (let width = 1; width < window;) {
      const by = Math.min(width, window - width);
      widen(by * step);
      width += by;
    }
  }
}

/** The values with the border filled by one that never wins. */
function fenced({ values, rows, columns, stride, origin }: Plane, fence: number): Int16Array {
  const work = new Int16Array(values.length).fill(fence);
  for (let row = 0; row < rows; row++) {
    const from = origin + row * stride;
    work.set(values.subarray(from, from + columns), from);
  }
  return work;
}

/** Windows stand at their upper left corner after widening; here they stand at their middle. */
function centred({ rows, columns }: Plane, work: Int16Array, radius: number): Plane {
  const out = makePlane(rows, columns);
  const shift = radius * out.stride + radius;
  for (let row = 0; row < rows; row++) {
    const to = out.origin + row * out.stride;
    out.values.set(work.subarray(to - shift, to - shift + columns), to);
  }
  return out;
}

/** How far each pixel stands out of the darker ground that a window of this radius fits into (white top-hat). */
export function topHat(plane: Plane, radius: number): Plane {
  const ground = windowMax(windowMin(plane, radius), radius);
  const { values } = ground;
  for (let i = 0; i < values.length; i++) values[i] = plane.values[i]! - values[i]!;
  return ground;
}

/** The picture with bright and dark exchanged. */
export function negated(plane: Plane): Plane {
  const out = makePlane(plane.rows, plane.columns);
  for (let i = 0; i < out.values.length; i++) out.values[i] = -plane.values[i]!;
  return out;
}

/** Means of two by two pixels. */
export function halved(plane: Plane): Plane {
  const out = makePlane(Math.floor(plane.rows / 2), Math.floor(plane.columns / 2));
  const { values, stride } = plane;
  for (let row = 0; row < out.rows; row++) {
    const from = plane.origin + 2 * row * stride;
    const to = out.origin + row * out.stride;
    for (let column = 0; column < out.columns; column++) {
      const at = from + 2 * column;
      out.values[to + column] =
        (values[at]! + values[at + 1]! + values[at + stride]! + values[at + stride + 1]!) >> 2;
    }
  }
  return out;
}
