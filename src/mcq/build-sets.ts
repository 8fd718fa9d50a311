import type { Target } from '../domain/finding.js';
import type { Axis, AxisKind } from './axis.js';
import { checkSet } from './check-set.js';
import type { ContrastSet } from './contrast-set-record.js';
import { isGivenAway, runGates, selectionCost, type TextGate } from './gates.js';
import type { ContrastSetGenerator } from './generator.js';
import { mapSupported, type MappedSet } from './map-supported.js';
import type { QuestionData } from './question-data.js';
import { supportedValue, type Support } from './supported-value.js';
import type { SetValidator } from './validate-set.js';
import { writeStem } from './write-stem.js';

export interface BuildSetsOptions {
  readonly generator: ContrastSetGenerator;
  readonly validator: SetValidator;
  readonly gates: readonly TextGate[];
  /** Sets that should pass the checks of one target. */
  readonly sets: number;
  readonly selection: 'hardest' | 'nearest-chance';
}

export interface BuiltSets {
  readonly axes: readonly { readonly axisId: string; readonly unusable: string | null }[];
  /** Every set that was looked at, in order. */
  readonly sets: readonly ContrastSet[];
  /** Indices of accepted sets, the best first; [] when there is none. */
  readonly ranked: readonly number[];
}

/** Sets drawn blind on one axis: enough that most values meet, few enough to stay quick. */
const PROPOSALS = 400;
/** Sets of one target that are looked at before giving up, for each one wanted. */
const LOOKS_PER_SET = 10;

/**
 * The contrast sets of one target: drawn blind, mapped, checked, validated, gated and ranked. The predefined fallback
 * axes are tried only when no other set is accepted.
 *
 * @param seed - private to the target
 */
export async function buildSets(
  target: Target,
  caseTargets: readonly Target[],
  data: QuestionData,
  options: BuildSetsOptions,
  seed: string,
): Promise<BuiltSets> {
  const meant = data.axes.filter((axis) => axis.concepts.includes(target.finding.concept));
  const supports = meant.map((axis) => ({
    axis,
    support: supportedValue(target, axis, caseTargets, data.categories),
  }));
  const axes = supports.map(({ axis, support }) => ({
    axisId: axis.id,
    unusable: support.usable ? null : support.reason,
  }));
  const sets: ContrastSet[] = [];
  for (const fallback of [false, true]) {
    const usable = supports.filter(({ axis, support }) => axis.fallback === fallback && support.usable);
    const first = sets.length;
    for (const mapped of await drawSets(usable, options, seed)) {
      if (sets.slice(first).filter(isClean).length >= options.sets) break;
      sets.push(await examine(mapped, target, data, options, seed));
    }
    const ranked = sets
      .map((set, i) => ({ set, i }))
      .filter(({ set, i }) => i >= first && set.accepted)
      .map(({ set, i }) => ({ i, cost: selectionCost(set.trials, options.selection) }))
      .sort((a, b) => a.cost - b.cost || a.i - b.i)
      .map(({ i }) => i);
    if (ranked.length > 0) return { axes, sets, ranked };
  }
  return { axes, sets, ranked: [] };
}

/** Kinds of axis, the one that a report settles best first. */
const KIND_ORDER: readonly AxisKind[] = ['location', 'pattern', 'relationship', 'extent'];

/** Mapped sets of all usable axes by turns. */
async function drawSets(
  usable: readonly { readonly axis: Axis; readonly support: Support }[],
  { generator, sets }: BuildSetsOptions,
  seed: string,
): Promise<MappedSet[]> {
  const perAxis: MappedSet[][] = [];
  const ordered = [...usable].sort(
    (a, b) => KIND_ORDER.indexOf(a.axis.axis) - KIND_ORDER.indexOf(b.axis.axis),
  );
  for (const { axis, support } of ordered) {
    if (!support.usable) continue;
    perAxis.push(mapSupported(axis, await generator.propose(axis, PROPOSALS, seed), support));
  }
  const turns: MappedSet[] = [];
  for (let turn = 0; perAxis.some((mapped) => turn < mapped.length); turn++) {
    turns.push(...perAxis.flatMap((mapped) => mapped.slice(turn, turn + 1)));
  }
  return turns.slice(0, sets * LOOKS_PER_SET);
}

async function examine(
  mapped: MappedSet,
  target: Target,
  data: QuestionData,
  { validator, gates }: BuildSetsOptions,
  seed: string,
): Promise<ContrastSet> {
  const { axis, values } = mapped;
  const stem = writeStem(axis, target.finding.concept, data, seed);
  const choices = values.map(({ text }) => text);
  const supported = values.indexOf(mapped.supported);
  const privateTexts = [target.sentence.text, target.finding.text];
  const failures = checkSet({ stem, choices, supported, privateTexts });
  const validation = await validator.validate(mapped, target);
  const clean = failures.length === 0 && validation.ok;
  const trials = clean
    ? await runGates(gates, { stem, choices, supported }, `${seed}:${values.map(({ id }) => id).join('|')}`)
    : [];
  return {
    axisId: axis.id,
    axis: axis.axis,
    fallback: axis.fallback,
    stem,
    choices: values.map(({ id, text }) => ({ valueId: id, text })),
    supported,
    failures,
    validation: { ...validation, supported: [...validation.supported] },
    trials,
    accepted: clean && !isGivenAway(trials),
  };
}

function isClean(set: ContrastSet): boolean {
  return set.failures.length === 0 && set.validation.ok;
}
