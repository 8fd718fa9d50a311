import type { Deps } from '../../adapters/deps.js';
import { keepStep, writeJsonl } from '../../adapters/store/index.js';
import type { Nomination } from '../../domain/evidence.js';
import { fileNominations, fileNominationSchema, type Unused } from '../file-reviewer.js';
import { blind } from '../reviewer.js';
import {
  byCase,
  caseRows,
  loadRows,
  loadSheets,
  readReaderFile,
  rowLookup,
  takenVolumes,
  type ReviewInput,
} from './records.js';

/**
 * Blind nomination (`retrieve/nominations.jsonl`): every reviewer sees the sheets alone, without target, report, case
 * name or the others' answers. A label that is on no sheet is counted, never guessed.
 */
export async function runNominate(
  { paths, codeVersion, images, reviewers, makeReviewer }: ReviewInput,
  deps: Deps,
): Promise<{ nominations: number; none: number; unused: Record<string, Unused> }> {
  const [sheets, volumes] = await Promise.all([loadSheets(paths, deps), takenVolumes(paths, deps)]);
  const rows = caseRows(await loadRows(paths, deps));
  const rowOf = rowLookup(volumes);
  const nominations: Nomination[] = [];
  const unused: Record<string, Unused> = {};
  const cases = byCase(sheets);
  const progress = deps.progress.start('Blind nomination', cases.size * reviewers.length);
  for (const config of reviewers) {
    const reviewer = makeReviewer(config);
    if (reviewer === null) {
      const lines = await readReaderFile(config.nominations, paths, deps, fileNominationSchema);
      const found = fileNominations(lines, config.id, rows);
      nominations.push(...found.nominations);
      unused[config.id] = found.unused;
      progress.tick(cases.size);
      continue;
    }
    unused[config.id] = {};
    for (const [caseId, own] of cases) {
      deps.signal.throwIfAborted();
      const stacks = [...new Set(own.map(({ volumeId }) => volumeId))];
      const input = {
        sheets: own.map((sheet) => blind(sheet, rowOf, `stack-${stacks.indexOf(sheet.volumeId) + 1}`)),
      };
      const step = { step: 'nominate', codeVersion, images, config, seed: deps.seed, input };
      const labels = await keepStep(deps.store, paths.steps, step, () => reviewer.nominate(input));
      const places = new Map(
        own.flatMap((sheet) => sheet.tiles.map((tile) => [tile.label, { sheet, tile }] as const)),
      );
      const base = { schemaVersion: 1 as const, caseId, reviewer: config.id, model: reviewer.model };
      if (labels.length === 0)
        nominations.push({ ...base, slice: null, description: 'none', confidence: null });
      for (const { label, description, confidence } of labels) {
        const place = places.get(label);
        if (place === undefined) {
          unused[config.id]!['unknown-label'] = (unused[config.id]!['unknown-label'] ?? 0) + 1;
          continue;
        }
        const { sheet, tile } = place;
        const slice = {
          seriesInstanceUid: sheet.seriesInstanceUid,
          sopInstanceUid: tile.sopInstanceUid,
          frame: tile.frame,
          position: tile.position,
          volumeId: sheet.volumeId,
        };
        nominations.push({ ...base, slice, description, confidence });
      }
      progress.tick();
    }
  }
  progress.done();
  await writeJsonl(deps.store, paths.nominations, nominations);
  const none = nominations.filter(({ slice }) => slice === null).length;
  return { nominations: nominations.length - none, none, unused };
}
