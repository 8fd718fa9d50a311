import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const DATA = fileURLToPath(new URL('../data/', import.meta.url));

/** Folders of generated files: one row stands for all of them. */
const FOLDERS = ['schemas/'];

const README = readFileSync(`${DATA}README.md`, 'utf8');

/** What a file is called in the table: its path, or its folder's where one row stands for the folder. */
function rowName(file: string): string {
  return FOLDERS.find((folder) => file.startsWith(folder)) ?? file;
}

/** Names in the table's first column. */
function rowsOf(readme: string): string[] {
  return [...readme.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1]!);
}

/** Files without a row. */
function withoutRow(files: readonly string[], rows: readonly string[]): string[] {
  return files.filter((file) => !rows.includes(rowName(file)));
}

const files = readdirSync(DATA, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`.replace(/\\/g, '/').replace(/\/+/g, '/'))
  .map((file) => file.slice(DATA.length))
  .filter((file) => file !== 'README.md');

describe('data/README.md', () => {
  it('has a row for every file in data/', () => {
    expect(files).toContain('lexicons/cues.yaml');
    expect(withoutRow(files, rowsOf(README))).toEqual([]);
  });

  it('has no row for a file that is gone, and no row twice', () => {
    const rows = rowsOf(README);
    const present = new Set(files.map(rowName));
    expect(rows.filter((row) => !FOLDERS.includes(row) && !present.has(row))).toEqual([]);
    expect(rows.length).toBe(new Set(rows).size);
  });

  it('says of every row what it holds, how it was made and where it is read', () => {
    const thin = README.split('\n').filter(
      (line) =>
        line.startsWith('| `') &&
        line
          .split('|')
          .slice(1, -1)
          .some((cell) => cell.trim() === ''),
    );
    expect(thin).toEqual([]);
    expect(
      README.split('\n')
        .filter((line) => line.startsWith('| `'))
        .every((line) => line.split('|').length === 6),
    ).toBe(true);
  });

  it('would notice a planted file without a row, and lets a generated folder share one', () => {
    const rows = ['windows.yaml', 'schemas/'];
    expect(withoutRow(['windows.yaml', 'schemas/item.schema.json', 'axes/new.yaml'], rows)).toEqual([
      'axes/new.yaml',
    ]);
  });
});
