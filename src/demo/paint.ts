import { WARP_MM, type Grid, type Texture } from './grid.js';
import { noiseAt } from './noise.js';
import { cortexInk, vesselInk, type Inks } from './organ-ink.js';
import { joinBoxes, meetBoxes, pixelBox, type PixelBox } from './pixel-box.js';
import type { SampleKind, Tissue } from './recipe.js';
import { coverage, type Shape } from './shape.js';
import type { SlicePlane } from './stack-geometry.js';

/** How a series turns tissue into samples. */
export interface Appearance {
  readonly samples: SampleKind;
  readonly enhanced: boolean;
  readonly mottle: number;
  readonly edgeMm: number;
}

const MOTTLE_SCALE_MM = 5;
/** What shines through less than this is not painted. */
const OPAQUE = 0.002;
/** Edges wider than this blur sulci away, mm. */
const FINE_EDGE_MM = 4;

/** A tissue's sample value without texture. */
export function tissueValue(tissue: Tissue, appearance: Appearance): number {
  if (appearance.samples === 'ct' && appearance.enhanced && tissue.enhanced !== undefined)
    return tissue.enhanced;
  return tissue[appearance.samples];
}

/**
 * Samples of one slice, before grain: the shapes laid over air in their order, the last on top. Row-major, in the
 * sample's unit.
 *
 * @param tissues - by name; air, grey-matter, white-matter, csf, vessel and blood are used for the texture of organs
 * @param box - the part to paint; the rest stays 0
 */
export function paintSlice(
  grid: Grid,
  shapes: readonly Shape[],
  texture: Texture,
  appearance: Appearance,
  tissues: Readonly<Record<string, Tissue>>,
  box: PixelBox = { top: 0, left: 0, bottom: grid.plane.matrix - 1, right: grid.plane.matrix - 1 },
): Float32Array {
  const value = (name: string): number => tissueValue(tissues[name]!, appearance);
  const inks: Inks = {
    grey: value('grey-matter'),
    white: value('white-matter'),
    csf: value('csf'),
    vessel: value('vessel'),
    blood: value('blood'),
  };
  const n = grid.plane.matrix;
  const out = new Float32Array(n * n);
  // From the top down: where nothing shines through any more, the shapes below need no work.
  const through = new Float32Array(n * n).fill(1);
  for (let k = shapes.length - 1; k >= 0; k--) {
    const reach = shapeBox(shapes[k]!, grid.plane, texture, appearance);
    const part = reach && meetBoxes(reach, box);
    if (part) layUnder(out, through, grid, shapes[k]!, part, texture, appearance, inks);
  }
  const air = value('air');
  for (let r = box.top; r <= box.bottom; r++)
    for (let i = r * n + box.left; i <= r * n + box.right; i++) out[i]! += through[i]! * air;
  return out;
}

/** The part of a plane that some shapes can change, or null. */
export function jointBox(
  shapes: readonly Shape[],
  plane: SlicePlane,
  texture: Texture,
  appearance: Appearance,
): PixelBox | null {
  return joinBoxes(shapes.flatMap((shape) => shapeBox(shape, plane, texture, appearance) ?? []));
}

function shapeBox(
  shape: Shape,
  plane: SlicePlane,
  texture: Texture,
  appearance: Appearance,
): PixelBox | null {
  return pixelBox(shape, plane, texture.scale, appearance.edgeMm + WARP_MM);
}

function layUnder(
  out: Float32Array,
  through: Float32Array,
  grid: Grid,
  shape: Shape,
  box: PixelBox,
  texture: Texture,
  appearance: Appearance,
  inks: Inks,
): void {
  const n = grid.plane.matrix;
  const { edgeMm } = appearance;
  const plain = tissueValue(shape.tissue, appearance);
  const mottle = shape.tissue.mottle * appearance.mottle;
  const { mode, inside, bands, pores, rough } = shape;
  for (let r = box.top; r <= box.bottom; r++) {
    for (let i = r * n + box.left; i <= r * n + box.right; i++) {
      const light = through[i]!;
      if (light < OPAQUE) continue;
      const x = grid.x[i]!;
      const y = grid.y[i]!;
      const z = grid.z[i]!;
      const swell = rough === 0 ? 0 : rough * noiseAt(texture.a, x / 7, y / 7, z / 7);
      let weight = coverage(shape, x, y, z, edgeMm, swell);
      if (weight <= 0) continue;
      if (inside.length > 0) {
        let host = 0;
        for (const other of inside) host = Math.max(host, coverage(other, x, y, z, edgeMm));
        weight = Math.min(weight, host);
      }
      if (bands !== null) weight = Math.min(weight, banded(bands, y, z, edgeMm));
      if (pores > 0 && noiseAt(texture.b, x / 3, y / 3, z / 3) < pores * 2 - 1) continue;
      if (weight <= 0) continue;
      let ink = plain;
      if (mode === 'cortex') ink = cortexInk(shape, x, y, z, texture, inks, edgeMm > FINE_EDGE_MM);
      else if (mode !== 'plain') ink = vesselInk(plain, mode, x, y, z, texture, inks);
      if (mottle > 0)
        ink += mottle * noiseAt(texture.b, x / MOTTLE_SCALE_MM, y / MOTTLE_SCALE_MM, z / MOTTLE_SCALE_MM);
      out[i]! += light * weight * ink;
      through[i] = light * (1 - weight);
    }
  }
}

/** Bands across the body that fall toward the front, as ribs do. */
function banded(bands: NonNullable<Shape['bands']>, y: number, z: number, edgeMm: number): number {
  const along = z - bands.slope * y;
  const phase = along - Math.floor(along / bands.pitchMm) * bands.pitchMm;
  return (bands.widthMm / 2 - Math.abs(phase - bands.pitchMm / 2)) / edgeMm + 0.5;
}
