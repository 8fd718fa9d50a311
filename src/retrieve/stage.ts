import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { pickWindow, renderSheets, windowRulesSchema } from '../adapters/image/index.js';
import {
  keepStep,
  readDataYaml,
  readJsonl,
  writeJsonl,
  type WorkspacePaths,
} from '../adapters/store/index.js';
import type { ReviewerConfig } from '../domain/config.js';
import {
  nominationSchema,
  poolSchema,
  ratingSchema,
  type Evidence,
  type Nomination,
  type Pool,
  type Rating,
  type RatingValue,
} from '../domain/evidence.js';
import { targetSchema, type Target } from '../domain/finding.js';
import { indexRowSchema, type IndexRow } from '../domain/index-row.js';
import { seriesRecordSchema, sheetSchema, type SeriesRecord, type Sheet } from '../domain/retrieve.js';
import { rng } from '../util/rng.js';
import { buildPool } from './build-pools.js';
import { chooseComparisons } from './choose-comparisons.js';
import { chooseReferences, joinRatings } from './choose-references.js';
import {
  fileNominations,
  fileNominationSchema,
  fileRatings,
  fileRatingSchema,
  type Unused,
} from './file-reviewer.js';
import { planSheets } from './plan-sheets.js';
import { blind, type ImageReviewer } from './reviewer.js';
import { judgeSeries, rankVolumes, seriesRulesSchema, type SeriesRules } from './series-rules.js';
import { sliceKey, volumesOf, type CaseVolume } from './volumes.js';

export interface RetrieveInput {
  readonly paths: WorkspacePaths;
  readonly codeVersion: string;
}

export interface ReviewInput extends RetrieveInput {
  readonly reviewers: readonly ReviewerConfig[];
  /** Makes the reviewer that a configuration names; null for `file`, which is read from its files. */
  readonly makeReviewer: (config: ReviewerConfig) => ImageReviewer | null;
}

const TILE_SIZE = 256;

/** Judges every stack by the series rules (`retrieve/series.jsonl`). */
export async function runSeries(
  { paths }: RetrieveInput,
  deps: Deps,
): Promise<{ stacks: number; taken: number }> {
  const rules = await loadRules();
  const records = (await loadVolumes(paths, deps)).map((volume) => judgeSeries(volume, rules));
  await writeJsonl(deps.store, paths.series, records);
  return { stacks: records.length, taken: records.filter(({ taken }) => taken).length };
}

/** Draws the contact sheets of every taken stack, each with its sidecar. */
export async function runSheets(
  { paths }: RetrieveInput,
  deps: Deps,
): Promise<{ sheets: number; tiles: number }> {
  const windows = await readDataYaml('windows.yaml', windowRulesSchema);
  const [volumes, targets] = await Promise.all([takenVolumes(paths, deps), loadTargets(paths, deps)]);
  const rowOf = rowLookup(volumes);
  const sheets: Sheet[] = [];
  for (const [caseId, own] of byCase(volumes)) {
    const region = targets.find((target) => target.caseId === caseId)?.region ?? null;
    const window = (volume: CaseVolume): Sheet['window'] =>
      pickWindow(windows, { modality: volume.modality, region, concept: null }) as Sheet['window'];
    sheets.push(...planSheets(caseId, own, rng(deps.seed, 'sheet-labels', caseId), window));
  }
  const progress = deps.progress.start('Contact sheets', sheets.length);
  const pictures = await renderSheets(
    deps.queue,
    sheets.map(({ tiles, window }) => ({
      slices: tiles.map(({ sopInstanceUid, frame }) => renderOf(rowOf(sopInstanceUid, frame), paths.root)),
      labels: tiles.map(({ label }) => label),
      window,
      tileSize: TILE_SIZE,
    })),
    { onDone: () => progress.tick(), signal: deps.signal },
  );
  progress.done();
  await deps.store.remove(paths.sheets);
  for (const [i, sheet] of sheets.entries()) {
    await deps.store.write(path.join(paths.root, sheet.file), pictures[i]!);
    const sidecar = sheet.file.replace(/\.png$/, '.json');
    await deps.store.write(path.join(paths.root, sidecar), `${JSON.stringify(sheet, null, 2)}\n`);
  }
  return { sheets: sheets.length, tiles: sheets.reduce((n, { tiles }) => n + tiles.length, 0) };
}

/**
 * Blind nomination (`retrieve/nominations.jsonl`): every reviewer sees the sheets alone, without target, report, case
 * name or the others' answers. A label that is on no sheet is counted, never guessed.
 */
export async function runNominate(
  { paths, codeVersion, reviewers, makeReviewer }: ReviewInput,
  deps: Deps,
): Promise<{ nominations: number; none: number; unused: Record<string, Unused> }> {
  const [sheets, volumes] = await Promise.all([loadSheets(paths, deps), takenVolumes(paths, deps)]);
  const rows = caseRows(await loadRows(paths, deps));
  const rowOf = rowLookup(volumes);
  const nominations: Nomination[] = [];
  const unused: Record<string, Unused> = {};
  const cases = byCase(sheets);
  const progress = deps.progress.start('Blind nomination', cases.size * reviewers.length);
  for (const config of reviewers) {
    const reviewer = makeReviewer(config);
    if (reviewer === null) {
      const lines = await readReaderFile(config.nominations, paths, deps, fileNominationSchema);
      const found = fileNominations(lines, config.id, rows);
      nominations.push(...found.nominations);
      unused[config.id] = found.unused;
      progress.tick(cases.size);
      continue;
    }
    unused[config.id] = {};
    for (const [caseId, own] of cases) {
      deps.signal.throwIfAborted();
      const stacks = [...new Set(own.map(({ volumeId }) => volumeId))];
      const input = {
        sheets: own.map((sheet) => blind(sheet, rowOf, `stack-${stacks.indexOf(sheet.volumeId) + 1}`)),
      };
      const step = { step: 'nominate', codeVersion, config, seed: deps.seed, input };
      const labels = await keepStep(deps.store, paths.steps, step, () => reviewer.nominate(input));
      const places = new Map(
        own.flatMap((sheet) => sheet.tiles.map((tile) => [tile.label, { sheet, tile }] as const)),
      );
      const base = { schemaVersion: 1 as const, caseId, reviewer: config.id, model: reviewer.model };
      if (labels.length === 0)
        nominations.push({ ...base, slice: null, description: 'none', confidence: null });
      for (const { label, description, confidence } of labels) {
        const place = places.get(label);
        if (place === undefined) {
          unused[config.id]!['unknown-label'] = (unused[config.id]!['unknown-label'] ?? 0) + 1;
          continue;
        }
        const { sheet, tile } = place;
        const slice = {
          seriesInstanceUid: sheet.seriesInstanceUid,
          sopInstanceUid: tile.sopInstanceUid,
          frame: tile.frame,
          position: tile.position,
          volumeId: sheet.volumeId,
        };
        nominations.push({ ...base, slice, description, confidence });
      }
      progress.tick();
    }
  }
  progress.done();
  await writeJsonl(deps.store, paths.nominations, nominations);
  const none = nominations.filter(({ slice }) => slice === null).length;
  return { nominations: nominations.length - none, none, unused };
}

/** Pools of at most 15 slices, one for each target that is asked about (`retrieve/pools.jsonl`). */
export async function runPools(
  { paths }: RetrieveInput,
  deps: Deps,
): Promise<{ pools: number; empty: number }> {
  const rules = await loadRules();
  const [volumes, targets, nominations] = await Promise.all([
    takenVolumes(paths, deps),
    loadTargets(paths, deps),
    readJsonl(deps.store, paths.nominations, nominationSchema),
  ]);
  const pools = targets
    .filter(({ dropped }) => dropped === null)
    .map((target) => {
      const own = volumes.filter(({ caseId }) => caseId === target.caseId);
      const named = nominations.filter(({ caseId }) => caseId === target.caseId);
      return buildPool(target, rankVolumes(own, target.finding.concept, rules), named);
    });
  await writeJsonl(deps.store, paths.pools, pools);
  return { pools: pools.length, empty: pools.filter(({ candidates }) => candidates.length === 0).length };
}

/** The check: every reviewer rates every candidate at full resolution, now with the finding (`retrieve/ratings.jsonl`). */
export async function runCheck(
  { paths, codeVersion, reviewers, makeReviewer }: ReviewInput,
  deps: Deps,
): Promise<{ ratings: Record<RatingValue, number>; unused: Record<string, Unused> }> {
  const [volumes, targets, pools] = await Promise.all([
    takenVolumes(paths, deps),
    loadTargets(paths, deps),
    readJsonl(deps.store, paths.pools, poolSchema),
  ]);
  const rows = caseRows(await loadRows(paths, deps));
  const asked = targets.filter(({ dropped }) => dropped === null);
  const ratings: Rating[] = [];
  const unused: Record<string, Unused> = {};
  const progress = deps.progress.start('Check with the report sentence', reviewers.length * asked.length);
  for (const config of reviewers) {
    const reviewer = makeReviewer(config);
    if (reviewer === null) {
      const lines = await readReaderFile(config.ratings, paths, deps, fileRatingSchema);
      const found = fileRatings(lines, config.id, rows, asked);
      ratings.push(...found.ratings);
      unused[config.id] = found.unused;
      progress.tick(asked.length);
      continue;
    }
    for (const [caseId, own] of byCase(asked)) {
      deps.signal.throwIfAborted();
      const inputs = own.flatMap((target) => {
        const pool = pools.find(({ targetId }) => targetId === target.targetId);
        const stack = volumes.find(
          ({ caseId: of, volumeId }) => of === caseId && volumeId === pool?.candidates[0]?.slice.volumeId,
        );
        if (pool === undefined || stack === undefined) return [];
        const candidates = pool.candidates.map(({ slice }) => slice);
        return [
          { targetId: target.targetId, check: { finding: target.finding, stack: stack.rows, candidates } },
        ];
      });
      const checks = inputs.map(({ check }) => check);
      const step = { step: 'check', codeVersion, config, seed: deps.seed, checks };
      const answers = await keepStep(deps.store, paths.steps, step, () => reviewer.rate(checks));
      answers.forEach((answer, i) => {
        for (const { slice, rating, strength } of answer) {
          const base = { schemaVersion: 1 as const, caseId, targetId: inputs[i]!.targetId };
          ratings.push({ ...base, reviewer: config.id, model: reviewer.model, slice, rating, strength });
        }
      });
      progress.tick(own.length);
    }
  }
  progress.done();
  await writeJsonl(deps.store, paths.ratings, ratings);
  const counts: Record<RatingValue, number> = { direct: 0, possible: 0, unassessable: 0 };
  for (const { rating } of ratings) counts[rating] += 1;
  return { ratings: counts, unused };
}

/** Reference evidence and comparison slices of every target, or why it is dropped (`retrieve/evidence.jsonl`). */
export async function runEvidence(
  { paths }: RetrieveInput,
  deps: Deps,
): Promise<{ kept: number; dropped: Record<string, number> }> {
  const [volumes, targets, pools, ratings] = await Promise.all([
    takenVolumes(paths, deps),
    loadTargets(paths, deps),
    readJsonl(deps.store, paths.pools, poolSchema),
    readJsonl(deps.store, paths.ratings, ratingSchema),
  ]);
  const evidence = targets.map((target) =>
    evidenceOf(
      target,
      pools.find(({ targetId }) => targetId === target.targetId),
      ratings.filter(({ targetId }) => targetId === target.targetId),
      volumes.filter(({ caseId }) => caseId === target.caseId),
      deps.seed,
    ),
  );
  await writeJsonl(deps.store, paths.evidence, evidence);
  const dropped: Record<string, number> = {};
  for (const { dropped: reason } of evidence)
    if (reason !== null) dropped[reason] = (dropped[reason] ?? 0) + 1;
  return { kept: evidence.filter(({ dropped: reason }) => reason === null).length, dropped };
}

function evidenceOf(
  target: Target,
  pool: Pool | undefined,
  ratings: readonly Rating[],
  volumes: readonly CaseVolume[],
  seed: number,
): Evidence {
  const { sentence, targetId, caseId } = target;
  const base: Evidence = {
    schemaVersion: 1,
    targetId,
    caseId,
    finding: { text: sentence.text, start: sentence.start, end: sentence.end },
    references: [],
    comparisons: [],
    candidates: [],
    dropped: target.dropped,
  };
  if (target.dropped !== null) return base;
  if (pool === undefined || pool.candidates.length === 0) return { ...base, dropped: 'no-nomination' };
  const rated = joinRatings(pool.candidates, ratings);
  const candidates = rated.map(({ slice, ratings: given }) => ({ ...slice, ratings: { ...given } }));
  const references = chooseReferences(rated);
  if (references.length === 0) return { ...base, candidates, dropped: 'no-visible-evidence' };
  const volume = volumes.find(({ volumeId }) => volumeId === references[0]!.volumeId)!;
  const given = new Map<string, RatingValue[]>();
  for (const { slice, rating } of ratings) {
    given.set(sliceKey(slice), [...(given.get(sliceKey(slice)) ?? []), rating]);
  }
  const comparisons = chooseComparisons(
    { volume, others: volumes, references, ratings: given },
    rng(seed, 'comparisons', targetId),
  );
  const enough = references.length + comparisons.length >= 7;
  return { ...base, references, comparisons, candidates, dropped: enough ? null : 'too-few-comparisons' };
}

function renderOf(row: IndexRow, root: string) {
  return {
    file: path.resolve(root, row.path),
    frame: row.frame,
    orientation: row.imageOrientationPatient,
    pixelSpacingMm: row.pixelSpacingMm,
  };
}

async function loadRules(): Promise<SeriesRules> {
  return readDataYaml('series-rules.yaml', seriesRulesSchema);
}

async function loadRows(paths: WorkspacePaths, deps: Deps): Promise<IndexRow[]> {
  return readJsonl(deps.store, paths.index, indexRowSchema);
}

async function loadTargets(paths: WorkspacePaths, deps: Deps): Promise<Target[]> {
  return readJsonl(deps.store, paths.targets, targetSchema);
}

async function loadVolumes(paths: WorkspacePaths, deps: Deps): Promise<CaseVolume[]> {
  return volumesOf(await loadRows(paths, deps));
}

async function takenVolumes(paths: WorkspacePaths, deps: Deps): Promise<CaseVolume[]> {
  const [volumes, records] = await Promise.all([
    loadVolumes(paths, deps),
    readJsonl<SeriesRecord>(deps.store, paths.series, seriesRecordSchema),
  ]);
  const taken = new Set(
    records.filter((entry) => entry.taken).map((entry) => `${entry.caseId}\u0000${entry.volumeId}`),
  );
  return volumes.filter(({ caseId, volumeId }) => taken.has(`${caseId}\u0000${volumeId}`));
}

async function loadSheets(paths: WorkspacePaths, deps: Deps): Promise<Sheet[]> {
  const files = (await deps.store.list(paths.sheets)).filter((file) => file.endsWith('.json'));
  const sheets: Sheet[] = [];
  for (const file of files) {
    const text = (await deps.store.read(path.join(paths.sheets, file))).toString('utf8');
    sheets.push(sheetSchema.parse(JSON.parse(text)));
  }
  return sheets;
}

async function readReaderFile<T>(
  file: string | undefined,
  paths: WorkspacePaths,
  deps: Deps,
  schema: Parameters<typeof readJsonl<T>>[2],
): Promise<T[]> {
  if (file === undefined) return [];
  return readJsonl(deps.store, path.resolve(paths.root, file), schema);
}

function byCase<T extends { readonly caseId: string }>(records: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of records) groups.set(entry.caseId, [...(groups.get(entry.caseId) ?? []), entry]);
  return groups;
}

function rowLookup(volumes: readonly CaseVolume[]): (sopInstanceUid: string, frame: number) => IndexRow {
  const rows = new Map(volumes.flatMap((volume) => volume.rows.map((row) => [sliceKey(row), row] as const)));
  return (sopInstanceUid, frame) => rows.get(sliceKey({ sopInstanceUid, frame }))!;
}

function caseRows(rows: readonly IndexRow[]): Map<string, IndexRow> {
  return new Map(rows.map((row) => [`${row.caseId}\u0000${sliceKey(row)}`, row]));
}
