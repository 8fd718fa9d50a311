import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { readDataYaml, readJsonl } from '../adapters/store/index.js';
import type { Audit, AuditFigures } from '../domain/audit.js';
import { evidenceSchema } from '../domain/evidence.js';
import { GroundmarkError } from '../domain/error.js';
import { keyEntrySchema, type KeyEntry } from '../domain/item.js';
import type { OwnItem } from './audit-item.js';
import { auditCsv } from './audit-csv.js';
import { datasetFlags } from './dataset-flags.js';
import { evidenceFigures } from './evidence/evidence-figures.js';
import { imageStatisticsJob, type ImageStatistics } from './evidence/image-statistics-job.js';
import { findSources } from './find-sources.js';
import { auditPage } from './html/audit-page.js';
import { importFiles, type ImportedSet } from './import/import-files.js';
import type { FieldMap } from './import/importer.js';
import { itemFlags } from './item-flags.js';
import { roundFigures } from './round-figures.js';
import { auditRulesSchema, giveawaySchema } from './rules.js';
import { datasetFigures, textFigures } from './text/text-figures.js';

export interface AuditInput {
  /** Our own items.jsonl, absolute: short for `files` of one. */
  readonly items?: string;
  /** Item files of one layout, folders of them, or a workspace; absolute. */
  readonly files?: readonly string[];
  /** null or absent: found by the files' layout. */
  readonly format?: string | null;
  readonly map?: FieldMap | null;
  /** Absent: key.jsonl beside the items. */
  readonly keyFile?: string | null;
  /** Absent: that of the workspace named. */
  readonly evidenceFile?: string | null;
  readonly out?: string | null;
  readonly html?: string | null;
  readonly csv?: string | null;
}

/**
 * Shortcuts in a multiple-choice set: text figures for every layout; evidence and leakage too for our own items.
 *
 * Writes `out` (JSON), `html` and `csv` where named. Definitions: AUDIT-METRICS.md.
 */
export async function runAudit(input: AuditInput, deps: Deps): Promise<Audit> {
  const rules = await readDataYaml('audit-rules.yaml', auditRulesSchema);
  const giveaway = await readDataYaml('lexicons/giveaway.yaml', giveawaySchema);
  const sources = await findSources(
    [...(input.items ? [input.items] : []), ...(input.files ?? [])],
    deps.store,
  );
  const keyFile = input.keyFile ?? sources.keyFile;
  const set = importFiles(sources.files, {
    format: input.format ?? null,
    map: input.map ?? null,
    key: keyFile === null ? null : await readKey(keyFile, deps),
  });
  const own = set.own !== null;
  const evidenceFile = input.evidenceFile ?? sources.evidenceFile;
  const figures: AuditFigures = {
    schemaVersion: 1,
    dataset: datasetOf(set),
    ...textFigures(set.items, { joinStems: !own }),
    ...(set.own === null ? {} : { evidence: await evidenceOf(set.own, deps) }),
  };
  const flags = [
    ...datasetFlags(figures, rules, { own }),
    ...itemFlags({
      items: set.items,
      own,
      rules,
      giveaway,
      targetTexts: evidenceFile === null ? [] : await readTargetTexts(evidenceFile, deps),
    }),
  ];
  const audit = roundFigures<Audit>({ ...figures, flags });
  if (input.out) await deps.store.write(input.out, `${JSON.stringify(audit, null, 2)}\n`);
  if (input.html) {
    const title = sources.files.length === 1 ? sources.files[0]!.name : `${sources.files.length} files`;
    await deps.store.write(input.html, auditPage(audit, title));
  }
  if (input.csv) await deps.store.write(input.csv, auditCsv(audit));
  return audit;
}

function datasetOf(set: ImportedSet): Audit['dataset'] {
  return {
    format: set.format,
    items: set.read,
    ...datasetFigures(set.items),
    severalKeys: set.severalKeys,
    skipped: set.skipped.map(({ where, reason }) => ({ where, reason })),
  };
}

async function readKey(file: string, { store }: Deps): Promise<Map<string, KeyEntry>> {
  const entries = await readJsonl(store, file, keyEntrySchema);
  const key = new Map(entries.map((entry) => [entry.id, entry]));
  if (key.size === entries.length) return key;
  throw new GroundmarkError(
    'duplicate-key',
    `${file} has ${entries.length} entries for ${key.size} items. Keep one entry an item.`,
    { file },
  );
}

async function readTargetTexts(file: string, { store }: Deps): Promise<string[]> {
  return (await readJsonl(store, file, evidenceSchema)).map(({ finding }) => finding.text);
}

async function evidenceOf(items: readonly OwnItem[], deps: Deps): Promise<NonNullable<Audit['evidence']>> {
  const inputs = items.flatMap(({ item, folder }) =>
    item.images.map(({ file }) => ({ file: path.join(folder, file) })),
  );
  const task = deps.progress.start('Reading images', inputs.length);
  const statistics: ImageStatistics[] = await deps.queue.map(imageStatisticsJob, inputs, {
    onDone: () => task.tick(),
    signal: deps.signal,
  });
  task.done();
  let next = 0;
  const perItem = items.map(({ item }) => statistics.slice(next, (next += item.images.length)));
  return evidenceFigures(items, perItem, deps.seed);
}
