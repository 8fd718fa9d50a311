import { rng } from '../util/rng.js';
import type { Axis } from './axis.js';
import type { QuestionData } from './question-data.js';

/** One neutral question: a stem of the axis, chosen by the seed, that names the finding's category and no more. */
export function writeStem(axis: Axis, concept: string, data: QuestionData, seed: string): string {
  const random = rng(seed, 'stem', axis.id);
  const variants = data.stems[random.pick(axis.stems)]!;
  const category = (data.categories[concept] ?? data.categories.other)?.text ?? 'abnormality';
  return random.pick(variants).replace('{finding}', category);
}
