import path from 'node:path';
import { z } from 'zod';
import { readJsonl, writeJsonl } from '../../adapters/store/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import { splits, type Split } from '../../domain/item.js';
import { splitRecords } from '../../mcq/index.js';
import type { Command } from '../command.js';

export const command: Command = {
  arguments: '<file>',
  options: [
    { flags: '--ratios <ratios>', description: 'shares of dev, validation, test', default: '64,19,17' },
    {
      flags: '--mode <mode>',
      description: 'balanced: sizes near the ratios; hash: adding a case moves no other',
      default: 'balanced',
    },
    { flags: '--group <field>', description: 'the one field that keeps items together' },
    { flags: '--out <file>', description: 'where to write (default: back into FILE)' },
  ],
  example: 'npx groundmark split cases-items.jsonl --group patient_id --ratios 64,19,17 --out split.jsonl',
  details:
    'Items that share patientId, patient_id, caseGroup, caseId, case_id or studyInstanceUid, directly or through ' +
    'other items, get the same split.',
  async run([file], options, _common, deps) {
    const source = path.resolve(file!);
    const out = typeof options.out === 'string' ? path.resolve(options.out) : source;
    const records = await readJsonl(deps.store, source, z.record(z.string(), z.unknown()));
    if (records.length === 0) {
      throw new GroundmarkError('no-items', `${source} has no items. Name a JSONL file of items.`, {
        path: source,
      });
    }
    const mode = parseMode(options.mode);
    const ratios = parseRatios(options.ratios);
    const group = typeof options.group === 'string' ? options.group : null;
    const result = splitRecords(records, { group, mode, ratios, seed: deps.seed });
    await writeJsonl(deps.store, out, result.records);
    const { counts, groups } = result;
    return {
      json: { out, items: records.length, groups, counts, mode, ratios },
      text: [
        `${records.length} items of ${groups} groups: ${splits.map((split) => `${split} ${counts[split]}`).join(', ')}`,
        `Written to ${out}`,
      ],
    };
  },
};

function parseMode(value: unknown): 'balanced' | 'hash' {
  if (value === undefined || value === 'balanced') return 'balanced';
  if (value === 'hash') return 'hash';
  throw usage(`--mode ${typeof value === 'string' ? value : ''} is not known. Use balanced or hash.`);
}

function parseRatios(value: unknown): Record<Split, number> {
  const text = typeof value === 'string' ? value : '64,19,17';
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const sum = numbers.reduce((total, number) => total + number, 0);
  if (numbers.length !== splits.length || numbers.some((n) => !Number.isFinite(n) || n < 0) || sum <= 0) {
    throw usage(
      `--ratios ${text} is not three numbers of 0 or more for dev, validation and test, such as 64,19,17.`,
    );
  }
  return { dev: numbers[0]!, validation: numbers[1]!, test: numbers[2]! };
}

function usage(message: string): GroundmarkError {
  return new GroundmarkError('usage', message, {}, { exit: EXIT.usage });
}
