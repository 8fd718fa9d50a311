import path from 'node:path';
import { readKeptScans, withLock, workspacePaths } from '../../adapters/store/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { IndexSummary } from '../../domain/index-row.js';
import type { KeptScan } from '../../domain/kept-scan.js';
import type { Volume } from '../../domain/volume.js';
import {
  describeVolumes,
  runIndex,
  writeIndex,
  type IndexSource,
} from '../../extract/index-studies/index.js';
import type { Deps } from '../../adapters/deps.js';
import { oneLine } from '../../util/text.js';
import { isDicomwebUrl } from '../../adapters/dicom/dicomweb/index.js';
import type { Command } from '../command.js';
import { dicomwebSources, type DicomwebSources } from '../dicomweb-source.js';
import { readCases } from '../read-cases.js';
import { readPartialConfig } from '../read-config.js';
import { packageVersion } from '../version.js';

/** Skipped files told to people one by one; all of them are in the JSON. */
const TOLD = 10;
const TOLD_VOLUMES = 30;

export const command: Command = {
  arguments: '<source...>',
  options: [
    { flags: '--out <file>', description: 'write the index rows, one frame a line (JSONL)' },
    {
      flags: '--db <file>',
      description:
        'write the index as a DuckDB database (of a workspace’s own cases: .groundmark/index.duckdb)',
    },
    {
      flags: '--update',
      description: 'read only files that are new or changed since the last --update into this database',
    },
    {
      flags: '--dicomweb-auth <source>',
      description: 'credentials of a PACS: env:NAME or file:PATH, holding user:password or Bearer TOKEN',
    },
  ],
  example: 'npx groundmark index scans/ --out index.jsonl',
  details:
    'SOURCE is a folder of DICOM files, a cases.csv, or a PACS: dicomweb+https://HOST/BASE[?StudyInstanceUID=…].\n' +
    'Rows are grouped into volumes and numbered in spatial order.',
  async run(args, options, common, deps) {
    const auth = typeof options.dicomwebAuth === 'string' ? options.dicomwebAuth : null;
    const services = dicomwebSources(common.workspace, auth, deps);
    try {
      const sources: IndexSource[] = [];
      for (const source of args) sources.push(...(await sourcesOf(source, deps, services)));
      if (sources.length === 0) services.refuse();
      const database = await databaseFile(options.db, args, common.workspace, deps);
      const earlier = options.update === true ? await earlierScans(database, deps) : null;
      const { rows, summary: found, scans } = await runIndex({ sources, earlier }, deps);
      const summary = services.counted(found);
      const out = typeof options.out === 'string' ? path.resolve(options.out) : null;
      const write = (): Promise<void> =>
        writeIndex(
          {
            rows,
            skipped: summary.skipped,
            rowsFile: out,
            databaseFile: database,
            scans: scans && { version: packageVersion(), scans },
          },
          deps,
        );
      const { indexDatabase, lock } = workspacePaths(common.workspace);
      // A build writes there too.
      await (database === indexDatabase ? withLock(lock, deps.clock(), write) : write());
      return { json: { ...summary, database }, text: lines(summary, describeVolumes(rows), out, database) };
    } finally {
      await services.close();
    }
  },
};

/**
 * Where the database goes: where --db says; into the workspace for the workspace's own cases, whose index it is to others;
 * or nowhere.
 */
async function databaseFile(
  option: unknown,
  sources: readonly string[],
  workspace: string,
  { store, log }: Pick<Deps, 'store' | 'log'>,
): Promise<string | null> {
  if (typeof option === 'string') return path.resolve(option);
  const paths = workspacePaths(workspace);
  if (!(await store.exists(paths.config))) return null;
  const { cases = 'cases.csv' } = readPartialConfig(
    (await store.read(paths.config)).toString('utf8'),
    paths.config,
  );
  const own = path.resolve(path.dirname(paths.config), cases);
  if (sources.length === 1 && path.resolve(sources[0]!) === own) return paths.indexDatabase;
  log.info(
    `${paths.indexDatabase} is of the workspace's cases and stays as it is. Name another by --db FILE.`,
  );
  return null;
}

/** What the last --update kept in the database. */
async function earlierScans(
  database: string | null,
  { log }: Pick<Deps, 'log'>,
): Promise<readonly KeptScan[]> {
  if (database === null) {
    throw new GroundmarkError(
      'no-database',
      'index --update keeps what it needs in the database, and there is none. Give --db FILE, or -w WORKSPACE.',
      {},
      { exit: EXIT.usage },
    );
  }
  const earlier = await readKeptScans(database, packageVersion());
  if (earlier === null) log.warn(`${database} cannot be read (damaged or in use): every file is read`);
  return earlier ?? [];
}

/** A source as folders: itself, or the image folders of a cases.csv. */
async function sourcesOf(source: string, deps: Deps, services: DicomwebSources): Promise<IndexSource[]> {
  const ofService = async (url: string, caseId: string | null): Promise<IndexSource[]> => {
    const opened = await services.open(url, caseId);
    return opened === null ? [] : [opened];
  };
  if (isDicomwebUrl(source)) return ofService(source, null);
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(source)) {
    throw new GroundmarkError(
      'unknown-source',
      `${source.split(':')[0]!}:// sources cannot be indexed. Name a folder, a cases.csv, or dicomweb+https://HOST/BASE.`,
      {},
      { exit: EXIT.usage },
    );
  }
  if (!source.toLowerCase().endsWith('.csv')) {
    return [{ caseId: null, root: path.resolve(source), shownRoot: source }];
  }
  const file = path.resolve(source);
  const cases = readCases((await deps.store.read(file)).toString('utf8'), file);
  const sources: IndexSource[] = [];
  for (const { caseId, imagePath, imageUrl } of cases) {
    if (imageUrl !== undefined) sources.push(...(await ofService(imageUrl, caseId)));
    else if (imagePath !== null) {
      sources.push({ caseId, root: imagePath, shownRoot: shown(source, file, imagePath) });
    }
  }
  return sources;
}

/** A case's folder as seen from where the cases.csv was named. */
function shown(source: string, file: string, imagePath: string): string {
  if (path.isAbsolute(source)) return imagePath;
  return path
    .join(path.dirname(source), path.relative(path.dirname(file), imagePath))
    .split(path.sep)
    .join('/');
}

/** One stack: what a reader wants to see before it is used. */
function volumeLine(volume: Volume): string {
  const { modality, plane, slices, spacingMm, seriesNumber, seriesDescription, warnings } = volume;
  const spacing = spacingMm === null ? '' : ` × ${Number(spacingMm.toFixed(2))} mm`;
  const warned = warnings.length === 0 ? '' : `  [${warnings.join(', ')}]`;
  return (
    `  ${String(seriesNumber ?? '-').padStart(5)}  ${oneLine(modality ?? '?').padEnd(5)} ${(plane ?? '-').padEnd(8)}  ` +
    `${`${slices}${spacing}`.padEnd(16)}  ${oneLine(seriesDescription ?? '')}${warned}`
  );
}

function lines(
  summary: IndexSummary,
  stacks: readonly Volume[],
  out: string | null,
  database: string | null,
): string[] {
  const { files, instances, frames, studies, series, volumes, skipped, seconds } = summary;
  return [
    `${files} files: ${instances} instances, ${frames} frames in ${studies} studies, ${series} series, ` +
      `${volumes} volumes (${seconds} s)`,
    '  series  kind  plane     slices            description',
    ...stacks.slice(0, TOLD_VOLUMES).map(volumeLine),
    ...(stacks.length > TOLD_VOLUMES
      ? [`  … and ${stacks.length - TOLD_VOLUMES} more volumes (the rows have all)`]
      : []),
    ...(out ? [`rows: ${out}`] : []),
    ...(database ? [`database: ${database}`] : []),
    ...(skipped.length > 0 ? [`skipped: ${skipped.length}`] : []),
    ...skipped.slice(0, TOLD).map(({ path: file, reason }) => `  ${reason}  ${oneLine(file)}`),
    ...(skipped.length > TOLD ? [`  … and ${skipped.length - TOLD} more (--json lists all)`] : []),
  ];
}
