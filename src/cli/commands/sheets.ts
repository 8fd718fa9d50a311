import path from 'node:path';
import { withLock } from '../../adapters/store/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import { sheetSchema, type Sheet } from '../../domain/retrieve.js';
import type { Command } from '../command.js';
import { runPipeline } from '../pipeline/run-pipeline.js';
import { loadWorkspace } from '../workspace.js';

export const command: Command = {
  arguments: '<case-or-series...>',
  options: [
    { flags: '--out <dir>', description: 'copy the sheets here (default: they stay in retrieve/sheets)' },
  ],
  example: 'npx groundmark sheets case-01 -w my-benchmark --out sheets',
  details:
    'Names are case ids of the workspace or SeriesInstanceUIDs. Runs the stages up to the sheets when they are not there\n' +
    'yet. Each PNG has a JSON sidecar that says which slice a label stands for.',
  async run(names, options, common, given) {
    const workspace = await loadWorkspace(common.workspace, given);
    const deps = { ...given, seed: common.seedGiven ? given.seed : workspace.config.seed };
    await withLock(workspace.paths.lock, deps.clock(), () => runPipeline(workspace, { to: 'sheets' }, deps));
    const { paths } = workspace;
    const sheets: Sheet[] = [];
    for (const file of await deps.store.list(paths.sheets)) {
      if (!file.endsWith('.json')) continue;
      sheets.push(
        sheetSchema.parse(
          JSON.parse((await deps.store.read(path.join(paths.sheets, file))).toString('utf8')),
        ),
      );
    }
    const wanted = sheets.filter(
      ({ caseId, seriesInstanceUid }) => names.includes(caseId) || names.includes(seriesInstanceUid),
    );
    const missing = names.filter(
      (name) => !wanted.some((sheet) => sheet.caseId === name || sheet.seriesInstanceUid === name),
    );
    if (missing.length > 0) {
      throw new GroundmarkError(
        'no-sheets',
        `No sheet for ${missing.join(', ')}. It is no case or series of the workspace, or the series rules left it out: see retrieve/series.jsonl.`,
        { names: missing },
        { exit: EXIT.badInput },
      );
    }
    const out = typeof options['out'] === 'string' ? path.resolve(options['out']) : null;
    const files: string[] = [];
    for (const { file, sheetId } of wanted) {
      const source = path.join(paths.root, file);
      if (out === null) {
        files.push(source);
        continue;
      }
      const target = path.join(out, `${path.basename(path.dirname(file))}-${sheetId}.png`);
      await deps.store.write(target, await deps.store.read(source));
      await deps.store.write(
        target.replace(/\.png$/, '.json'),
        await deps.store.read(source.replace(/\.png$/, '.json')),
      );
      files.push(target);
    }
    return { json: { sheets: files }, text: [`${files.length} sheets`, ...files] };
  },
};
