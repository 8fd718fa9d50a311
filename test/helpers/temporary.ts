import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A folder for a suite's files, removed after it; gives what writes a file into it and answers its path. */
export function temporaryFiles(): (name: string, bytes: Uint8Array | string) => string {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'groundmark-test-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return (name, bytes) => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    return file;
  };
}
