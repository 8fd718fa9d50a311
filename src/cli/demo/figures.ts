import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { readJsonl } from '../../adapters/store/index.js';
import { plantedAgreement, plantedSchema, type PlantedAgreement } from '../../demo/index.js';
import { evidenceSchema } from '../../domain/evidence.js';
import { targetSchema } from '../../domain/finding.js';
import { indexRowSchema } from '../../domain/index-row.js';
import {
  itemSchema,
  keyEntrySchema,
  LETTERS,
  splitsFileSchema,
  type Item,
  type KeyEntry,
} from '../../domain/item.js';
import type { ScoreReport } from '../../domain/score.js';
import { namesModality } from '../../mcq/index.js';
import { acceptableImages, type ReportFigure } from '../../score/index.js';
import { words } from '../../util/text.js';
import type { Workspace } from '../workspace.js';

export interface DemoFacts {
  readonly items: readonly Item[];
  readonly key: readonly KeyEntry[];
  readonly agreement: PlantedAgreement;
  readonly figures: readonly ReportFigure[];
  readonly letters: Readonly<Record<string, number>>;
  readonly splits: Readonly<Record<string, number>>;
}

const MINIMUM_ITEMS = 40;
const AGREEMENT_BAR = 0.95;
const WORD_GAP_BAR = 0.15;

/** Holds a finished demo against what it planted and against the protocol. */
export async function demoFacts({ paths }: Workspace, scores: ScoreReport, deps: Deps): Promise<DemoFacts> {
  const { store } = deps;
  const [items, key, planted, targets, evidence, rows] = await Promise.all([
    readJsonl(store, paths.items, itemSchema),
    readJsonl(store, paths.key, keyEntrySchema),
    readJsonl(store, path.join(paths.root, 'planted.jsonl'), plantedSchema),
    readJsonl(store, paths.targets, targetSchema),
    readJsonl(store, paths.evidence, evidenceSchema),
    readJsonl(store, paths.index, indexRowSchema),
  ]);
  const splitsFile = splitsFileSchema.parse(JSON.parse((await store.read(paths.splits)).toString('utf8')));
  const agreement = plantedAgreement(planted, targets, evidence, rows);
  const letters = Object.fromEntries(
    LETTERS.map((letter) => [letter, key.filter(({ answer }) => answer === letter).length]),
  );
  const counts = Object.values(letters);
  const spread = Math.max(...counts) - Math.min(...counts);
  const gap = wordGap(items, key);
  const acceptable = key.reduce((n, entry) => n + acceptableComparisons(entry), 0);
  const twice = patientsInTwoSplits(splitsFile.groups);
  const named = items.filter(({ question }) => namesModality(question)).length;
  const oracle = scores.models.find(({ model }) => model === 'baseline/oracle');
  const share = agreement.share ?? 0;
  const figures: ReportFigure[] = [
    figure('Items', String(items.length), `at least ${MINIMUM_ITEMS}`, items.length >= MINIMUM_ITEMS),
    figure(
      'Targets whose every reference image is within 2 positions of the planted finding',
      `${(100 * share).toFixed(1)} % (${agreement.agreeing} of ${agreement.judged})`,
      `at least ${100 * AGREEMENT_BAR} %`,
      share >= AGREEMENT_BAR,
    ),
    figure('Comparison images that count as evidence', String(acceptable), '0', acceptable === 0),
    figure(
      'Comparison images on which the finding is planted',
      `${agreement.comparisonsOnFinding} of ${agreement.comparisons}`,
      'at most 1 %',
      agreement.comparisonsOnFinding <= 0.01 * agreement.comparisons,
    ),
    figure('Largest difference between letter counts', String(spread), 'at most 1', spread <= 1),
    figure('Patients in two splits', String(twice), '0', twice === 0),
    figure('Stems that name a modality', String(named), '0', named === 0),
    figure(
      'Mean words, key against distractors',
      gap.text,
      `differ by less than ${WORD_GAP_BAR}`,
      gap.value < WORD_GAP_BAR,
    ),
    randomFigure(scores),
    figure('baseline/oracle, joint', oracle?.joint.rate?.toFixed(3) ?? '–', '1', oracle?.joint.rate === 1),
  ];
  return { items, key, agreement, figures, letters, splits: splitsFile.counts };
}

function figure(name: string, value: string, bar: string, ok: boolean): ReportFigure {
  return { name, value, bar, ok };
}

function acceptableComparisons({ images }: KeyEntry): number {
  const acceptable = new Set(acceptableImages(images));
  return images.filter(({ id, role }) => role === 'comparison' && acceptable.has(id)).length;
}

function patientsInTwoSplits(
  groups: readonly { readonly patientId: string; readonly split: string }[],
): number {
  const seen = new Map<string, Set<string>>();
  for (const { patientId, split } of groups)
    seen.set(patientId, (seen.get(patientId) ?? new Set()).add(split));
  return [...seen.values()].filter((splits) => splits.size > 1).length;
}

function wordGap(
  items: readonly Item[],
  key: readonly KeyEntry[],
): { readonly value: number; readonly text: string } {
  const answers = new Map(key.map(({ id, answer }) => [id, answer]));
  const gold: number[] = [];
  const distractors: number[] = [];
  for (const { id, choices } of items) {
    for (const { letter, text } of choices)
      (answers.get(id) === letter ? gold : distractors).push(words(text).length);
  }
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return {
    value: Math.abs(mean(gold) - mean(distractors)),
    text: `${mean(gold).toFixed(3)} against ${mean(distractors).toFixed(3)}`,
  };
}

/** 99 %: three scores are looked at, and a sound guesser should not look broken on one seed in seven. */
function randomFigure({ models, chance, items }: ScoreReport): ReportFigure {
  const name = 'baseline/random within its exact 99 % chance interval';
  const random = models.find(({ model }) => model === 'baseline/random');
  const parts = (['answer', 'evidence', 'joint'] as const).map((metric) => {
    const passes = items.filter((item) => item.model === 'baseline/random' && item[metric]).length;
    const [low, high] = chance.randomInterval[metric].passes99;
    return { text: `${metric} ${passes} in ${low}–${high}`, ok: passes >= low && passes <= high };
  });
  const ok = random !== undefined && parts.every((part) => part.ok);
  return figure(name, parts.map(({ text }) => text).join(', '), 'inside, all three', ok);
}
