import type { KeyEntry } from '../../domain/item.js';
import { outcomes, type Outcome } from '../../domain/response.js';
import {
  metrics,
  type Cells,
  type ClusteredRate,
  type ItemScore,
  type Metric,
  type ModelScore,
  type Rate,
  type SlicedRates,
} from '../../domain/score.js';
import {
  bootstrapInterval,
  clusteredStandardError,
  mean,
  wilsonInterval,
  type ClusterDraw,
} from '../../util/stats.js';
import { isScorable } from '../../domain/protocol/index.js';

/** One model's replies scored, key order, all epochs of an item together. */
export interface ScoredModel {
  readonly model: string;
  readonly epochs: readonly number[];
  readonly replies: readonly (readonly ItemScore[])[];
}

/** The case cluster of each key entry and the bootstrap draws, shared by all models. */
export interface Clustering {
  readonly ids: readonly number[];
  readonly draws: readonly ClusterDraw[];
}

/** For each item the share of its epochs that passed. */
export function itemMeans(scored: ScoredModel, metric: Metric): number[] {
  return scored.replies.map((epochs) => mean(epochs.map((reply) => Number(reply[metric])))!);
}

/** The headline, the cells and the slices of one model. */
export function scoreModel(
  scored: ScoredModel,
  key: readonly KeyEntry[],
  clustering: Clustering,
): ModelScore {
  const means = Object.fromEntries(metrics.map((metric) => [metric, itemMeans(scored, metric)])) as Record<
    Metric,
    number[]
  >;
  const replies = scored.replies.flat();
  const answered = replies.filter((reply) => isScorable(reply.outcome));
  const all = key.map((_, i) => i);
  return {
    model: scored.model,
    n: key.length,
    epochs: scored.epochs.length,
    answer: clusteredRate(means.answer, clustering),
    evidence: clusteredRate(means.evidence, clustering),
    joint: clusteredRate(means.joint, clustering),
    answeredOnly: {
      n: answered.length,
      answer: rateOf(answered.map((reply) => Number(reply.answer))),
      evidence: rateOf(answered.map((reply) => Number(reply.evidence))),
      joint: rateOf(answered.map((reply) => Number(reply.joint))),
    },
    cells: cellsOf(replies, scored.epochs.length),
    outcomes: countOutcomes(replies),
    byStratum: byStratum(key, (rows) => slice(means, rows), all),
  };
}

/** A rate and its Wilson interval; all null of nothing. */
export function rateOf(values: readonly number[]): Rate {
  const rate = mean(values);
  if (rate === null) return { rate, ci95: null };
  return { rate, ci95: pair(wilsonInterval(rate * values.length, values.length)) };
}

function clusteredRate(values: readonly number[], { ids, draws }: Clustering): ClusteredRate {
  return {
    ...rateOf(values),
    clusteredSe: clusteredStandardError(values, ids),
    bootstrap95: pair(bootstrapInterval(values, ids, draws)),
  };
}

function pair(interval: readonly [number, number] | null): [number, number] | null {
  return interval === null ? null : [interval[0], interval[1]];
}

function cellsOf(replies: readonly ItemScore[], epochs: number): Cells {
  const count = (answer: boolean, evidence: boolean): number =>
    replies.filter((reply) => reply.answer === answer && reply.evidence === evidence).length / epochs;
  return {
    both: count(true, true),
    answerOnly: count(true, false),
    evidenceOnly: count(false, true),
    neither: count(false, false),
  };
}

function countOutcomes(replies: readonly ItemScore[]): Record<Outcome, number> {
  return Object.fromEntries(
    outcomes.map((outcome) => [outcome, replies.filter((reply) => reply.outcome === outcome).length]),
  ) as Record<Outcome, number>;
}

function slice(means: Readonly<Record<Metric, readonly number[]>>, rows: readonly number[]): SlicedRates {
  const pick = (metric: Metric): Rate => rateOf(rows.map((row) => means[metric][row]!));
  return { n: rows.length, answer: pick('answer'), evidence: pick('evidence'), joint: pick('joint') };
}

/** Stratum names and values in plain order; an item that lacks a stratum is in none of its values. */
function byStratum(
  key: readonly KeyEntry[],
  of: (rows: readonly number[]) => SlicedRates,
  all: readonly number[],
): ModelScore['byStratum'] {
  const names = [...new Set(key.flatMap((entry) => Object.keys(entry.strata)))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const values = [...new Set(key.flatMap((entry) => entry.strata[name] ?? []))].sort();
      return [
        name,
        Object.fromEntries(
          values.map((value) => [value, of(all.filter((row) => key[row]!.strata[name] === value))]),
        ),
      ];
    }),
  );
}
