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
  /** Files that were met: the wanted ones and those among the skipped. */
  readonly files: number;
  readonly failures: readonly GroundmarkError[];
}

/**
 * The files of all sources in path order, sources in the given order. A source that gives none is a skipped record, as is a
 * file that an earlier source of the same case has given, one that no path leads to, and what is no file at all.
 */
export async function findFiles(sources: readonly IndexSource[], signal: AbortSignal): Promise<FoundFiles> {
  const wanted: WantedFile[] = [];
  const skipped: SkippedFile[] = [];
  const failures: GroundmarkError[] = [];
  const given = new GivenFiles(sources);
  let met = 0;
  for (const [source, { root, shownRoot, caseId }] of sources.entries()) {
    signal.throwIfAborted();
    try {
      const files = await walkFiles(root);
      if (files.length === 0) throw emptySource(shownRoot);
      met += files.length;
      for (const { path, relative, real, problem } of files) {
        const shown = join(shownRoot, relative);
        const reason = problem ?? (given.before(caseId, real) ? 'same-file' : null);
        if (reason === null) wanted.push({ path, shown, source });
        else skipped.push({ path: shown, reason, detail: DETAILS[reason], caseId });
      }
    } catch (error) {
      if (!(error instanceof GroundmarkError)) throw error;
      failures.push(error);
      skipped.push({ path: shownRoot, reason: error.code, caseId });
    }
  }
  return { wanted, skipped, files: met, failures };
}

const DETAILS = {
  'not-a-file': 'It is a pipe, a socket or a device.',
  'name-not-utf8': 'A name on the way to it is no UTF-8 (\\xE9 stands for such a byte). Rename it.',
  'same-file': 'An earlier source of the same case holds it too.',
} as const;

/** Which files were given already, of cases that have several sources. */
class GivenFiles {
  readonly #files = new Map<string | null, Set<string>>();

  constructor(sources: readonly IndexSource[]) {
    const seen = new Set<string | null>();
    for (const { caseId } of sources) {
      if (seen.has(caseId)) this.#files.set(caseId, new Set());
      seen.add(caseId);
    }
  }

  /** Whether the case has the file; from now on it does. */
  before(caseId: string | null, real: string | null): boolean {
    const files = this.#files.get(caseId);
    if (!files || real === null) return false;
    if (files.has(real)) return true;
    files.add(real);
    return false;
  }
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
