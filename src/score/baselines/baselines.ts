import { EXIT, GroundmarkError } from '../../domain/error.js';
import { LETTERS, type Item, type KeyEntry, type Letter } from '../../domain/item.js';
import type { Rng } from '../../util/rng.js';
import { SELECTION_MAX } from '../../domain/protocol/index.js';
import type { AnswerModel, Corpus, Reply } from './answer-model.js';
import { pickEvidence } from './pick-evidence.js';
import { centralityScores, lengthScores, similarityScores, type ChoiceScores } from './text-scores.js';

interface Baseline {
  /** One sentence for the report. */
  readonly explanation: string;
  readonly needsKey: boolean;
  make(corpus: Corpus): (item: Item, random: Rng) => Reply;
}

const RANDOM_IMAGES = 'names one to three images at random';

/** Every built-in baseline, by name. Those that look at text alone pick their images at random, as `random` does. */
export const BASELINES: Readonly<Record<string, Baseline>> = {
  'baseline/random': {
    explanation: `takes any letter and ${RANDOM_IMAGES}`,
    needsKey: false,
    make: () => (item, random) => reply(random.pick(LETTERS), pickEvidence(item, random)),
  },
  'baseline/longest': {
    explanation: `takes the choice with the most characters and ${RANDOM_IMAGES}`,
    needsKey: false,
    make: () => byText(lengthScores),
  },
  'baseline/most-similar': {
    explanation: `takes the choice whose words are most like the question’s (TF-IDF cosine) and ${RANDOM_IMAGES}`,
    needsKey: false,
    make: ({ items }) => byText(similarityScores(items)),
  },
  'baseline/most-central': {
    explanation: `takes the choice whose words are most like the other choices’ (TF-IDF cosine) and ${RANDOM_IMAGES}`,
    needsKey: false,
    make: ({ items }) => byText(centralityScores(items)),
  },
  'baseline/majority-letter': {
    explanation: `always takes the letter that is right most often in the development split (read from the private key) and ${RANDOM_IMAGES}`,
    needsKey: true,
    make: ({ items, key }) => {
      const letter = majorityLetter(items, key!);
      return (item, random) => reply(letter, pickEvidence(item, random));
    },
  },
  'baseline/oracle': {
    explanation: 'reads the private key and must score 100 %: a check of the scorer, not a competitor',
    needsKey: true,
    make: ({ key }) => {
      const byId = new Map(key!.map((entry) => [entry.id, entry]));
      return (item) => oracleReply(byId.get(item.id));
    },
  },
};

/**
 * A built-in baseline, ready to answer.
 *
 * @throws {GroundmarkError} `needs-key` when it reads the key and the run has none; `no-dev-items`
 */
export function makeBaseline(id: string, corpus: Corpus): AnswerModel {
  const baseline = BASELINES[id]!;
  if (baseline.needsKey && corpus.key === null) {
    throw new GroundmarkError(
      'needs-key',
      `${id} reads the private key, and this run has none. Name it with --key key.jsonl, or leave the model out.`,
      { model: id },
      { exit: EXIT.usage },
    );
  }
  return { id, answer: baseline.make(corpus) };
}

function reply(answer: Letter, evidence: readonly string[]): Reply {
  return { answer, evidence, outcome: 'ok' };
}

/** Of several greatest choices one is taken at random, so that no position is favoured. */
function byText(scores: ChoiceScores): (item: Item, random: Rng) => Reply {
  return (item, random) => {
    const values = scores(item);
    const greatest = Math.max(...values);
    const tied = item.choices.filter((_, i) => values[i]! >= greatest - 1e-9);
    return reply(random.pick(tied).letter, pickEvidence(item, random));
  };
}

/** The most frequent key letter of the dev split; the first in A–E when several are. */
function majorityLetter(items: readonly Item[], key: readonly KeyEntry[]): Letter {
  const dev = new Set(items.filter((item) => item.split === 'dev').map((item) => item.id));
  const answers = key.filter((entry) => dev.has(entry.id)).map((entry) => entry.answer);
  if (answers.length === 0) {
    throw new GroundmarkError(
      'no-dev-items',
      `baseline/majority-letter needs items of the dev split with a key, and there are none. Leave the model out.`,
      { model: 'baseline/majority-letter', devItems: dev.size },
    );
  }
  const count = (letter: Letter): number => answers.filter((answer) => answer === letter).length;
  return LETTERS.reduce((best, letter) => (count(letter) > count(best) ? letter : best));
}

/** An item that the key lacks has no right answer to give. */
function oracleReply(entry: KeyEntry | undefined): Reply {
  if (entry === undefined) return { answer: null, evidence: [], outcome: 'missing' };
  const references = entry.images.filter((image) => image.role === 'reference');
  return reply(
    entry.answer,
    references.slice(0, SELECTION_MAX).map((image) => image.id),
  );
}
