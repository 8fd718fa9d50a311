import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { dataPath } from '../adapters/store/index.js';
import { sha256 } from '../util/hash.js';

/** The package's version. */
export function packageVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

let known: string | null = null;

/**
 * What a stage's result depends on besides its inputs: the package's version and the rules, lexicons and prompts that it
 * carries. Goes into every manifest, so that an edited rule runs the stages again.
 */
export function codeVersion(): string {
  known ??= `${packageVersion()}+data.${sha256(dataFiles().join('\n')).slice(0, 12)}`;
  return known;
}

function dataFiles(): string[] {
  const root = dataPath('');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(yaml|md)$/.test(name) && path.basename(name) !== 'README.md')
    .sort()
    .map((name) => `${name.split(path.sep).join('/')} ${sha256(readFileSync(path.join(root, name)))}`);
}
