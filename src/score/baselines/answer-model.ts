import type { Item, KeyEntry } from '../../domain/item.js';
import type { Outcome } from '../../domain/response.js';
import type { Rng } from '../../util/rng.js';

/** What a model gave for one item. */
export interface Reply {
  readonly answer: string | null;
  readonly evidence: readonly string[];
  readonly outcome: Outcome;
  /** The raw text, for models that write one. */
  readonly raw?: string;
}

/** What a model is made from: every item of the run and, for those that need it, the private key. */
export interface Corpus {
  readonly items: readonly Item[];
  /** null when the run has no key. */
  readonly key: readonly KeyEntry[] | null;
}

/** Something that answers items. */
export interface AnswerModel {
  /** As written into responses: `baseline/random`, `scripted/replies`. */
  readonly id: string;
  /** @param random - a stream of this model and this item alone, so that adding an item moves no other reply */
  answer(item: Item, random: Rng): Promise<Reply> | Reply;
}
