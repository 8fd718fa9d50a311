import { GroundmarkError } from '../../domain/error.js';
import type { Job } from '../queue/job-queue.js';
import type { HeaderRow } from './header-row.js';
import { packResults, unpackResults } from './row-pack.js';
import { scanHeader } from './scan-header.js';

/** What a file gave: its rows, or the reason why it has none. */
export type ScanResult =
  | { readonly rows: HeaderRow[] }
  | { readonly reason: string; readonly detail: string; readonly modality: string | null };

/**
 * Scans a batch of files; one broken file is one result, never an error.
 *
 * @returns the results as text, for {@link readScanResults}
 */
export async function run(files: readonly string[]): Promise<string> {
  const results: ScanResult[] = [];
  for (const file of files) {
    try {
      results.push({ rows: await scanHeader(file) });
    } catch (error) {
      results.push(refusal(error));
    }
  }
  return packResults(results);
}

/**
 * The results of one batch.
 *
 * @param shown - what stands for the batch's files in the rows' `path`
 * @param further - fields that every row gets behind its own, with what they hold at first
 */
export function readScanResults(
  text: string,
  shown: readonly string[],
  further: Readonly<Record<string, unknown>> = {},
): ScanResult[] {
  return unpackResults(text, shown, further);
}

/** The job, for a queue. */
export const scanJob: Job = { module: import.meta.url };

function refusal(error: unknown): ScanResult {
  if (error instanceof GroundmarkError) {
    const modality = typeof error.context.modality === 'string' ? error.context.modality : null;
    return { reason: error.code, detail: error.message, modality };
  }
  return {
    reason: 'unreadable-file',
    detail: `The file could not be read (${(error as Error).name}).`,
    modality: null,
  };
}
