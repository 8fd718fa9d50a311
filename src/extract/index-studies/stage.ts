import type { Deps } from '../../adapters/deps.js';
import { fileStamp, readScanResults, scanJob, type ScanResult } from '../../adapters/dicom/index.js';
import type { GroundmarkError } from '../../domain/error.js';
import type { IndexRow, IndexSummary, SkippedFile } from '../../domain/index-row.js';
import type { KeptScan } from '../../domain/kept-scan.js';
import { assignVolumes, type CaseHeaderRow, type VolumeFields } from './assign-volumes.js';
import { findFiles, type IndexSource, type WantedFile } from './find-files.js';
import { missingFiles, type FoundDicomdir } from './missing-files.js';
import { noDicom, withAllSkipped } from './nothing-usable.js';
import { keptScan, planScans } from './plan-scans.js';
import { summarise } from './summarise.js';

export interface IndexInput {
  readonly sources: readonly IndexSource[];
  readonly signal?: AbortSignal;
  /** What an earlier run kept: only files that changed since are read. null or absent: all are, and nothing is kept. */
  readonly earlier?: readonly KeptScan[] | null;
}

export interface IndexOutput {
  readonly rows: (IndexRow & VolumeFields)[];
  readonly summary: IndexSummary;
  /** For a later run's `earlier`; null when this one had none. */
  readonly scans: readonly KeptScan[] | null;
}

/** Files in one job: enough to make a message between threads cheap, few enough to share evenly. */
const BATCH = 128;

/** What the stage adds to a scanned row; places for it are made with the row. */
const PLACES = {
  caseId: null,
  volumeId: '',
  position: 0,
  orderedBy: 'position',
  splitBy: null,
  duplicateOf: null,
};

type IndexDeps = Pick<Deps, 'queue' | 'clock' | 'progress' | 'signal'>;

/**
 * The index of DICOM folders: one row a frame in path order, sources in the given order; and the counts, with every
 * file that gave no row and why.
 *
 * Of several sources, one that gives nothing is a skipped record; a run whose sources all give nothing is an error.
 *
 * @throws {GroundmarkError} `empty-source`, `no-dicom`, `no-such-folder`, `unreadable-folder`; its context lists
 *   everything that was skipped
 */
export async function runIndex(input: IndexInput, deps: IndexDeps): Promise<IndexOutput> {
  const began = deps.clock().getTime();
  const signal = input.signal ?? deps.signal;
  deps.queue.prepare?.(scanJob);
  const { wanted, skipped: empty, files, failures } = await findFiles(input.sources, signal);
  const { results, scans, reused } = await scan(wanted, input.earlier ?? null, deps, signal);

  const headers: CaseHeaderRow[] = [];
  const refused: SkippedFile[][] = input.sources.map(() => []);
  const dicomdirs: FoundDicomdir[] = [];
  const used = new Set<number>();
  for (const [i, { path, shown, source }] of wanted.entries()) {
    const { caseId } = input.sources[source]!;
    const result = withUids(results[i]!);
    if (!('rows' in result)) {
      const { reason, detail, modality } = result;
      refused[source]!.push({
        path: shown,
        reason,
        detail: detail.replaceAll(path, shown),
        modality,
        caseId,
      });
      if (reason === 'dicomdir') dicomdirs.push({ path, shown, caseId });
      continue;
    }
    used.add(source);
    // Fresh from the scan, and nobody else's: the rows are completed in place.
    for (const row of result.rows) headers.push(Object.assign(row, { caseId }));
  }
  const indexed = new Set(dicomdirs.length === 0 ? [] : headers.map((row) => row.sopInstanceUid));
  const missing = await missingFiles(dicomdirs, (uid) => indexed.has(uid));
  const skipped = [...empty, ...refused.flat(), ...missing];
  const unusable = refused.flatMap((files, source): GroundmarkError[] =>
    files.length > 0 && !used.has(source) ? [noDicom(input.sources[source]!.shownRoot, files)] : [],
  );
  const failure = failures[0] ?? unusable[0];
  if (headers.length === 0 && failure) throw withAllSkipped(failure, skipped);

  const rows = assignVolumes(headers);
  const seconds = Math.round(deps.clock().getTime() - began) / 1000;
  // A file that should be there counts as one that was looked at: files are those with rows and the skipped ones.
  const summary = summarise(rows, skipped, files + missing.length, seconds);
  return { rows, summary: scans === null ? summary : { ...summary, reused }, scans };
}

interface Scanned {
  readonly results: readonly ScanResult[];
  readonly scans: readonly KeptScan[] | null;
  /** Files that were not read, because an earlier scan still holds for them. */
  readonly reused: number;
}

async function scan(
  wanted: readonly WantedFile[],
  earlier: readonly KeptScan[] | null,
  deps: IndexDeps,
  signal: AbortSignal,
): Promise<Scanned> {
  const results = new Array<ScanResult>(wanted.length);
  const take = (text: string, files: readonly (number | null)[]): void => {
    const shown = files.map((file) => (file === null ? '' : wanted[file]!.shown));
    for (const [i, result] of readScanResults(text, shown, PLACES).entries()) {
      const file = files[i]!;
      if (file !== null) results[file] = result;
    }
  };

  const now = deps.clock();
  // Before the files are read: a change while one is read shows later.
  const stamps = earlier === null ? [] : wanted.map(({ path }) => fileStamp(path, now));
  const paths = wanted.map(({ path }) => path);
  const { kept, anew } = planScans(paths, stamps, earlier ?? []);
  for (const {
    scan: { results: text },
    files,
  } of kept)
    take(text, files);

  const batches: number[][] = [];
  for (let i = 0; i < anew.length; i += BATCH) batches.push(anew.slice(i, i + BATCH));
  const task = deps.progress.start('index', anew.length);
  try {
    const onDone = (batch: number, text: string): void => {
      take(text, batches[batch]!);
      task.tick(batches[batch]!.length);
    };
    const inputs = batches.map((files) => files.map((file) => paths[file]!));
    const texts = await deps.queue.map<string[], string>(scanJob, inputs, { onDone, signal });
    const read = (text: string, batch: number): KeptScan =>
      keptScan(
        text,
        batches[batch]!.map((file) => ({
          path: paths[file]!,
          stamp: stamps[file]!,
          hasRows: 'rows' in results[file]!,
        })),
      );
    const scans = earlier === null ? null : [...kept.map((part) => part.scan), ...texts.map(read)];
    return { results, scans, reused: wanted.length - anew.length };
  } finally {
    task.done();
  }
}

/** Rows without the three UIDs cannot be told apart or grouped: the file is refused. */
function withUids(result: ScanResult): ScanResult {
  const row = 'rows' in result ? result.rows[0] : undefined;
  if (!row) return result;
  const missing = (['studyInstanceUid', 'seriesInstanceUid', 'sopInstanceUid'] as const).filter(
    (name) => !row[name],
  );
  if (missing.length === 0) return result;
  return {
    reason: 'missing-uid',
    detail: `${row.path} has no ${missing.join(', ')}.`,
    modality: row.modality,
  };
}
