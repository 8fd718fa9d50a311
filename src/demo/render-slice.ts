import type { PaintStep } from './anatomy.js';
import { grainAt, grainTile } from './noise.js';
import { gridOf, type Texture } from './grid.js';
import { jointBox, paintSlice, type Appearance } from './paint.js';
import type { SeriesRecipe, StackRecipe, Tissue } from './recipe.js';
import type { SlicePlane } from './stack-geometry.js';
import { isVisible } from './visibility.js';

/** How many planes a scout's projection adds up. */
const PROJECTION_PLANES = 5;

/** One slice as it is stored, and the findings that can be seen on it. */
export interface RenderedSlice {
  readonly pixels: Int16Array;
  readonly visible: readonly string[];
}

/** Everything of a series that its slices share. */
export interface SliceScene {
  readonly steps: readonly PaintStep[];
  readonly texture: Texture;
  readonly tissues: Readonly<Record<string, Tissue>>;
  readonly series: SeriesRecipe;
  readonly enhanced: boolean;
}

/**
 * One slice: painted, grained, and turned into stored values.
 *
 * @param shift - where the slice lies on the grain tile, so that no two slices share their noise
 */
export function renderSlice(
  scene: SliceScene,
  plane: SlicePlane,
  stack: StackRecipe,
  shift: readonly [row: number, column: number],
): RenderedSlice {
  const { series, steps, texture, tissues } = scene;
  const appearance: Appearance = {
    samples: series.samples,
    enhanced: scene.enhanced,
    mottle: series.mottle,
    edgeMm: series.edgeMm,
  };
  if (stack.depthMm !== undefined) {
    const sum = project(scene, appearance, plane, stack.depthMm);
    return { pixels: stored(sum, series, plane.matrix, shift), visible: [] };
  }
  const grid = gridOf(plane, texture);
  const shapes = steps.map((step) => step.shape);
  const samples = paintSlice(grid, shapes, texture, appearance, tissues);
  const findings = [...new Set(steps.flatMap((step) => step.finding ?? []))];
  const visible = series.localizer
    ? []
    : findings.filter((id) => {
        const own = steps.filter((step) => step.finding === id).map((step) => step.shape);
        const rest = steps.filter((step) => step.finding !== id).map((step) => step.shape);
        const box = jointBox(own, plane, texture, appearance);
        return (
          box !== null &&
          isVisible(
            samples,
            paintSlice(grid, rest, texture, appearance, tissues, box),
            series.grain,
            box,
            plane.matrix,
          )
        );
      });
  return { pixels: stored(samples, series, plane.matrix, shift), visible };
}

/** A scout: the mean of planes through the depth, with the contrast of a projection. */
function project(
  scene: SliceScene,
  appearance: Appearance,
  plane: SlicePlane,
  depthMm: number,
): Float32Array {
  const sum = new Float32Array(plane.matrix * plane.matrix);
  const shapes = scene.steps.map((step) => step.shape);
  for (let k = 0; k < PROJECTION_PLANES; k++) {
    const shift = ((k + 0.5) / PROJECTION_PLANES - 0.5) * depthMm;
    const origin = plane.origin.map((v, axis) => v + shift * plane.normal[axis]!);
    const moved = { ...plane, origin: [origin[0]!, origin[1]!, origin[2]!] as const };
    const samples = paintSlice(
      gridOf(moved, scene.texture),
      shapes,
      scene.texture,
      appearance,
      scene.tissues,
    );
    for (let i = 0; i < sum.length; i++) sum[i]! += samples[i]! / PROJECTION_PLANES;
  }
  return sum;
}

/** Samples with grain, as stored values. MR and PET are magnitudes: never below zero. */
function stored(
  samples: Float32Array,
  series: SeriesRecipe,
  n: number,
  shift: readonly [number, number],
): Int16Array {
  const tile = grainTile(series.sharp ? 'sharp' : 'soft');
  const [slope, intercept] = series.rescale;
  const units = series.unitsPerSuv ?? 1;
  const pixels = new Int16Array(n * n);
  for (let r = 0; r < n; r++) {
    for (let c = 0; c < n; c++) {
      const i = r * n + c;
      const grain = series.grain * grainAt(tile, r + shift[0], c + shift[1]);
      let value = samples[i]!;
      if (series.samples === 'ct') {
        value = Math.max(-1024, value + grain);
      } else if (series.samples === 'pet') {
        // Counting statistics: noise grows with the root of the activity.
        value = Math.max(0, value + grain * Math.sqrt(0.1 + value));
      } else {
        // The coil's sensitivity falls toward the back; the magnitude of a signal in noise.
        value = Math.abs(value * (1.06 - (0.12 * r) / n) + grain);
      }
      const code = Math.round((value * units - intercept) / slope);
      pixels[i] = code < -32768 ? -32768 : code > 32767 ? 32767 : code;
    }
  }
  return pixels;
}
