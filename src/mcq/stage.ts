import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { readJsonl, writeJsonl, type WorkspacePaths } from '../adapters/store/index.js';
import type { Case, Config } from '../domain/config.js';
import { GroundmarkError } from '../domain/error.js';
import { evidenceSchema } from '../domain/evidence.js';
import { targetSchema } from '../domain/finding.js';
import { indexRowSchema } from '../domain/index-row.js';
import { LETTERS, type Letter, type SplitsFile } from '../domain/item.js';
import { balanceLabels } from './balance-labels.js';
import { WORD_GAP_MAX, type MeanWords } from './balance-words.js';
import { chooseSets } from './choose-sets.js';
import { contrastSetRecord } from './contrast-set-record.js';
import { privateKey, publicItem, type DraftItem } from './draft-item.js';
import { gatesNamed } from './gates.js';
import { generatorNamed } from './generator.js';
import { prepareItems, type Prepared } from './prepare-items.js';
import { loadQuestionData } from './question-data.js';
import { publicImages, type PublicImage, type Render, type RenderedImage } from './render-images.js';
import { splitCases } from './split-cases.js';
import { validatorNamed } from './validate-set.js';
import { wordingPass } from './wording-pass.js';

export interface McqInput {
  readonly paths: WorkspacePaths;
  readonly cases: readonly Case[];
  readonly questions: Config['questions'];
  readonly splits: Config['splits'];
  /** The workspace's secret: opaque ids, orders and letters come from it, never from the public seed. */
  readonly secret: string;
  readonly render: Render;
}

export interface McqSummary {
  readonly items: number;
  /** Kept targets that gave no item, by reason. */
  readonly dropped: Readonly<Record<string, number>>;
  readonly labels: Readonly<Record<Letter, number>>;
  /** Mean words of a choice. */
  readonly words: MeanWords;
  /** Stems that the wording pass changed. */
  readonly wordingChanged: number;
  /** Items whose set is a predefined fallback. */
  readonly fallbacks: number;
  readonly splits: SplitsFile['counts'];
}

/**
 * Turns targets with evidence into items: contrast sets, images, letters, splits. Writes items, key, splits, contrast
 * sets and images; every kept target is an item or is counted under its reason.
 */
export async function runMcq(input: McqInput, deps: Deps): Promise<McqSummary> {
  const { paths, questions, secret } = input;
  const { store } = deps;
  const options = {
    generator: generatorNamed(questions.generator),
    validator: validatorNamed(questions.validator),
    gates: gatesNamed(questions.gates),
    sets: questions.sets,
    selection: questions.selection,
  };
  const data = await loadQuestionData(store);
  const index = await readJsonl(store, paths.index, indexRowSchema);
  const prepared = await prepareItems({
    targets: await readJsonl(store, paths.targets, targetSchema),
    evidence: await readJsonl(store, paths.evidence, evidenceSchema),
    index,
    caseIds: new Set(input.cases.map(({ caseId }) => caseId)),
    data,
    options,
    secret,
  });
  const drafts = await drawItems(prepared, input, deps);

  const choices = chooseSets(drafts.map(({ built }) => built));
  const { words } = choices;
  const sets = drafts.map(({ built }, i) => built.sets[choices.selected[i]!]!);
  if (Math.abs(words.gold - words.distractor) >= WORD_GAP_MAX) {
    deps.log.warn(
      `Gold choices have ${words.gold.toFixed(2)} words and distractors ${words.distractor.toFixed(2)}: no other set ` +
        `closes the gap. Raise questions.sets.`,
    );
  }
  const stems = wordingPass(sets.map(({ stem }) => stem));
  const letters = balanceLabels(
    drafts.map(({ id }) => id),
    secret,
  );
  const splitting = splitCases(drafts, index, input, deps.seed);

  const decisions = drafts.map((draft, i) => ({
    set: sets[i]!,
    question: stems.stems[i]!,
    answer: letters.get(draft.id)!,
    ...splitting.ofCase.get(draft.target.caseId)!,
    secret,
  }));
  await writeJsonl(
    store,
    paths.items,
    drafts.map((draft, i) => publicItem(draft, decisions[i]!)),
  );
  await writeJsonl(
    store,
    paths.key,
    drafts.map((draft, i) => privateKey(draft, decisions[i]!)),
  );
  await store.write(paths.splits, `${JSON.stringify(splitting.file, null, 2)}\n`);
  const chosenSets = new Map(drafts.map(({ id }, i) => [id, choices.selected[i]!]));
  await writeJsonl(
    store,
    paths.contrastSets,
    prepared.map((one) =>
      contrastSetRecord(one, options.generator.name, chosenSets.get(one.itemId) ?? null, letters),
    ),
  );
  const dropped = countBy(prepared.flatMap((one) => (one.dropped === null ? [] : [one.dropped])));
  const answers = [...letters.values()];
  return {
    items: drafts.length,
    dropped,
    labels: Object.fromEntries(
      LETTERS.map((letter) => [letter, answers.filter((answer) => answer === letter).length]),
    ) as Record<Letter, number>,
    words,
    wordingChanged: stems.changed,
    fallbacks: sets.filter(({ fallback }) => fallback).length,
    splits: splitting.file.counts,
  };
}

/** Draws the images of every item and writes them at once; a target that cannot be drawn is dropped with its reason. */
async function drawItems(prepared: readonly Prepared[], input: McqInput, deps: Deps): Promise<DraftItem[]> {
  await deps.store.remove(input.paths.itemImages);
  const open = prepared.filter((one) => one.dropped === null);
  const progress = deps.progress.start('Items', open.length);
  const drafts: DraftItem[] = [];
  for (const one of open) {
    deps.signal.throwIfAborted();
    const images = await drawImages(one, input.render, deps);
    if (typeof images === 'string') one.dropped = images;
    else {
      for (const { id, png } of images) {
        await deps.store.write(path.join(input.paths.itemImages, one.itemId, `${id}.png`), png);
      }
      drafts.push({
        id: one.itemId,
        target: one.target,
        built: one.built,
        chosen: one.chosen,
        images: images.map(({ png: _, ...image }) => image),
      });
    }
    progress.tick();
  }
  progress.done();
  return drafts;
}

/** The images of one item, or the reason why it has none. */
async function drawImages(
  { chosen, target }: Prepared,
  render: Render,
  deps: Deps,
): Promise<PublicImage[] | 'render-failed' | 'identical-images'> {
  let rendered: RenderedImage[];
  try {
    const rows = chosen.map(({ row }) => row);
    rendered = await render(rows, target.region, target.finding.concept);
  } catch (error) {
    // One unreadable slice drops one item; anything but a GroundmarkError is a bug and stops the run.
    if (deps.signal.aborted || !(error instanceof GroundmarkError)) throw error;
    return 'render-failed';
  }
  return publicImages(chosen, rendered) ?? 'identical-images';
}

function countBy(reasons: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const reason of [...reasons].sort()) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}
