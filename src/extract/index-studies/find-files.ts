import { walkFiles } from '../../adapters/dicom/index.js';
import { GroundmarkError } from '../../domain/error.js';
import type { SkippedFile } from '../../domain/index-row.js';

/** A folder to index. */
export interface IndexSource {
  readonly caseId: string | null;
  /** Where it lies. */
  readonly root: string;
  /** What stands for it in the rows' `path`. */
  readonly shownRoot: string;
}

/** A file to read. */
export interface WantedFile {
  readonly path: string;
  /** What stands for it in the rows. */
  readonly shown: string;
  /** Number of its source. */
  readonly source: number;
}

/** What the folders hold, and why some of them gave nothing. */
export interface FoundFiles {
  readonly wanted: readonly WantedFile[];
  readonly skipped: readonly SkippedFile[];
  readonly failures: readonly GroundmarkError[];
}

/** The files of all sources in path order, sources in the given order. A source that gives none is a skipped record. */
export async function findFiles(sources: readonly IndexSource[], signal: AbortSignal): Promise<FoundFiles> {
  const wanted: WantedFile[] = [];
  const skipped: SkippedFile[] = [];
  const failures: GroundmarkError[] = [];
  for (const [source, { root, shownRoot, caseId }] of sources.entries()) {
    signal.throwIfAborted();
    try {
      const files = await walkFiles(root);
      if (files.length === 0) throw emptySource(shownRoot);
      for (const { path, relative } of files) wanted.push({ path, shown: join(shownRoot, relative), source });
    } catch (error) {
      if (!(error instanceof GroundmarkError)) throw error;
      failures.push(error);
      skipped.push({ path: shownRoot, reason: error.code, caseId });
    }
  }
  return { wanted, skipped, failures };
}

function join(root: string, relative: string): string {
  if (relative === '') return root;
  return root === '' ? relative : `${root.replace(/\/+$/u, '')}/${relative}`;
}

function emptySource(root: string): GroundmarkError {
  return new GroundmarkError(
    'empty-source',
    `${root} holds no file. Name the folder that holds the DICOM files.`,
    { root },
  );
}
