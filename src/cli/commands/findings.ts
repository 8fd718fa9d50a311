import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { fileError, writeJsonl } from '../../adapters/store/index.js';
import { SCHEMA_VERSION } from '../../domain/record.js';
import type { ReportFindings } from '../../domain/finding.js';
import { checkEngine, loadLexicon, readReport } from '../../extract/reports/index.js';
import type { Command } from '../command.js';

/** `groundmark findings`. CONTRACT.md. Report text goes to the --out file, or into the JSON result without one. */
export const command: Command = {
  arguments: '<report...>',
  options: [
    { flags: '--engine <engine>', description: 'rules (offline), or a model', default: 'offline/rules' },
    { flags: '--out <file>', description: 'write the findings, one report a line (JSONL)' },
  ],
  example: 'npx groundmark findings reports/ --out findings.jsonl',
  details:
    'REPORT is a text file or a folder of .txt files. UTF-8 is expected; other files are read as windows-1252 and\n' +
    'counted. Offsets are Unicode code points.',
  async run(args, options, _common, deps) {
    checkEngine(typeof options.engine === 'string' ? options.engine : 'offline/rules');
    const files = await reportFiles(args, deps);
    const lexicon = await loadLexicon();
    const records: ReportFindings[] = [];
    const encodings: Record<string, number> = { 'utf-8': 0, 'windows-1252': 0 };
    let empty = 0;
    for (const { id, file } of files) {
      const { decoded, report } = readReport(id, await deps.store.read(file), lexicon);
      encodings[decoded.encoding]! += 1;
      if (report === null) empty++;
      records.push(report ?? emptyRecord(id));
    }
    const out = typeof options.out === 'string' ? path.resolve(options.out) : null;
    if (out !== null) await writeJsonl(deps.store, out, records);
    const sentences = records.flatMap((record) => record.sentences);
    const counts = {
      reports: records.length,
      empty,
      sentences: sentences.length,
      findings: sentences.reduce((n, sentence) => n + sentence.findings.length, 0),
      encodings,
    };
    return {
      json: out === null ? { ...counts, records } : { ...counts, out },
      text: lines(counts, out),
    };
  },
};

interface ReportFile {
  /** The path as given, with `/`. */
  readonly id: string;
  readonly file: string;
}

/** The reports that the arguments name, each once, folders in code-unit order. */
async function reportFiles(args: readonly string[], deps: Deps): Promise<ReportFile[]> {
  const found = new Map<string, ReportFile>();
  const add = (given: string): void => {
    const file = path.resolve(given);
    if (!found.has(file)) found.set(file, { id: given.split(path.sep).join('/'), file });
  };
  for (const given of args) {
    const inside = await filesIn(given, deps);
    if (inside === null) add(given);
    else
      inside
        .filter((name) => name.toLowerCase().endsWith('.txt'))
        .forEach((name) => add(path.join(given, name)));
  }
  return [...found.values()];
}

/** Files below a folder; null when the path is a file. */
async function filesIn(given: string, deps: Deps): Promise<string[] | null> {
  const place = path.resolve(given);
  if (!(await deps.store.exists(place))) throw fileError({ code: 'ENOENT' }, given, 'read');
  return deps.store.list(place).catch(() => null);
}

function emptyRecord(reportId: string): ReportFindings {
  return { schemaVersion: SCHEMA_VERSION, reportId, sections: [], sentences: [], status: 'empty-report' };
}

function lines(
  counts: {
    reports: number;
    empty: number;
    sentences: number;
    findings: number;
    encodings: Record<string, number>;
  },
  out: string | null,
): string[] {
  const recoded = counts.encodings['windows-1252']!;
  return [
    `${counts.reports} reports, ${counts.sentences} sentences, ${counts.findings} findings`,
    ...(counts.empty > 0 ? [`${counts.empty} reports hold no text`] : []),
    ...(recoded > 0 ? [`${recoded} reports are not UTF-8 and were read as windows-1252`] : []),
    out === null
      ? 'Give --out FILE.jsonl to keep the findings, or --json to print them.'
      : `Written to ${out}`,
  ];
}
