import { z } from 'zod';
import { readDataYaml } from '../adapters/store/index.js';
import { GroundmarkError } from '../domain/error.js';
import { lateralitySchema } from '../domain/finding.js';

const point = z.tuple([z.number(), z.number(), z.number()]);
const range = z.tuple([z.number(), z.number()]);

/** What a tissue measures; units in data/phantoms/tissues.yaml. */
const tissueSchema = z.strictObject({
  ct: z.number(),
  enhanced: z.number().optional(),
  t1: z.number(),
  t2: z.number(),
  flair: z.number(),
  pet: z.number(),
  mottle: z.number().default(1),
});
export type Tissue = z.infer<typeof tissueSchema>;
export const sampleKinds = ['ct', 't1', 't2', 'flair', 'pet'] as const;
export type SampleKind = (typeof sampleKinds)[number];

/** One painted body: an ellipsoid, or a tube along z. Millimetres, patient coordinates. */
const shapeSchema = z.strictObject({
  id: z.string(),
  tissue: z.string(),
  center: point,
  radii: point,
  tube: z.boolean().default(false),
  /** Painted at -x too. */
  mirror: z.boolean().default(false),
  turn: z.strictObject({ axis: z.enum(['x', 'y', 'z']), degrees: z.number() }).optional(),
  within: z.strictObject({ x: range.optional(), y: range.optional(), z: range.optional() }).default({}),
  /** Ids of shapes painted before; this one stays inside any of them. */
  inside: z.array(z.string()).default([]),
  bands: z
    .strictObject({ pitchMm: z.number().positive(), widthMm: z.number(), slope: z.number() })
    .optional(),
  /** Grey ribbon, white core, sulci. */
  cortex: z.boolean().default(false),
  /** Vessels run through it. */
  vessels: z.enum(['lung', 'mesentery']).optional(),
  /** Share of the volume that stays as it was. */
  pores: z.number().min(0).max(1).default(0),
  /** How lobulated the outline is, as a share of the radius. */
  rough: z.number().min(0).max(0.5).default(0),
});
export type ShapeRecipe = z.infer<typeof shapeSchema>;

const siteSchema = z.strictObject({
  center: point,
  right: point.optional(),
  side: z.enum(['left', 'right', 'none']).optional(),
  /** Cut to these shapes, and painted right after the side's one, under all later organs. */
  in: z.array(z.string()).optional(),
  /** Cut to any of these shapes, but painted last. */
  inside: z.array(z.string()).default([]),
  /** Takes the whole of a shape: the left side's, the right side's. */
  fills: z.tuple([z.string(), z.string()]).optional(),
});
export type Site = z.infer<typeof siteSchema>;

const anatomySchema = z.strictObject({
  shapes: z.array(shapeSchema).min(1),
  sites: z.record(z.string(), siteSchema),
});
export type AnatomyRecipe = z.infer<typeof anatomySchema>;

const stackSchema = z.strictObject({
  plane: z.enum(['axial', 'coronal', 'sagittal']),
  first: z.number(),
  spacing: z.number().positive(),
  count: z.number().int().positive(),
  tiltDegrees: z.number().default(0),
  /** A projection through so many mm (a scout), instead of a slice. */
  depthMm: z.number().positive().optional(),
});
export type StackRecipe = z.infer<typeof stackSchema>;

export const instanceOrders = ['ascending', 'descending', 'reversed', 'shuffled', 'restarted'] as const;
export type InstanceOrder = (typeof instanceOrders)[number];

const seriesSchema = z.strictObject({
  name: z.string(),
  number: z.number().int(),
  modality: z.enum(['CT', 'MR', 'PT']).optional(),
  description: z.string(),
  localizer: z.boolean().default(false),
  reformat: z.boolean().default(false),
  samples: z.enum(sampleKinds),
  matrix: z.number().int().min(32).max(512),
  fovMm: z.number().positive(),
  stacks: z.array(stackSchema).min(1),
  order: z.enum(instanceOrders),
  position: z.enum(['HFS', 'FFS']),
  kernel: z.string().optional(),
  sharp: z.boolean().default(false),
  grain: z.number().positive(),
  mottle: z.number().nonnegative(),
  edgeMm: z.number().positive(),
  window: range,
  rescale: range,
  unitsPerSuv: z.number().positive().optional(),
  mr: z
    .strictObject({
      sequence: z.enum(['SE', 'IR', 'GR']),
      repetitionTimeMs: z.number(),
      echoTimeMs: z.number(),
      inversionTimeMs: z.number().optional(),
      flipAngle: z.number(),
    })
    .optional(),
});
export type SeriesRecipe = z.infer<typeof seriesSchema>;

const studySchema = z.strictObject({
  anatomy: z.enum(['head', 'torso']),
  bodyPart: z.string(),
  description: z.string(),
  modality: z.enum(['CT', 'MR', 'PT']),
  contrast: z.boolean().default(false),
  center: point,
  series: z.array(seriesSchema).min(2),
});
export type StudyRecipe = z.infer<typeof studySchema>;

const sideSchema = lateralitySchema.nullable();

/** Where and how a finding is painted. */
const plantSchema = z.strictObject({
  site: z.string(),
  tissue: z.string(),
  /** blob: one body. spots: several small ones. layer: the part below a fluid level. fill: a whole air space. */
  form: z.enum(['blob', 'spots', 'layer', 'fill']),
  radiiMm: point.default([10, 10, 10]),
  rough: z.number().min(0).max(0.5).default(0),
  offsetMm: point.default([0, 0, 0]),
});
export type Plant = z.infer<typeof plantSchema>;

/** One sentence of a report's findings, and what it is in truth. */
const lineSchema = z.strictObject({
  say: z.string().min(1),
  kind: z.enum(['finding', 'normal', 'negated', 'uncertain', 'prior', 'measured']).default('normal'),
  id: z.string().optional(),
  /** For a measured line: the id of the finding line that it measures. */
  of: z.string().optional(),
  concept: z.string().optional(),
  anatomy: z.string().nullable().default(null),
  side: sideSchema.default(null),
  plant: plantSchema.optional(),
});
export type ReportLine = z.infer<typeof lineSchema>;

const caseSchema = z.strictObject({
  /** Patients are numbered from 1; two cases of one number are two studies of one patient. */
  patient: z.number().int().positive(),
  study: z.string(),
  layout: z.string(),
  indication: z.string(),
  comparison: z.string().default('None.'),
  lines: z.array(lineSchema).min(1),
  impression: z.array(z.string()).min(1),
});
export type CaseRecipe = z.infer<typeof caseSchema>;

const layoutSchema = z.strictObject({
  /** colon: "FINDINGS:" on a line; capitals: "FINDINGS"; run-in: everything in one paragraph. */
  headers: z.enum(['colon', 'capitals', 'run-in']),
  width: z.number().int().min(40),
  numberedImpression: z.boolean(),
});
export type Layout = z.infer<typeof layoutSchema>;

const reportsSchema = z.strictObject({
  layouts: z.record(z.string(), layoutSchema),
  studies: z.record(z.string(), z.strictObject({ exam: z.string(), technique: z.string() })),
});

/** All of data/phantoms. */
export interface Recipes {
  readonly tissues: Readonly<Record<string, Tissue>>;
  readonly anatomies: Readonly<Record<'head' | 'torso', AnatomyRecipe>>;
  readonly studies: Readonly<Record<string, StudyRecipe>>;
  readonly cases: readonly CaseRecipe[];
  readonly reports: z.infer<typeof reportsSchema>;
}

/**
 * The phantom recipes of data/phantoms, each file checked and the names between them resolved.
 *
 * @throws {GroundmarkError} `bad-data-file` naming file and key
 */
export async function loadRecipes(): Promise<Recipes> {
  const [tissues, head, torso, studies, cases, reports] = await Promise.all([
    readDataYaml('phantoms/tissues.yaml', z.record(z.string(), tissueSchema)),
    readDataYaml('phantoms/head.yaml', anatomySchema),
    readDataYaml('phantoms/torso.yaml', anatomySchema),
    readDataYaml('phantoms/studies.yaml', z.record(z.string(), studySchema)),
    readDataYaml('phantoms/cases.yaml', z.array(caseSchema)),
    readDataYaml('phantoms/reports.yaml', reportsSchema),
  ]);
  const recipes: Recipes = { tissues, anatomies: { head, torso }, studies, cases, reports };
  checkNames(recipes);
  return recipes;
}

/** Every name that one file takes from another is there, and no two findings of a case can be confused. */
export function checkNames(recipes: Recipes): void {
  const { tissues, anatomies, studies, cases, reports } = recipes;
  for (const name of ['head', 'torso'] as const) {
    const before = new Set<string>();
    for (const shape of anatomies[name].shapes) {
      const key = `shapes.${shape.id}`;
      need(
        shape.tissue in tissues,
        `phantoms/${name}.yaml`,
        key,
        `tissue ${shape.tissue} is not in tissues.yaml`,
      );
      for (const id of shape.inside)
        need(before.has(id), `phantoms/${name}.yaml`, key, `${id} is not painted before it`);
      before.add(shape.id);
    }
    for (const [id, site] of Object.entries(anatomies[name].sites)) {
      for (const host of [...(site.in ?? []), ...site.inside, ...(site.fills ?? [])])
        need(before.has(host), `phantoms/${name}.yaml`, `sites.${id}`, `shape ${host} does not exist`);
    }
  }
  cases.forEach((recipe, i) => {
    const at = (key: string): [string, string] => ['phantoms/cases.yaml', `${i}.${key}`];
    const study = studies[recipe.study];
    need(study !== undefined, ...at('study'), `study ${recipe.study} is not in studies.yaml`);
    need(recipe.study in reports.studies, ...at('study'), `study ${recipe.study} is not in reports.yaml`);
    need(recipe.layout in reports.layouts, ...at('layout'), `layout ${recipe.layout} is not in reports.yaml`);
    const seen = new Set<string>();
    recipe.lines.forEach((line, j) => {
      const key = `lines.${j}`;
      if (line.kind === 'measured')
        need(
          recipe.lines.some((l) => l.id !== undefined && l.id === line.of),
          ...at(key),
          'it measures no finding of this case',
        );
      if (line.kind !== 'finding') return;
      need(line.concept !== undefined, ...at(key), 'a finding needs a concept');
      need(line.plant !== undefined, ...at(key), 'a finding needs a plant');
      const { site, tissue } = line.plant!;
      need(
        site in anatomies[study!.anatomy].sites,
        ...at(key),
        `site ${site} is not in ${study!.anatomy}.yaml`,
      );
      need(tissue in tissues, ...at(key), `tissue ${tissue} is not in tissues.yaml`);
      const name = `${line.concept} ${line.side}`;
      need(!seen.has(name), ...at(key), 'another finding of this case has the same concept and side');
      seen.add(name);
    });
  });
}

function need(holds: boolean, file: string, key: string, what: string): void {
  if (!holds) throw new GroundmarkError('bad-data-file', `data/${file}, key ${key}: ${what}.`, { file, key });
}
