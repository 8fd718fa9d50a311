import type { Target } from '../domain/finding.js';
import { planeOf } from '../domain/geometry.js';
import type { KeyEntry, KeyImage, Item, Letter, Split } from '../domain/item.js';
import { LETTERS } from '../domain/item.js';
import { SCHEMA_VERSION } from '../domain/record.js';
import { opaqueId } from '../util/hash.js';
import { rng } from '../util/rng.js';
import type { BuiltSets } from './build-sets.js';
import type { ChosenImage } from './choose-images.js';
import type { ContrastSet } from './contrast-set-record.js';
import type { PublicImage } from './render-images.js';

/** An item before the corpus is known: its letter, its set and its split are still open. */
export interface DraftItem {
  readonly id: string;
  readonly target: Target;
  readonly built: BuiltSets;
  readonly chosen: readonly ChosenImage[];
  /** Without pixels: they are written as soon as they are drawn. */
  readonly images: readonly Omit<PublicImage, 'png'>[];
}

/** What the corpus decided for one item. */
export interface ItemDecisions {
  readonly set: ContrastSet;
  /** After the wording pass. */
  readonly question: string;
  readonly answer: Letter;
  readonly split: Split;
  /** The patient, or the smallest of several who share a study. */
  readonly patientId: string;
  readonly secret: string;
}

/** The public item. Distractors stand in an order of the secret's own. */
export function publicItem(draft: DraftItem, { set, question, answer, split, secret }: ItemDecisions): Item {
  const texts = set.choices.map(({ text }) => text);
  const distractors = rng(secret, 'distractors', draft.id).shuffle(
    texts.filter((_, i) => i !== set.supported),
  );
  const choices = LETTERS.map((letter) => ({
    letter,
    text: letter === answer ? texts[set.supported]! : distractors.pop()!,
  }));
  const images = draft.images.map(({ id, sha256, width, height }) => ({
    id,
    file: `images/${draft.id}/${id}.png`,
    sha256,
    width,
    height,
  }));
  return { schemaVersion: SCHEMA_VERSION, id: draft.id, question, choices, images, split };
}

/**
 * The private key entry. `series` is the slice's stack (volumeId), not the DICOM series, since positions count inside
 * one stack only.
 */
export function privateKey(
  draft: DraftItem,
  { set, answer, split, patientId, secret }: ItemDecisions,
): KeyEntry {
  const { finding, modality, region } = draft.target;
  const images: KeyImage[] = draft.chosen.map(({ slice, role }, i) => ({
    id: draft.images[i]!.id,
    series: opaqueId(secret, 'series', slice.volumeId),
    position: slice.position,
    role,
  }));
  const reference = draft.chosen.find(({ role }) => role === 'reference')!;
  return {
    schemaVersion: SCHEMA_VERSION,
    id: draft.id,
    answer,
    images,
    caseGroup: opaqueId(secret, 'patient', patientId),
    strata: {
      modality: modality ?? reference.row.modality ?? 'unknown',
      region: region ?? 'unknown',
      axis: set.axis,
      plane: planeOf(reference.row.imageOrientationPatient),
      concept: finding.concept,
      split,
    },
  };
}
