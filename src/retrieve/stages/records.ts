import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { readDataYaml, readJsonl, type WorkspacePaths } from '../../adapters/store/index.js';
import type { ReviewerConfig } from '../../domain/config.js';
import { targetSchema, type Target } from '../../domain/finding.js';
import { indexRowSchema, type IndexRow } from '../../domain/index-row.js';
import { seriesRecordSchema, sheetSchema, type SeriesRecord, type Sheet } from '../../domain/retrieve.js';
import { volumeSchema, type Volume } from '../../domain/volume.js';
import type { ImageReviewer } from '../reviewer.js';
import { seriesRulesSchema, type SeriesRules } from '../series-rules-schema.js';
import { sliceKey, volumesOf, type CaseVolume } from '../volumes.js';

export interface RetrieveInput {
  readonly paths: WorkspacePaths;
  readonly codeVersion: string;
}

export interface ReviewInput extends RetrieveInput {
  /** What tells that images changed; finished pieces of an earlier run are used only while it stays. */
  readonly images: Readonly<Record<string, string>>;
  readonly reviewers: readonly ReviewerConfig[];
  /** Makes the reviewer that a configuration names; null for `file`, which is read from its files. */
  readonly makeReviewer: (config: ReviewerConfig) => ImageReviewer | null;
}

export async function loadRules(): Promise<SeriesRules> {
  return readDataYaml('series-rules.yaml', seriesRulesSchema);
}

export async function loadRows(paths: WorkspacePaths, deps: Deps): Promise<IndexRow[]> {
  return readJsonl(deps.store, paths.index, indexRowSchema);
}

export async function loadTargets(paths: WorkspacePaths, deps: Deps): Promise<Target[]> {
  return readJsonl(deps.store, paths.targets, targetSchema);
}

export async function loadVolumes(paths: WorkspacePaths, deps: Deps): Promise<CaseVolume[]> {
  return volumesOf(await loadRows(paths, deps));
}

/** How the stacks lie, by case and volume; none when the index was made before it was measured. */
export async function loadMeasures(paths: WorkspacePaths, deps: Deps): Promise<Map<string, Volume>> {
  if (!(await deps.store.exists(paths.volumes))) return new Map();
  const measures = await readJsonl(deps.store, paths.volumes, volumeSchema);
  return new Map(measures.map((measured) => [volumeKey(measured), measured]));
}

/** One name for one stack of a case. */
export function volumeKey(volume: { readonly caseId: string | null; readonly volumeId: string }): string {
  return `${volume.caseId}\u0000${volume.volumeId}`;
}

export async function takenVolumes(paths: WorkspacePaths, deps: Deps): Promise<CaseVolume[]> {
  const [volumes, records] = await Promise.all([
    loadVolumes(paths, deps),
    readJsonl<SeriesRecord>(deps.store, paths.series, seriesRecordSchema),
  ]);
  const taken = new Set(records.filter((entry) => entry.taken).map(volumeKey));
  return volumes.filter((volume) => taken.has(volumeKey(volume)));
}

export async function loadSheets(paths: WorkspacePaths, deps: Deps): Promise<Sheet[]> {
  const files = (await deps.store.list(paths.sheets)).filter((file) => file.endsWith('.json'));
  const sheets: Sheet[] = [];
  for (const file of files) {
    const text = (await deps.store.read(path.join(paths.sheets, file))).toString('utf8');
    sheets.push(sheetSchema.parse(JSON.parse(text)));
  }
  return sheets;
}

export async function readReaderFile<T>(
  file: string | undefined,
  paths: WorkspacePaths,
  deps: Deps,
  schema: Parameters<typeof readJsonl<T>>[2],
): Promise<T[]> {
  if (file === undefined) return [];
  return readJsonl(deps.store, path.resolve(paths.root, file), schema);
}

export function byCase<T extends { readonly caseId: string }>(records: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const entry of records) groups.set(entry.caseId, [...(groups.get(entry.caseId) ?? []), entry]);
  return groups;
}

export function rowLookup(
  volumes: readonly CaseVolume[],
): (sopInstanceUid: string, frame: number) => IndexRow {
  const rows = new Map(volumes.flatMap((volume) => volume.rows.map((row) => [sliceKey(row), row] as const)));
  return (sopInstanceUid, frame) => rows.get(sliceKey({ sopInstanceUid, frame }))!;
}

export function caseRows(rows: readonly IndexRow[]): Map<string, IndexRow> {
  // A copy of an instance (`duplicateOf`) is in no stack that is used: its name stands for the first file.
  const first = rows.filter((row) => typeof row['duplicateOf'] !== 'string');
  return new Map(first.map((row) => [`${row.caseId}\u0000${sliceKey(row)}`, row]));
}
