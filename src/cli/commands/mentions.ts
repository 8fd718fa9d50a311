import path from 'node:path';
import { writeJsonl } from '../../adapters/store/index.js';
import { GroundmarkError } from '../../domain/error.js';
import type { Mention } from '../../domain/finding.js';
import { SCHEMA_VERSION } from '../../domain/record.js';
import { decodeReport, loadLexicon, mentionPolarity } from '../../extract/reports/index.js';
import type { Command } from '../command.js';

const COLUMNS = ['id', 'concept', 'sentence'] as const;

/** `groundmark mentions`. CONTRACT.md. */
export const command: Command = {
  arguments: '<file>',
  options: [{ flags: '--out <file>', description: 'write one answer a line (JSONL)' }],
  example: 'npx groundmark mentions mentions.tsv --out polarity.jsonl',
  details:
    'Tab-separated, with a header line: id, concept, sentence. No quoting. Each row is judged on its own.',
  async run([file], options, _common, deps) {
    const source = path.resolve(file!);
    const { rows, skipped } = parseRows(decodeReport(await deps.store.read(source)).text, file!);
    const lexicon = await loadLexicon();
    const mentions = rows.map(({ id, concept, sentence }): Mention => {
      return { schemaVersion: SCHEMA_VERSION, id, polarity: mentionPolarity(sentence, concept, lexicon) };
    });
    const out = typeof options.out === 'string' ? path.resolve(options.out) : null;
    if (out !== null) await writeJsonl(deps.store, out, mentions);
    const count = (polarity: Mention['polarity']): number =>
      mentions.filter((mention) => mention.polarity === polarity).length;
    const counts = {
      mentions: mentions.length,
      positive: count('positive'),
      uncertain: count('uncertain'),
      negated: count('negated'),
      skipped,
    };
    return {
      json: out === null ? { ...counts, records: mentions } : { ...counts, out },
      text: [
        `${counts.mentions} mentions: ${counts.positive} positive, ${counts.uncertain} uncertain, ${counts.negated} negated`,
        ...skipped.map(({ line, reason }) => `line ${line} skipped: ${reason}`),
        ...(out === null ? [] : [`Written to ${out}`]),
      ],
    };
  },
};

interface Row {
  readonly id: string;
  readonly concept: string;
  readonly sentence: string;
}

/** Rows of the table; a line with too few columns is skipped and counted. */
function parseRows(text: string, file: string): { rows: Row[]; skipped: { line: number; reason: string }[] } {
  const [head, ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const names = head!.split('\t').map((name) => name.trim().toLowerCase());
  const [id, concept, sentence] = COLUMNS.map((column) => names.indexOf(column)) as [number, number, number];
  if (Math.min(id, concept, sentence) < 0) {
    const missing = COLUMNS.filter((column) => !names.includes(column));
    throw new GroundmarkError(
      'bad-header',
      `${file}, line 1: column ${missing.join(', ')} is missing among ${names.length} tab-separated names. ` +
        `The header must name: ${COLUMNS.join(', ')}.`,
      { file, missing, columns: COLUMNS },
    );
  }
  const rows: Row[] = [];
  const skipped: { line: number; reason: string }[] = [];
  lines.forEach((line, i) => {
    if (line.trim() === '') return;
    const cells = line.split('\t');
    if (cells.length <= Math.max(id, concept, sentence)) {
      skipped.push({ line: i + 2, reason: `${cells.length} columns where ${names.length} are named` });
    } else {
      rows.push({ id: cells[id]!, concept: cells[concept]!, sentence: cells[sentence]! });
    }
  });
  return { rows, skipped };
}
