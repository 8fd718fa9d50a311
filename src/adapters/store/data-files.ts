import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import type { z } from 'zod';
import { GroundmarkError } from '../../domain/error.js';
import { describeIssue } from './schema-issue.js';

const DATA = new URL('../../../data/', import.meta.url);

/** Absolute path of a file that the package carries in `data/`. */
export function dataPath(name: string): string {
  return fileURLToPath(new URL(name, DATA));
}

/** Text of a file that the package carries in `data/`. */
export async function readDataText(name: string): Promise<string> {
  return readFile(dataPath(name), 'utf8');
}

/**
 * A YAML file of `data/`, checked whole.
 *
 * @throws {GroundmarkError} `bad-data-file` naming the file and the key
 */
export async function readDataYaml<T>(name: string, schema: z.ZodType<T>): Promise<T> {
  return checkYaml(await readDataText(name), schema, `data/${name}`);
}

/** YAML text checked by a schema; the error names file, key, the value found and, for an unknown key, the nearest known one. */
export function checkYaml<T>(text: string, schema: z.ZodType<T>, file: string): T {
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    throw new GroundmarkError(
      'bad-yaml',
      `${file}: not valid YAML (${(cause as Error).message.split('\n')[0]}).`,
      { file },
      { cause },
    );
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { key, text: what } = describeIssue(schema, value, parsed.error.issues[0]!);
  throw new GroundmarkError('bad-data-file', `${file}, key ${key}: ${what}`, { file, key });
}
