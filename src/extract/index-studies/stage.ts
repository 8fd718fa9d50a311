import type { Deps } from '../../adapters/deps.js';
import { readScanResults, scanJob, walkFiles, type ScanResult } from '../../adapters/dicom/index.js';
import { GroundmarkError } from '../../domain/error.js';
import type { IndexRow, IndexSummary, SkippedFile } from '../../domain/index-row.js';
import { assignVolumes, type CaseHeaderRow, type VolumeFields } from './assign-volumes.js';
import { summarise } from './summarise.js';

/** A folder to index. */
export interface IndexSource {
  readonly caseId: string | null;
  /** Where it lies. */
  readonly root: string;
  /** What stands for it in the rows' `path`. */
  readonly shownRoot: string;
}

/** Files in one job: enough to make a message between threads cheap, few enough to share evenly. */
const BATCH = 128;

/**
 * The index of DICOM folders: one row a frame in path order, sources in the given order; and the counts, with every
 * file that gave no row and why.
 *
 * Of several sources, one that gives nothing is a skipped record; a run whose sources all give nothing is an error.
 *
 * @throws {GroundmarkError} `empty-source`, `no-dicom`, `no-such-folder`, `unreadable-folder`
 */
export async function runIndex(
  input: { readonly sources: readonly IndexSource[]; readonly signal?: AbortSignal },
  deps: Pick<Deps, 'queue' | 'clock' | 'progress' | 'signal'>,
): Promise<{ rows: (IndexRow & VolumeFields)[]; summary: IndexSummary }> {
  const began = deps.clock().getTime();
  const signal = input.signal ?? deps.signal;
  const skipped: SkippedFile[] = [];
  const failures: GroundmarkError[] = [];
  const wanted: { path: string; shown: string; source: number }[] = [];
  for (const [source, { root, shownRoot }] of input.sources.entries()) {
    signal.throwIfAborted();
    try {
      const files = await walkFiles(root);
      if (files.length === 0) throw emptySource(shownRoot);
      for (const { path, relative } of files) wanted.push({ path, shown: join(shownRoot, relative), source });
    } catch (error) {
      if (!(error instanceof GroundmarkError)) throw error;
      failures.push(error);
      skipped.push({ path: shownRoot, reason: error.code, caseId: input.sources[source]!.caseId });
    }
  }
  const results = await scan(
    wanted.map(({ path }) => path),
    deps,
    signal,
  );

  const headers: CaseHeaderRow[] = [];
  const refused: SkippedFile[][] = input.sources.map(() => []);
  const used = new Set<number>();
  for (const [i, { path, shown, source }] of wanted.entries()) {
    const { caseId } = input.sources[source]!;
    const result = withUids(results[i]!);
    if ('rows' in result) {
      used.add(source);
      // Fresh from the scan, and nobody else's: the rows are completed in place.
      for (const row of result.rows) headers.push(Object.assign(row, { caseId, path: shown }));
    } else {
      const { reason, detail, modality } = result;
      refused[source]!.push({
        path: shown,
        reason,
        detail: detail.replaceAll(path, shown),
        modality,
        caseId,
      });
    }
  }
  for (const [source, files] of refused.entries()) {
    skipped.push(...files);
    const tried = wanted.some((file) => file.source === source);
    if (tried && !used.has(source)) failures.push(noDicom(input.sources[source]!.shownRoot, files));
  }
  if (headers.length === 0 && failures[0]) throw failures[0];

  const rows = assignVolumes(headers);
  const seconds = Math.round(deps.clock().getTime() - began) / 1000;
  return { rows, summary: summarise(rows, skipped, wanted.length, seconds) };
}

async function scan(
  files: readonly string[],
  deps: Pick<Deps, 'queue' | 'progress'>,
  signal: AbortSignal,
): Promise<ScanResult[]> {
  const batches: string[][] = [];
  for (let i = 0; i < files.length; i += BATCH) batches.push(files.slice(i, i + BATCH));
  const task = deps.progress.start('index', files.length);
  try {
    const onDone = (index: number): void => task.tick(batches[index]!.length);
    const texts = await deps.queue.map<string[], string>(scanJob, batches, { onDone, signal });
    return texts.flatMap((text, i) => readScanResults(text, batches[i]!));
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

function join(root: string, relative: string): string {
  if (relative === '') return root;
  return root === '' ? relative : `${root.replace(/\/+$/u, '')}/${relative}`;
}

function emptySource(root: string): GroundmarkError {
  return new GroundmarkError(
    'empty-source',
    `${root} holds no file. Name the folder that holds the DICOM files.`,
    {
      root,
    },
  );
}

function noDicom(root: string, files: readonly SkippedFile[]): GroundmarkError {
  const counts = new Map<string, number>();
  for (const { reason } of files) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const [reason, count] = [...counts].reduce((best, next) => (next[1] > best[1] ? next : best));
  return new GroundmarkError(
    'no-dicom',
    `${root} holds ${files.length} files and no usable DICOM image; the commonest reason is ${reason} (${count}). ` +
      `Name the folder that holds the DICOM images.`,
    {
      root,
      files: files.length,
      reason,
      count,
      skipped: files.map(({ path, reason: why }) => ({ path, reason: why })),
    },
  );
}
