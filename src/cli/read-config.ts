import { parse } from 'yaml';
import { knownKeys } from '../adapters/store/index.js';
import type { z } from 'zod';
import { configSchema, type Config } from '../domain/config.js';
import { GroundmarkError } from '../domain/error.js';
import { nearest } from '../util/text.js';

/**
 * `groundmark.yaml` as a checked configuration.
 *
 * @throws {GroundmarkError} `bad-config` naming file and key; an unknown key names the nearest known one
 */
export function readConfig(text: string, file: string): Config {
  return read(text, file, configSchema);
}

/** The same of a file that need not say all: what it says is checked, what it leaves out is undefined or the default. */
export function readPartialConfig(text: string, file: string): Partial<Config> {
  return read(text, file, configSchema.partial());
}

function read<T>(text: string, file: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = parse(text);
  } catch (cause) {
    const line = (cause as Error).message.split('\n')[0];
    throw new GroundmarkError('bad-config', `${file}: not valid YAML (${line}).`, { file }, { cause });
  }
  const parsed = schema.safeParse(value ?? {});
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const at = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const key = issue.keys[0]!;
    const known = knownKeys(configSchema, issue.path);
    const near = nearest(key, known);
    const hint = near === null ? `Known keys: ${known.join(', ')}.` : `Did you mean ${near}?`;
    const where = at === '' ? key : `${at}.${key}`;
    throw new GroundmarkError('bad-config', `${file}: unknown key ${where}. ${hint}`, { file, key: where });
  }
  throw new GroundmarkError('bad-config', `${file}, key ${at || '(top level)'}: ${issue.message}.`, {
    file,
    key: at,
  });
}
