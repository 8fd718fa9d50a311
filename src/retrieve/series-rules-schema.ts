import { z } from 'zod';
import { isRegularExpression } from '../util/text.js';

const planes = z.array(z.enum(['axial', 'coronal', 'sagittal', 'oblique']));
const regularExpression = z.string().refine(isRegularExpression, 'not a regular expression');

const conditions = {
  modalities: z.array(z.string()).optional(),
  sopClassUids: z.array(z.string()).optional(),
  /** Any of these among the values of ImageType, in upper case. */
  imageTypeHas: z.array(z.string()).optional(),
  descriptionMatches: regularExpression.optional(),
  planes: planes.optional(),
  /** Each image is a Siemens mosaic. */
  mosaic: z.boolean().optional(),
  /** Several samples a pixel. */
  colour: z.boolean().optional(),
  /** A reformat that repeats one of a series before it. */
  repeat: z.boolean().optional(),
  /** Different images of it share a SOPInstanceUID. */
  sharedUid: z.boolean().optional(),
  /** Contrast phases of the series, by `phases`. */
  phases: z.array(z.string()).optional(),
  slicesBelow: z.number().int().positive().optional(),
  slicesAtLeast: z.number().int().positive().optional(),
  thicknessMmAtMost: z.number().positive().optional(),
  thicknessMmAbove: z.number().positive().optional(),
};
export type Conditions = z.infer<z.ZodObject<typeof conditions>>;

/** `data/series-rules.yaml`. Strict: an unknown key, a name that nothing defines or an id given twice is an error at load. */
export const seriesRulesSchema = z
  .strictObject({
    rules: z
      .array(
        z.strictObject({
          id: z.string(),
          when: z.strictObject(conditions),
          take: z.boolean(),
          reason: z.string(),
        }),
      )
      .min(1),
    /** How a series tells which part of the body it shows. */
    regions: z.array(
      z.strictObject({ region: z.string(), bodyParts: z.array(z.string()), words: regularExpression }),
    ),
    /** Regions of findings that any series may show. */
    anyRegion: z.array(z.string()),
    /** How a description tells the contrast phase; the first that fits. */
    phases: z.array(z.strictObject({ phase: z.string(), words: regularExpression })),
    /** The phase of a series that names a contrast agent and whose description tells none. */
    phaseWithAgent: z.string(),
    /** What ContrastBolusAgent says when there was none. */
    noAgent: regularExpression,
    preferences: z.array(
      z.strictObject({
        id: z.string(),
        ...conditions,
        concepts: z.array(z.string()).optional(),
        conceptsNot: z.array(z.string()).optional(),
        /** The series says that it shows other parts of the body than the finding's. */
        otherRegion: z.literal(true).optional(),
        weight: z.number().default(0),
        exclude: z.boolean().default(false),
      }),
    ),
  })
  .superRefine((rules, context) => {
    const unknown = (kind: string, known: readonly string[], used: readonly Named[]): void => {
      for (const { name, path } of used) {
        if (known.includes(name)) continue;
        const message = `no ${kind} is called ${name} (known: ${known.join(', ')})`;
        context.addIssue({ code: 'custom', message, path: [...path] });
      }
    };
    const phases = rules.phases.map(({ phase }) => phase);
    unknown('phase', phases, [
      ...rules.rules.flatMap(({ when }, i) => named(when.phases, ['rules', i, 'when', 'phases'])),
      ...rules.preferences.flatMap((one, i) => named(one.phases, ['preferences', i, 'phases'])),
      { name: rules.phaseWithAgent, path: ['phaseWithAgent'] },
    ]);
    const regions = rules.regions.map(({ region }) => region);
    unknown('region', regions, named(rules.anyRegion, ['anyRegion']));
    for (const list of ['rules', 'preferences'] as const) {
      rules[list].forEach(({ id }, i) => {
        if (rules[list].findIndex((other) => other.id === id) === i) return;
        context.addIssue({ code: 'custom', message: `${id} is there twice`, path: [list, i, 'id'] });
      });
    }
  });
export type SeriesRules = z.infer<typeof seriesRulesSchema>;

interface Named {
  readonly name: string;
  readonly path: readonly (string | number)[];
}

function named(names: readonly string[] | undefined, path: readonly (string | number)[]): Named[] {
  return (names ?? []).map((name, i) => ({ name, path: [...path, i] }));
}
