import type { ShapeRecipe, Tissue } from './recipe.js';

/** A shape made ready for painting. Millimetres in the anatomy's own frame. */
export interface Shape {
  readonly id: string;
  readonly tissue: Tissue;
  readonly center: readonly [number, number, number];
  /** Rows of the matrix that turns an offset from the centre into one inside the unit sphere. */
  readonly matrix: Float64Array;
  /** Smallest and largest x, y, z that the shape can reach. */
  readonly low: readonly [number, number, number];
  readonly high: readonly [number, number, number];
  /** Limits that cut it; infinite where nothing does. */
  readonly cutLow: readonly [number, number, number];
  readonly cutHigh: readonly [number, number, number];
  /** Turns a share of the radius into millimetres. */
  readonly radiusMm: number;
  readonly isCut: boolean;
  readonly inside: readonly Shape[];
  readonly bands: { readonly pitchMm: number; readonly widthMm: number; readonly slope: number } | null;
  readonly mode: 'plain' | 'cortex' | 'lung' | 'mesentery';
  readonly pores: number;
  readonly rough: number;
}

/** How far along z a tube without limits reaches, mm. */
const TUBE_REACH = 2000;

/**
 * One recipe shape as the shapes to paint: two when it is mirrored (left first).
 *
 * @param painted - the shapes so far, which `inside` may name
 */
export function shapesOf(recipe: ShapeRecipe, tissue: Tissue, painted: readonly Shape[]): Shape[] {
  const left = compile(recipe, tissue, painted, 1);
  return recipe.mirror ? [left, compile(recipe, tissue, painted, -1)] : [left];
}

function compile(recipe: ShapeRecipe, tissue: Tissue, painted: readonly Shape[], side: 1 | -1): Shape {
  const [cx, cy, cz] = recipe.center;
  const center = [cx * side, cy, recipe.tube ? 0 : cz] as const;
  const rotation = turned(recipe.turn, side);
  const radii = recipe.tube ? [recipe.radii[0], recipe.radii[1], Infinity] : recipe.radii;
  const matrix = new Float64Array(9);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) matrix[i * 3 + j] = rotation[i]![j]! / radii[i]!;
  const reach = [0, 1, 2].map((j) => {
    if (recipe.tube && j === 2) return TUBE_REACH;
    const spans = [0, 1, 2].map((i) => (Number.isFinite(radii[i]!) ? rotation[i]![j]! * radii[i]! : 0));
    return Math.hypot(...spans) * (1 + recipe.rough);
  });
  const within = [recipe.within.x, recipe.within.y, recipe.within.z];
  const triple = (value: (axis: 0 | 1 | 2) => number): [number, number, number] => [
    value(0),
    value(1),
    value(2),
  ];
  const cutLow = triple((axis) => within[axis]?.[0] ?? -Infinity);
  const cutHigh = triple((axis) => within[axis]?.[1] ?? Infinity);
  const finite = radii.filter((r) => Number.isFinite(r));
  return {
    id: recipe.id,
    tissue,
    center,
    matrix,
    low: triple((axis) => Math.max(center[axis] - reach[axis]!, cutLow[axis])),
    high: triple((axis) => Math.min(center[axis] + reach[axis]!, cutHigh[axis])),
    cutLow,
    cutHigh,
    radiusMm: Math.min(...finite),
    isCut: within.some((limits) => limits !== undefined),
    inside: painted.filter((shape) => recipe.inside.includes(shape.id)),
    bands: recipe.bands ?? null,
    mode: recipe.cortex ? 'cortex' : (recipe.vessels ?? 'plain'),
    pores: recipe.pores,
    rough: recipe.rough,
  };
}

/** Rows: the shape's own axes in the anatomy's frame. A mirrored shape turns the other way about y and z. */
function turned(turn: ShapeRecipe['turn'], side: 1 | -1): number[][] {
  if (!turn) return [[1, 0, 0], [0, 1, 0], [0, 0, 1]]; // prettier-ignore
  const angle = ((turn.axis === 'x' ? 1 : side) * turn.degrees * Math.PI) / 180;
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  if (turn.axis === 'z') return [[c, s, 0], [-s, c, 0], [0, 0, 1]]; // prettier-ignore
  if (turn.axis === 'y') return [[c, 0, -s], [0, 1, 0], [s, 0, c]]; // prettier-ignore
  return [[1, 0, 0], [0, c, s], [0, -s, c]]; // prettier-ignore
}

/** Squared distance of a point from the shape's centre, in radii: 1 on its surface. */
export function squaredDistance(shape: Shape, x: number, y: number, z: number): number {
  const m = shape.matrix;
  const dx = x - shape.center[0];
  const dy = y - shape.center[1];
  const dz = z - shape.center[2];
  const u = m[0]! * dx + m[1]! * dy + m[2]! * dz;
  const v = m[3]! * dx + m[4]! * dy + m[5]! * dz;
  const w = m[6]! * dx + m[7]! * dy + m[8]! * dz;
  return u * u + v * v + w * w;
}

/**
 * How much of the point belongs to the shape, 0 to 1, with an edge that fades over `edgeMm`. Bands and pores aside.
 *
 * @param swell - share by which the distance from the centre is lengthened here (a lobulated outline)
 */
export function coverage(shape: Shape, x: number, y: number, z: number, edgeMm: number, swell = 0): number {
  const squared = squaredDistance(shape, x, y, z) * (1 + swell) * (1 + swell);
  const far = 1 + edgeMm / (2 * shape.radiusMm);
  if (squared >= far * far) return 0;
  let weight = ((1 - Math.sqrt(squared)) * shape.radiusMm) / edgeMm + 0.5;
  if (shape.isCut) {
    const { cutLow, cutHigh } = shape;
    weight = Math.min(
      weight,
      0.5 +
        Math.min(
          x - cutLow[0],
          y - cutLow[1],
          z - cutLow[2],
          cutHigh[0] - x,
          cutHigh[1] - y,
          cutHigh[2] - z,
        ) /
          edgeMm,
    );
  }
  return weight <= 0 ? 0 : weight >= 1 ? 1 : weight;
}
