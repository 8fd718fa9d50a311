/** [x, y, z] in patient coordinates: +x to the patient's left, +y to the back, +z to the head (LPS, mm). */
export type Vector = readonly [number, number, number];

export type Plane = 'axial' | 'coronal' | 'sagittal' | 'oblique';

/** How stored rows and columns become displayed ones: transpose first, then the flips. */
export interface DisplayOrientation {
  readonly transpose: boolean;
  /** Reverse the order of the rows (top to bottom). */
  readonly flipRows: boolean;
  /** Reverse the order of the columns (left to right). */
  readonly flipColumns: boolean;
}

/**
 * The largest cosine between normal and body axis must reach this for a named plane: 36.9 degrees of tilt, which
 * takes in gantry tilt (at most 30 degrees) and angled brain stacks, and leaves out the half-way obliques.
 */
const NAMED_PLANE_COSINE = 0.8;

/** Screen directions of each plane in patient coordinates: to the right, and down. Patient's right is on the left. */
const SCREEN: Readonly<Record<'axial' | 'coronal' | 'sagittal', { right: Vector; down: Vector }>> = {
  axial: { right: [1, 0, 0], down: [0, 1, 0] },
  coronal: { right: [1, 0, 0], down: [0, 0, -1] },
  sagittal: { right: [0, 1, 0], down: [0, 0, -1] },
};

/**
 * Unit normal of the slice: row direction × column direction (PS3.3 C.7.6.2.1.1).
 *
 * @param iop - ImageOrientationPatient, six cosines; null or parallel directions give null
 */
export function sliceNormal(iop: readonly number[] | null): Vector | null {
  if (iop?.length !== 6 || !iop.every(Number.isFinite)) return null;
  const [rx, ry, rz, cx, cy, cz] = iop as [number, number, number, number, number, number];
  const x = ry * cz - rz * cy;
  const y = rz * cx - rx * cz;
  const z = rx * cy - ry * cx;
  const length = Math.hypot(x, y, z);
  if (length < 1e-6) return null;
  return [x / length, y / length, z / length];
}

/** Where a slice lies along a normal, mm: the dot product of ImagePositionPatient and the normal. */
export function projection(ipp: readonly number[], normal: Vector): number {
  return ipp[0]! * normal[0] + ipp[1]! * normal[1] + ipp[2]! * normal[2];
}

/** The body plane that a slice lies in; `oblique` when its normal is over 36.9 degrees off every body axis. */
export function planeOf(iop: readonly number[] | null): Plane {
  const normal = sliceNormal(iop);
  if (!normal) return 'oblique';
  const largest = Math.max(...normal.map(Math.abs));
  return largest < NAMED_PLANE_COSINE ? 'oblique' : nearestPlane(normal);
}

/**
 * What turns a stored image into the radiological view: axial and coronal show the patient's right on the left,
 * axial has the front up, coronal and sagittal the head up, sagittal the front on the left. An oblique slice is shown
 * as its nearest plane; an unknown orientation is left as it is.
 */
export function displayOrientation(iop: readonly number[] | null): DisplayOrientation {
  const normal = sliceNormal(iop);
  if (!normal || !iop) return { transpose: false, flipRows: false, flipColumns: false };
  const { right, down } = SCREEN[nearestPlane(normal)];
  const alongRow = iop.slice(0, 3);
  const alongColumn = iop.slice(3, 6);
  const kept = Math.abs(projection(alongRow, right)) + Math.abs(projection(alongColumn, down));
  const swapped = Math.abs(projection(alongColumn, right)) + Math.abs(projection(alongRow, down));
  const transpose = swapped > kept;
  const [across, downward] = transpose ? [alongColumn, alongRow] : [alongRow, alongColumn];
  return {
    transpose,
    flipRows: projection(downward, down) < 0,
    flipColumns: projection(across, right) < 0,
  };
}

/**
 * The image in display order.
 *
 * @param samples - rows × columns × samplesPerPixel, row-major, interleaved
 * @returns samples of the same type with the new number of rows and columns
 */
export function reorient<T extends Uint8Array | Uint16Array | Int16Array | Float32Array>(
  samples: T,
  rows: number,
  columns: number,
  orientation: DisplayOrientation,
  samplesPerPixel = 1,
): { samples: T; rows: number; columns: number } {
  const { transpose, flipRows, flipColumns } = orientation;
  const outRows = transpose ? columns : rows;
  const outColumns = transpose ? rows : columns;
  const out = samples.slice() as T;
  let at = 0;
  for (let row = 0; row < outRows; row++) {
    const r = flipRows ? outRows - 1 - row : row;
    for (let column = 0; column < outColumns; column++) {
      const c = flipColumns ? outColumns - 1 - column : column;
      const from = (transpose ? c * columns + r : r * columns + c) * samplesPerPixel;
      for (let s = 0; s < samplesPerPixel; s++) out[at++] = samples[from + s]!;
    }
  }
  return { samples: out, rows: outRows, columns: outColumns };
}

function nearestPlane(normal: Vector): 'axial' | 'coronal' | 'sagittal' {
  const [x, y, z] = normal.map(Math.abs) as [number, number, number];
  if (z >= x && z >= y) return 'axial';
  return y >= x ? 'coronal' : 'sagittal';
}
