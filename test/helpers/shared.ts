import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe } from 'vitest';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../../shared/data');

/** Path of a file of the shared real data, which lies beside the repository. */
export function sharedPath(...parts: string[]): string {
  return path.join(root, ...parts);
}

/**
 * A suite that needs the shared real data. Without it the suite is skipped by name; under CI=true it fails instead.
 */
export function describeShared(title: string, folder: string, body: () => void): void {
  const present = existsSync(sharedPath(folder));
  if (present || process.env.CI === 'true') describe(title, body);
  else describe.skip(`${title} [skipped: ../shared/data/${folder} is not here]`, body);
}
