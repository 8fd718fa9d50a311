import type { z } from 'zod';
import type { Imported, SourceFile } from './importer.js';

/**
 * Imports each line of a JSONL file through a schema. A line that is not JSON or lacks a field is one skipped record.
 */
export function importLines<T>(
  file: SourceFile,
  schema: z.ZodType<T>,
  toItem: (record: T, where: string) => Imported,
): Imported[] {
  return lines(file.text).map(({ text, number }) => {
    const where = `${file.name}:${number}`;
    const value = parseJson(text);
    if (value === undefined) return { status: 'skipped', where, reason: 'not-json' };
    const parsed = schema.safeParse(value);
    return parsed.success
      ? toItem(parsed.data, where)
      : { status: 'skipped', where, reason: 'missing-field' };
  });
}

/** Whether the first line of a file that is JSON fits a schema. */
export function firstLineFits(file: SourceFile, schema: z.ZodType): boolean {
  const first = lines(file.text.slice(0, file.text.indexOf('\n') + 1) || file.text)[0];
  return first !== undefined && schema.safeParse(parseJson(first.text)).success;
}

function lines(text: string): { text: string; number: number }[] {
  return text.split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [{ text: line, number: i + 1 }]));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
