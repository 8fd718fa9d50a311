import { rng } from '../util/rng.js';
import type { AnatomyRecipe, Plant, ShapeRecipe, Site, Tissue } from './recipe.js';
import { shapesOf, type Shape } from './shape.js';

type Point = [number, number, number];
export type Side = 'left' | 'right' | 'bilateral' | null;

/** A finding to paint. */
export interface PlantedShape {
  readonly id: string;
  readonly side: Side;
  readonly plant: Plant;
}

/** Shapes in the order of painting; `finding` names the planted finding that a shape belongs to. */
export interface PaintStep {
  readonly shape: Shape;
  readonly finding: string | null;
}

/**
 * A patient's anatomy with the findings in place. A finding that fills or stays inside a shape comes right after it,
 * so that later organs cover it as they would; any other comes last.
 *
 * @param seed - moves the small spots of a `spots` finding
 */
export function buildAnatomy(
  recipe: AnatomyRecipe,
  tissues: Readonly<Record<string, Tissue>>,
  findings: readonly PlantedShape[],
  seed: number | string,
): PaintStep[] {
  const steps: PaintStep[] = [];
  const painted: Shape[] = [];
  const last: PaintStep[] = [];
  const pending = findings.flatMap((finding) =>
    sidesOf(finding.side).map((side) => {
      const site = recipe.sites[finding.plant.site]!;
      return { finding, side, site, host: hostOf(site, side) };
    }),
  );
  const add = (finding: PlantedShape, side: 'left' | 'right', site: Site, host: string | null): PaintStep[] =>
    findingRecipes(finding, side, site, host, recipe, seed).flatMap((shape) =>
      shapesOf(shape, tissues[shape.tissue]!, painted).map((made) => ({ shape: made, finding: finding.id })),
    );
  for (const shape of recipe.shapes) {
    const made = shapesOf(shape, tissues[shape.tissue]!, painted);
    painted.push(...made);
    steps.push(...made.map((one) => ({ shape: one, finding: null })));
    for (const { finding, side, site, host } of pending)
      if (host === shape.id) steps.push(...add(finding, side, site, host));
  }
  for (const { finding, side, site, host } of pending)
    if (host === null) last.push(...add(finding, side, site, null));
  return [...steps, ...last];
}

function sidesOf(side: Side): ('left' | 'right')[] {
  return side === 'bilateral' ? ['left', 'right'] : [side ?? 'left'];
}

/** The shape that a finding is painted right after, or null when it comes last. */
function hostOf(site: Site, side: 'left' | 'right'): string | null {
  if (site.fills) return site.fills[side === 'left' ? 0 : 1];
  if (site.in) return site.in[side === 'right' && site.in.length > 1 ? 1 : 0]!;
  return null;
}

/** The centre of a site on a side; a site with one side only is already there. */
export function siteCenter(site: Site, side: 'left' | 'right'): Point {
  if (site.side !== undefined || side === 'left') return [...site.center];
  return site.right ? [...site.right] : [-site.center[0], site.center[1], site.center[2]];
}

function findingRecipes(
  finding: PlantedShape,
  side: 'left' | 'right',
  site: Site,
  host: string | null,
  recipe: AnatomyRecipe,
  seed: number | string,
): ShapeRecipe[] {
  const { plant } = finding;
  const place = siteCenter(site, side);
  const mirrored = site.side === undefined && side === 'right' ? -1 : 1;
  const center: Point = [
    place[0] + mirrored * plant.offsetMm[0],
    place[1] + plant.offsetMm[1],
    place[2] + plant.offsetMm[2],
  ];
  const base: ShapeRecipe = {
    id: finding.id,
    tissue: plant.tissue,
    center,
    radii: plant.radiiMm,
    tube: false,
    mirror: false,
    within: {},
    inside: host !== null && site.in ? [host] : site.inside,
    cortex: false,
    pores: 0,
    rough: plant.rough,
  };
  switch (plant.form) {
    case 'blob':
      return [base];
    case 'fill': {
      const cavity = recipe.shapes.find((shape) => shape.id === host)!;
      return [{ ...cavity, id: finding.id, tissue: plant.tissue }];
    }
    case 'layer':
      // A fluid level: flat on the front, the shape of its cavity behind.
      return [
        {
          ...base,
          radii: [plant.radiiMm[0] * 1.5, plant.radiiMm[1] * 1.5, plant.radiiMm[2] * 1.5],
          within: {
            y: [center[1] - plant.radiiMm[1] * 0.35, 400],
            z: [center[2] - plant.radiiMm[2], center[2] + plant.radiiMm[2]],
          },
        },
      ];
    case 'spots':
      return spots(base, finding.id, seed);
  }
}

/** Seven small bodies inside the extent of one. */
function spots(base: ShapeRecipe, id: string, seed: number | string): ShapeRecipe[] {
  const random = rng(seed, 'spots', id, base.center[0] < 0 ? 'right' : 'left');
  return Array.from({ length: 7 }, (_, i) => {
    const turn = (i / 7) * 2 * Math.PI;
    const reach = 0.45 + 0.45 * random.next();
    const radius = 3.4 + 1.8 * random.next();
    const lift = (random.next() * 2 - 1) * Math.max(0, base.radii[2] - radius);
    return {
      ...base,
      center: [
        base.center[0] + Math.cos(turn) * reach * base.radii[0],
        base.center[1] + Math.sin(turn) * reach * base.radii[1],
        base.center[2] + lift,
      ],
      radii: [radius, radius * (1 + 0.5 * random.next()), radius],
    };
  });
}
