import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { pickWindow, renderSheets, windowRulesSchema } from '../../adapters/image/index.js';
import { readDataYaml } from '../../adapters/store/index.js';
import type { IndexRow } from '../../domain/index-row.js';
import type { Sheet } from '../../domain/retrieve.js';
import { rng } from '../../util/rng.js';
import { planSheets } from '../plan-sheets.js';
import type { CaseVolume } from '../volumes.js';
import { byCase, loadTargets, rowLookup, takenVolumes, type RetrieveInput } from './records.js';

const TILE_SIZE = 256;

/** Draws the contact sheets of every taken stack, each with its sidecar. */
export async function runSheets(
  { paths }: RetrieveInput,
  deps: Deps,
): Promise<{ sheets: number; tiles: number }> {
  const windows = await readDataYaml('windows.yaml', windowRulesSchema);
  const [volumes, targets] = await Promise.all([takenVolumes(paths, deps), loadTargets(paths, deps)]);
  const rowOf = rowLookup(volumes);
  const sheets: Sheet[] = [];
  for (const [caseId, own] of byCase(volumes)) {
    const region = targets.find((target) => target.caseId === caseId)?.region ?? null;
    const window = (volume: CaseVolume): Sheet['window'] =>
      pickWindow(windows, {
        modality: volume.modality,
        region,
        concept: null,
        description: `${volume.seriesDescription ?? ''} ${volume.convolutionKernel ?? ''}`,
      }) as Sheet['window'];
    sheets.push(...planSheets(caseId, own, rng(deps.seed, 'sheet-labels', caseId), window));
  }
  const progress = deps.progress.start('Contact sheets', sheets.length);
  const pictures = await renderSheets(
    deps.queue,
    sheets.map(({ tiles, window }) => ({
      slices: tiles.map(({ sopInstanceUid, frame }) => renderOf(rowOf(sopInstanceUid, frame), paths.root)),
      labels: tiles.map(({ label }) => label),
      window,
      tileSize: TILE_SIZE,
    })),
    { onDone: () => progress.tick(), signal: deps.signal },
  );
  progress.done();
  await deps.store.remove(paths.sheets);
  for (const [i, sheet] of sheets.entries()) {
    await deps.store.write(path.join(paths.root, sheet.file), pictures[i]!);
    const sidecar = sheet.file.replace(/\.png$/, '.json');
    await deps.store.write(path.join(paths.root, sidecar), `${JSON.stringify(sheet, null, 2)}\n`);
  }
  return { sheets: sheets.length, tiles: sheets.reduce((n, { tiles }) => n + tiles.length, 0) };
}

function renderOf(row: IndexRow, root: string) {
  return {
    file: path.resolve(root, row.path),
    frame: row.frame,
    orientation: row.imageOrientationPatient,
    pixelSpacingMm: row.pixelSpacingMm,
  };
}
