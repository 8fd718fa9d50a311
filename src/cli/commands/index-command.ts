import path from 'node:path';
import { writeJsonl } from '../../adapters/store/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { IndexSummary } from '../../domain/index-row.js';
import { runIndex, type IndexSource } from '../../extract/index-studies/index.js';
import type { Deps } from '../../adapters/deps.js';
import type { Command } from '../command.js';
import { readCases } from '../read-cases.js';

/** Skipped files told to people one by one; all of them are in the JSON. */
const TOLD = 10;

export const command: Command = {
  arguments: '<source...>',
  options: [{ flags: '--out <file>', description: 'write the index rows, one frame a line (JSONL)' }],
  example: 'npx groundmark index scans/ --out index.jsonl',
  details:
    'SOURCE is a folder of DICOM files or a cases.csv. Rows are grouped into volumes and numbered in spatial order.',
  async run(args, options, _common, deps) {
    const sources = (await Promise.all(args.map((source) => sourcesOf(source, deps)))).flat();
    const { rows, summary } = await runIndex({ sources }, deps);
    const out = typeof options.out === 'string' ? path.resolve(options.out) : null;
    if (out) await writeJsonl(deps.store, out, rows);
    return { json: summary, text: lines(summary, out) };
  },
};

/** A source as folders: itself, or the image folders of a cases.csv. */
async function sourcesOf(source: string, deps: Deps): Promise<IndexSource[]> {
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(source)) {
    throw new GroundmarkError(
      'not-built',
      `${new URL(source).protocol}// sources are not built yet. Copy the studies to a folder and index that.`,
      {},
      { exit: EXIT.usage },
    );
  }
  if (!source.toLowerCase().endsWith('.csv')) {
    return [{ caseId: null, root: path.resolve(source), shownRoot: source }];
  }
  const file = path.resolve(source);
  const cases = readCases((await deps.store.read(file)).toString('utf8'), file);
  return cases.flatMap(({ caseId, imagePath }) =>
    imagePath === null ? [] : [{ caseId, root: imagePath, shownRoot: shown(source, file, imagePath) }],
  );
}

/** A case's folder as seen from where the cases.csv was named. */
function shown(source: string, file: string, imagePath: string): string {
  if (path.isAbsolute(source)) return imagePath;
  return path
    .join(path.dirname(source), path.relative(path.dirname(file), imagePath))
    .split(path.sep)
    .join('/');
}

function lines(summary: IndexSummary, out: string | null): string[] {
  const { files, instances, frames, studies, series, volumes, skipped, seconds } = summary;
  return [
    `${files} files: ${instances} instances, ${frames} frames in ${studies} studies, ${series} series, ` +
      `${volumes} volumes (${seconds} s)`,
    ...(out ? [`rows: ${out}`] : []),
    ...(skipped.length > 0 ? [`skipped: ${skipped.length}`] : []),
    ...skipped.slice(0, TOLD).map(({ path: file, reason }) => `  ${reason}  ${file}`),
    ...(skipped.length > TOLD ? [`  … and ${skipped.length - TOLD} more (--json lists all)`] : []),
  ];
}
