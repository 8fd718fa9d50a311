import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { gateJob, type GateInput, type GateResult } from '../adapters/dicom/deid/index.js';
import { byCodeUnit, readJsonl, type WorkspacePaths } from '../adapters/store/index.js';
import type { Config } from '../domain/config.js';
import { EXIT, GroundmarkError } from '../domain/error.js';
import { evidenceSchema } from '../domain/evidence.js';
import { indexRowSchema } from '../domain/index-row.js';
import type { PixelRule } from '../domain/pixel-rules.js';
import { openGateCache } from './gate-cache.js';

/** What the gate found; private (`audit/deid.json`), since it names series. */
export interface PixelGateReport {
  readonly schemaVersion: 1;
  /** DICOM files behind the items' pictures, and slices of them that were searched for text. */
  readonly files: number;
  readonly slices: number;
  readonly unreadable: number;
  readonly refused: readonly GateFinding[];
  readonly allowed: readonly (GateFinding & { readonly reason: string })[];
}

/** What one series is suspected of. */
export interface GateFinding {
  readonly rule: PixelRule;
  readonly seriesInstanceUid: string | null;
  /** Files that raise it. */
  readonly files: number;
}

type Allow = Config['release']['allow'];

/** Files in one job. */
const BATCH = 16;

/**
 * Judges everything that items' pictures come from: the headers of their DICOM files, and the slices shown for text in
 * the pixels.
 */
export async function judgePixels(
  { paths, allow }: { paths: WorkspacePaths; allow: Allow },
  deps: Pick<Deps, 'store' | 'queue' | 'progress' | 'signal'>,
): Promise<PixelGateReport> {
  const sources = await sourceFiles(paths, deps);
  const cache = await openGateCache(paths, deps.store);
  const kept = await Promise.all(sources.map((source) => cache.get(source)));
  const fresh = await judge(
    sources.filter((_, i) => kept[i] === undefined),
    deps,
  );
  const results = kept.map((result) => result ?? fresh.shift()!);
  await cache.write(sources, results);
  const counts = new Map<string, { rule: PixelRule; seriesInstanceUid: string | null; files: number }>();
  results.forEach((result, i) => {
    const { seriesInstanceUid } = sources[i]!;
    for (const rule of 'rules' in result ? result.rules : []) {
      const key = `${rule}\0${seriesInstanceUid}`;
      const finding = counts.get(key) ?? { rule, seriesInstanceUid, files: 0 };
      finding.files++;
      counts.set(key, finding);
    }
  });
  const refused: GateFinding[] = [];
  const allowed: (GateFinding & { reason: string })[] = [];
  for (const finding of counts.values()) {
    const override = allow.find(
      ({ rule, series }) =>
        rule === finding.rule && (series === undefined || series === finding.seriesInstanceUid),
    );
    if (override) allowed.push({ ...finding, reason: override.reason });
    else refused.push(finding);
  }
  return {
    schemaVersion: 1,
    files: sources.length,
    slices: sources.reduce((sum, { frames }) => sum + frames.length, 0),
    unreadable: results.filter((result) => 'unreadable' in result).length,
    refused,
    allowed,
  };
}

/**
 * Refuses a release whose pictures may show who a patient is.
 *
 * @throws {GroundmarkError} `burned-in` (exit 1) naming rules and counts, never a patient
 */
export function refuseFlagged(report: PixelGateReport, reportFile: string): void {
  if (report.unreadable > 0) {
    throw new GroundmarkError(
      'pixels-not-checked',
      `${report.unreadable} files behind the items could not be looked at, so nothing says that they show no patient. ` +
        `Nothing was released. Make them readable, or take their cases out and build again.`,
      { unreadable: report.unreadable },
      { exit: EXIT.checkFailed },
    );
  }
  if (report.refused.length === 0) return;
  const counts = new Map<PixelRule, number>();
  for (const { rule, files } of report.refused) counts.set(rule, (counts.get(rule) ?? 0) + files);
  const told = [...counts].sort(([a], [b]) => byCodeUnit(a, b)).map(([rule, n]) => `${rule} (${n} files)`);
  throw new GroundmarkError(
    'burned-in',
    `Pictures may show who a patient is: ${told.join(', ')}. Nothing was released. ${reportFile} names the series. ` +
      `Look at them; take the cases out and build again, or allow the rule in groundmark.yaml with a reason ` +
      `(release: { allow: [{ rule, series, reason }] }).`,
    { rules: Object.fromEntries(counts) },
    { exit: EXIT.checkFailed },
  );
}

async function judge(
  files: readonly GateInput[],
  deps: Pick<Deps, 'queue' | 'progress' | 'signal'>,
): Promise<GateResult[]> {
  const batches: GateInput[][] = [];
  for (let i = 0; i < files.length; i += BATCH) {
    batches.push(files.slice(i, i + BATCH).map(({ file, frames }) => ({ file, frames })));
  }
  const task = deps.progress.start('Search pictures for text', files.length);
  try {
    const onDone = (i: number): void => task.tick(batches[i]!.length);
    const results = await deps.queue.map<GateInput[], GateResult[]>(gateJob, batches, {
      onDone,
      signal: deps.signal,
    });
    return results.flat();
  } finally {
    task.done();
  }
}

/** The DICOM files of every slice that an item shows, each once with its frames, by path. */
async function sourceFiles(
  paths: WorkspacePaths,
  { store }: Pick<Deps, 'store'>,
): Promise<(GateInput & { seriesInstanceUid: string | null })[]> {
  const shown = new Set<string>();
  for (const { references, comparisons, dropped } of await readJsonl(store, paths.evidence, evidenceSchema)) {
    if (dropped !== null) continue;
    for (const { sopInstanceUid, frame } of [...references, ...comparisons])
      shown.add(`${sopInstanceUid}#${frame}`);
  }
  const files = new Map<string, { frames: number[]; seriesInstanceUid: string | null }>();
  for (const row of await readJsonl(store, paths.index, indexRowSchema)) {
    if (!shown.has(`${row.sopInstanceUid}#${row.frame}`)) continue;
    const file = path.resolve(paths.root, row.path);
    const known = files.get(file) ?? { frames: [], seriesInstanceUid: row.seriesInstanceUid };
    known.frames.push(row.frame);
    files.set(file, known);
  }
  return [...files]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([file, { frames, seriesInstanceUid }]) => ({ file, frames, seriesInstanceUid }));
}
