import path from 'node:path';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import { metrics, type ScoreReport } from '../../domain/score.js';
import { percent, rateText, runScore } from '../../score/index.js';
import type { Command } from '../command.js';

/** `groundmark score`. CONTRACT.md. */
export const command: Command = {
  arguments: '',
  options: [
    { flags: '--key <file>', description: 'the private key (key.jsonl)' },
    {
      flags: '--responses <file...>',
      description: 'response files; the models in them are compared, paired by item',
    },
    { flags: '--out <file>', description: 'write all figures as JSON' },
    { flags: '--csv <file>', description: 'write one row a reply' },
    { flags: '--html <file>', description: 'write a report page that opens without a network' },
    { flags: '--markdown <file>', description: 'write the tables as Markdown' },
    {
      flags: '--reparse',
      description: 'read the raw replies again with the present parser, and say how many outcomes changed',
    },
  ],
  example: 'npx groundmark score --key mcq/key.jsonl --responses runs/*/responses.jsonl --html report.html',
  details:
    'Answer: the right letter. Evidence: one to three images, enough of them within two slices of a reference image.\n' +
    'Joint: both. Every item is in the denominator; chance is printed beside the scores.',
  async run(_args, options, _common, deps) {
    const keyFile = required(options.key, '--key', 'the private key, such as mcq/key.jsonl');
    const responseFiles = (options.responses as string[] | undefined) ?? [];
    if (responseFiles.length === 0)
      required(undefined, '--responses', 'one or more responses.jsonl that `groundmark run` wrote');
    const place = (value: unknown): string | null => (typeof value === 'string' ? path.resolve(value) : null);
    const report = await runScore(
      {
        keyFile: path.resolve(keyFile),
        responseFiles: responseFiles.map((file) => path.resolve(file)),
        out: place(options.out),
        csv: place(options.csv),
        html: place(options.html),
        markdown: place(options.markdown),
        reparse: options.reparse === true,
      },
      deps,
    );
    return { json: report, text: summaryLines(report) };
  },
};

function required(value: unknown, flag: string, what: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new GroundmarkError(
    'usage',
    `score needs ${flag}: ${what}. See \`groundmark score --help\`.`,
    { option: flag },
    { exit: EXIT.usage },
  );
}

/** The headline as a table for a terminal, chance last. */
function summaryLines({ models, chance, ignored, reparse }: ScoreReport): string[] {
  const rows = [
    ['model', 'items', 'answer (95 % CI)', 'evidence (95 % CI)', 'joint (95 % CI)'],
    ...models.map((model) => [
      model.model,
      String(model.n),
      ...metrics.map((metric) => rateText(model[metric])),
    ]),
    ['chance', '', percent(chance.answer), percent(chance.evidence.best), percent(chance.joint.best)],
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
  );
  if (ignored.length > 0)
    lines.push(`${ignored.length} responses answer items that the key lacks: left out.`);
  if (reparse) {
    const moved = reparse.outcomes.map(({ from, to, count }) => `${count} from ${from} to ${to}`);
    lines.push(
      `${reparse.read} raw replies read again by ${reparse.parser}: ${reparse.changed} changed` +
        `${moved.length === 0 ? '' : `; outcomes: ${moved.join(', ')}`}.`,
    );
  }
  return lines;
}
