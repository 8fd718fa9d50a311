import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that lives as long as this run of the test runner; helpers/e2e.ts keeps shared demo runs in it. */
    readonly e2eFolder: string;
  }
}

/** Makes the folder before the first test file and removes it after the last. Nothing is run here: see `demoRun`. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'groundmark-e2e-'));
  project.provide('e2eFolder', folder);
  return () => rm(folder, { recursive: true, force: true });
}
