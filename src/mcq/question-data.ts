import { z } from 'zod';
import { dataPath, readDataYaml, type Store } from '../adapters/store/index.js';
import { GroundmarkError } from '../domain/error.js';
import { expandAxes, axisFileSchema, type Axis } from './axis.js';

const stemsFileSchema = z.strictObject({ stems: z.record(z.string(), z.array(z.string().min(1)).min(1)) });
const categoriesFileSchema = z.strictObject({
  categories: z.record(
    z.string(),
    z.strictObject({
      /** How a stem names the finding. */
      text: z.string().min(1),
      /** Findings of one family look alike. */
      family: z.string().min(1).optional(),
    }),
  ),
});

export type Stems = z.infer<typeof stemsFileSchema>['stems'];
export type Categories = z.infer<typeof categoriesFileSchema>['categories'];

/** What questions are made of: value sets, stems, category words. */
export interface QuestionData {
  readonly axes: readonly Axis[];
  readonly stems: Stems;
  readonly categories: Categories;
}

/**
 * Every file of `data/axes` and `data/questions`, checked whole; axes in order of file name and place.
 *
 * @throws {GroundmarkError} `bad-data-file` or `bad-axis` naming file and key
 */
export async function loadQuestionData(store: Pick<Store, 'list'>): Promise<QuestionData> {
  const names = (await store.list(dataPath('axes'))).filter((name) => name.endsWith('.yaml'));
  const axes: Axis[] = [];
  for (const name of names) {
    axes.push(...expandAxes(await readDataYaml(`axes/${name}`, axisFileSchema), `data/axes/${name}`));
  }
  const { stems } = await readDataYaml('questions/stems.yaml', stemsFileSchema);
  const { categories } = await readDataYaml('questions/categories.yaml', categoriesFileSchema);
  const seen = new Set<string>();
  for (const axis of axes) {
    if (seen.has(axis.id)) {
      throw new GroundmarkError('bad-axis', `data/axes: two axes are called ${axis.id}. Rename one.`, {
        axis: axis.id,
      });
    }
    seen.add(axis.id);
    const missing =
      axis.stems.find((stem) => !(stem in stems)) ?? axis.concepts.find((id) => !(id in categories));
    if (missing !== undefined) {
      throw new GroundmarkError(
        'bad-axis',
        `data/axes, axis ${axis.id}: ${missing} is neither a stem nor a category of data/questions.`,
        { axis: axis.id, missing },
      );
    }
  }
  return { axes, stems, categories };
}
