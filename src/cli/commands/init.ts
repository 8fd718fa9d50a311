import path from 'node:path';
import { readDataText } from '../../adapters/store/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { Command } from '../command.js';

export const command: Command = {
  arguments: '<dir>',
  options: [],
  example: 'npx groundmark init my-benchmark',
  details:
    'Writes groundmark.yaml (every key explained) and a cases.csv to fill in. Nothing that exists is overwritten.',
  async run([dir], _options, _common, deps) {
    const root = path.resolve(dir!);
    const files = [
      [path.join(root, 'groundmark.yaml'), await readDataText('templates/groundmark.yaml')],
      [path.join(root, 'cases.csv'), await readDataText('templates/cases.csv')],
    ] as const;
    for (const [file] of files) {
      if (await deps.store.exists(file)) {
        throw new GroundmarkError(
          'exists',
          `${file} exists already and is not overwritten. Choose another folder or delete it first.`,
          { path: file },
          { exit: EXIT.usage },
        );
      }
    }
    for (const [file, text] of files) await deps.store.write(file, text);
    return {
      json: { workspace: root, files: files.map(([file]) => path.basename(file)) },
      text: [
        `Workspace made in ${root}.`,
        'Next: list your cases in cases.csv, look through groundmark.yaml, then run',
        `  npx groundmark build -w ${dir}`,
      ],
    };
  },
};
