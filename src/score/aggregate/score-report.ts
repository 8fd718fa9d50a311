import type { KeyEntry } from '../../domain/item.js';
import { SCHEMA_VERSION } from '../../domain/record.js';
import type { ItemScore, ScoreReport } from '../../domain/score.js';
import { rng } from '../../util/rng.js';
import { drawClusters, numberClusters } from '../../util/stats.js';
import { FIRST_EPOCH, matchResponses, type ModelResponses, type PlacedResponse } from '../match-responses.js';
import { scoreItem } from '../../domain/protocol/index.js';
import { chanceScores } from './chance.js';
import { comparePairs } from './compare.js';
import { scoreModel, type ScoredModel } from './score-model.js';

const BOOTSTRAP_DRAWS = 2000;

/**
 * Scores of every model on every item of the key. CONTRACT.md `score --out`.
 *
 * Every item is in every denominator; with several epochs an item counts by the share of them that passed, and an
 * epoch that one item has and another lacks is a missing reply there.
 *
 * @param seed - of the bootstrap
 * @throws {GroundmarkError} `duplicate-response`, `no-reference`
 */
export function scoreResponses(
  key: readonly KeyEntry[],
  responses: readonly PlacedResponse[],
  seed: number,
): ScoreReport {
  const { models, ignored } = matchResponses(key, responses);
  const { ids, count } = numberClusters(key.map((entry) => entry.caseGroup));
  const draws = drawClusters(count, BOOTSTRAP_DRAWS, rng(seed, 'score', 'bootstrap'));
  const scored = models.map((model) => scoreReplies(model, key));
  return {
    schemaVersion: SCHEMA_VERSION,
    models: scored.map((model) => scoreModel(model, key, { ids, draws })),
    chance: chanceScores(key),
    pairs: comparePairs(scored, ids),
    items: scored.flatMap((model) => model.replies.flat()),
    ignored: [...ignored],
  };
}

function scoreReplies(responses: ModelResponses, key: readonly KeyEntry[]): ScoredModel {
  const { model, epochs } = responses;
  const isRepeated = epochs.length > 1 || epochs[0] !== FIRST_EPOCH;
  const replies = key.map((entry) =>
    epochs.map((epoch): ItemScore => ({
      id: entry.id,
      model,
      ...(isRepeated ? { epoch } : {}),
      ...scoreItem(entry, responses.get(entry.id, epoch)),
    })),
  );
  return { model, epochs, replies };
}
