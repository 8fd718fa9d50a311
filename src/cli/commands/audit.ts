import path from 'node:path';
import { workspacePaths } from '../../adapters/store/index.js';
import { failingFlags, parseFailOn, parseFieldMap, runAudit } from '../../audit/index.js';
import type { Audit } from '../../domain/audit.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { Deps } from '../../adapters/deps.js';
import type { Command } from '../command.js';

export const command: Command = {
  arguments: '[file...]',
  options: [
    {
      flags: '--format <name>',
      description: 'layout of the files: groundmark, medqa, arc, mmlu, csv, jsonl',
    },
    { flags: '--key <file>', description: 'key.jsonl of our own items (default: beside them)' },
    { flags: '--map <fields>', description: 'fields of a csv or jsonl: question=…,choices=a+b+c,answer=…' },
    { flags: '--text-only <model...>', description: 'models that answer without the images (not built yet)' },
    { flags: '--out <file>', description: 'write every figure and flag as JSON' },
    { flags: '--html <file>', description: 'write one self-contained page' },
    { flags: '--csv <file>', description: 'write figures and flags as a table' },
    { flags: '--fail-on <rules>', description: 'exit 1 when one of these rules (or `any`) has a flag' },
  ],
  example: 'npx groundmark audit test.jsonl --out audit.json --fail-on pick-shortcut,choices-only',
  details:
    'FILE is an item file, a folder of them, or a workspace (default: the current one, whose audit/ is written).',
  async run(args, options, common, deps) {
    if (options.textOnly !== undefined) {
      throw new GroundmarkError(
        'not-built-yet',
        '--text-only is not built yet. Leave it out: every other figure needs no model.',
        {},
        { exit: EXIT.usage },
      );
    }
    const failOn = typeof options.failOn === 'string' ? parseFailOn(options.failOn) : [];
    const files = args.length > 0 ? args.map((file) => path.resolve(file)) : [common.workspace];
    const outputs = await outputsOf(files, options, deps);
    const audit = await runAudit(
      {
        files,
        format: text(options.format),
        map: typeof options.map === 'string' ? parseFieldMap(options.map) : null,
        keyFile: resolved(options.key),
        ...outputs,
      },
      deps,
    );
    const failing = failingFlags(audit.flags, failOn);
    return {
      json: audit,
      text: lines(audit, outputs, failing.length),
      exit: failing.length > 0 ? EXIT.checkFailed : EXIT.done,
    };
  },
};

interface Outputs {
  readonly out: string | null;
  readonly html: string | null;
  readonly csv: string | null;
}

/** Files to write: those named, and for a workspace its own audit.json and audit.html. */
async function outputsOf(
  files: readonly string[],
  options: Readonly<Record<string, unknown>>,
  { store }: Deps,
): Promise<Outputs> {
  const paths = workspacePaths(files[0]!);
  const isWorkspace = files.length === 1 && (await store.exists(paths.items));
  return {
    out: resolved(options.out) ?? (isWorkspace ? paths.audit : null),
    html: resolved(options.html) ?? (isWorkspace ? paths.auditHtml : null),
    csv: resolved(options.csv),
  };
}

function lines(audit: Audit, { out, html, csv }: Outputs, failing: number): string[] {
  const { dataset, picks, choicesOnlyLr, flags } = audit;
  const blind = choicesOnlyLr.strict ?? choicesOnlyLr;
  const counts = new Map<string, number>();
  for (const { rule } of flags) counts.set(rule, (counts.get(rule) ?? 0) + 1);
  return [
    `${dataset.scored} of ${dataset.items} items scored (${dataset.format}; ${dataset.severalKeys} with several keys, ` +
      `${dataset.skipped.length} skipped), chance ${percent(dataset.chance)}`,
    ...Object.entries(picks).map(([name, pick]) => `  ${name.padEnd(20)} ${percent(pick.acc).padStart(7)}`),
    `  ${'choicesOnlyLr'.padEnd(20)} ${percent(blind.acc).padStart(7)}`,
    ...Object.entries(audit.evidence?.features ?? {}).map(
      ([name, { auc }]) => `  ${`evidence ${name}`.padEnd(28)} AUC ${auc === null ? '–' : auc.toFixed(3)}`,
    ),
    flags.length === 0 ? 'no flags' : `${flags.length} flags:`,
    ...[...counts].map(([rule, count]) => `  ${rule}: ${count}`),
    ...(failing > 0 ? [`failed: ${failing} flags of the rules in --fail-on`] : []),
    ...[out, html, csv].flatMap((file) => (file === null ? [] : [`written: ${file}`])),
  ];
}

function percent(rate: number | null): string {
  return rate === null ? '–' : `${(100 * rate).toFixed(1)} %`;
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function resolved(value: unknown): string | null {
  return typeof value === 'string' ? path.resolve(value) : null;
}
