import { vi } from 'vitest';
import { main } from '../../src/cli/main.js';

/** What a command line gave. */
export interface Said {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, as `bin/groundmark.js` does, and catches what it prints. */
export async function runMain(...argv: readonly string[]): Promise<Said> {
  const said = { stdout: '', stderr: '' };
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      said[name] += String(text);
      return true;
    }),
  );
  try {
    const code = await main(argv);
    return { code, ...said };
  } finally {
    spies.forEach((spy) => spy.mockRestore());
  }
}

/** The error of a `--json` run. */
export function errorOf({ stdout }: Said): {
  code: string;
  message: string;
  context: Record<string, unknown>;
} {
  return (
    JSON.parse(stdout) as { error: { code: string; message: string; context: Record<string, unknown> } }
  ).error;
}
