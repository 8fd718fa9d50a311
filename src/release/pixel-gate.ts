import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { gateJob, type GateInput, type GateResult } from '../adapters/dicom/deid/index.js';
import { byCodeUnit, readJsonl, type WorkspacePaths } from '../adapters/store/index.js';
import type { Config } from '../domain/config.js';
import { EXIT, GroundmarkError } from '../domain/error.js';
import { evidenceSchema } from '../domain/evidence.js';
import { indexRowSchema } from '../domain/index-row.js';
import type { Item } from '../domain/item.js';
import type { PixelRule } from '../domain/pixel-rules.js';

/** What the gate found; private (`audit/deid.json`), since it names series and items. */
export interface PixelGateReport {
  readonly schemaVersion: 1;
  /** DICOM files whose headers were judged, and rendered pictures that were searched for text. */
  readonly headers: number;
  readonly pictures: number;
  readonly unreadable: number;
  readonly refused: readonly GateFinding[];
  readonly allowed: readonly (GateFinding & { readonly reason: string })[];
}

export interface GateFinding {
  readonly rule: PixelRule;
  /** Series of the flagged header; null for a picture. */
  readonly seriesInstanceUid: string | null;
  /** Item and image of the flagged picture; null for a header. */
  readonly picture: string | null;
}

type Allow = Config['release']['allow'];

/** Files in one job. */
const BATCH = 24;

/**
 * Judges everything that an item's pictures come from: the headers of their DICOM files, and the pictures themselves for
 * text in the pixels.
 */
export async function judgePixels(
  { paths, items, allow }: { paths: WorkspacePaths; items: readonly Item[]; allow: Allow },
  deps: Pick<Deps, 'store' | 'queue' | 'progress' | 'signal'>,
): Promise<PixelGateReport> {
  const sources = await sourceFiles(paths, deps);
  const pictures = items.flatMap((item) =>
    item.images.map((image) => ({
      file: path.join(path.dirname(paths.items), image.file),
      name: `${item.id}/${image.id}`,
    })),
  );
  const headers = await judge(
    'header',
    sources.map(({ file }) => file),
    deps,
  );
  const searched = await judge(
    'picture',
    pictures.map(({ file }) => file),
    deps,
  );
  const refused: GateFinding[] = [];
  const allowed: (GateFinding & { reason: string })[] = [];
  const add = (finding: GateFinding): void => {
    const override = allow.find(
      ({ rule, series }) =>
        rule === finding.rule && (series === undefined || series === finding.seriesInstanceUid),
    );
    if (override) allowed.push({ ...finding, reason: override.reason });
    else refused.push(finding);
  };
  const seen = new Set<string>();
  headers.forEach((result, i) => {
    for (const rule of 'rules' in result ? result.rules : []) {
      const { seriesInstanceUid } = sources[i]!;
      // One record a series: its files say the same.
      const key = `${rule}\0${seriesInstanceUid}`;
      if (seen.has(key)) continue;
      seen.add(key);
      add({ rule, seriesInstanceUid, picture: null });
    }
  });
  searched.forEach((result, i) => {
    for (const rule of 'rules' in result ? result.rules : [])
      add({ rule, seriesInstanceUid: null, picture: pictures[i]!.name });
  });
  // A picture that cannot be read is refused where the bundle is written, by its name.
  const unreadable = headers.filter((result) => 'unreadable' in result).length;
  return {
    schemaVersion: 1,
    headers: headers.length,
    pictures: searched.length,
    unreadable,
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
  for (const { rule } of report.refused) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  const told = [...counts].sort(([a], [b]) => byCodeUnit(a, b)).map(([rule, n]) => `${rule} ${n}`);
  throw new GroundmarkError(
    'burned-in',
    `Pictures may show who a patient is: ${told.join(', ')}. Nothing was released. ${reportFile} names the series and items. ` +
      `Look at them; take the cases out and build again, or allow the rule in groundmark.yaml with a reason ` +
      `(release: { allow: [{ rule, series, reason }] }).`,
    { rules: Object.fromEntries(counts) },
    { exit: EXIT.checkFailed },
  );
}

async function judge(
  kind: GateInput['kind'],
  files: readonly string[],
  deps: Pick<Deps, 'queue' | 'progress' | 'signal'>,
): Promise<GateResult[]> {
  const batches: GateInput[] = [];
  for (let i = 0; i < files.length; i += BATCH) batches.push({ kind, files: files.slice(i, i + BATCH) });
  const task = deps.progress.start(
    kind === 'header' ? 'Check headers' : 'Search pictures for text',
    files.length,
  );
  try {
    const onDone = (i: number): void => task.tick(batches[i]!.files.length);
    const results = await deps.queue.map<GateInput, GateResult[]>(gateJob, batches, {
      onDone,
      signal: deps.signal,
    });
    return results.flat();
  } finally {
    task.done();
  }
}

/** The DICOM files of every slice that an item shows, each once, by path. */
async function sourceFiles(
  paths: WorkspacePaths,
  { store }: Pick<Deps, 'store'>,
): Promise<{ file: string; seriesInstanceUid: string | null }[]> {
  const shown = new Set<string>();
  for (const { references, comparisons, dropped } of await readJsonl(store, paths.evidence, evidenceSchema)) {
    if (dropped !== null) continue;
    for (const { sopInstanceUid } of [...references, ...comparisons]) shown.add(sopInstanceUid);
  }
  const files = new Map<string, string | null>();
  for (const row of await readJsonl(store, paths.index, indexRowSchema)) {
    if (row.sopInstanceUid === null || !shown.has(row.sopInstanceUid)) continue;
    files.set(path.resolve(paths.root, row.path), row.seriesInstanceUid);
  }
  return [...files]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .map(([file, seriesInstanceUid]) => ({ file, seriesInstanceUid }));
}
