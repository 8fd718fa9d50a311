import { EXIT, GroundmarkError } from '../domain/error.js';
import type { CommandResult } from './command.js';

/** Prints a result and gives its exit code. Under --json stdout holds one JSON object and nothing else. */
export function printResult(result: CommandResult, { json }: { readonly json: boolean }): number {
  const lines = (result.text ?? []).map((line) => `${line}\n`).join('');
  if (json) {
    process.stderr.write(lines);
    process.stdout.write(`${JSON.stringify(result.json)}\n`);
  } else process.stdout.write(lines);
  return result.exit ?? EXIT.done;
}

/** Prints an error (no stack unless verbose) and gives its exit code; whatever is not a GroundmarkError is a bug. */
export function printError(
  error: unknown,
  options: { readonly json: boolean; readonly verbose: boolean; readonly exit?: number },
): number {
  const known = error instanceof GroundmarkError;
  const code = known ? error.code : 'bug';
  const message = known
    ? error.message
    : `This is a bug in groundmark: ${error instanceof Error ? error.message : String(error)}. ` +
      `Run again with --verbose and report it, without patient data.`;
  process.stderr.write(`error: ${message}\n`);
  if (options.verbose && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  if (options.json) {
    const context = known ? error.context : {};
    process.stdout.write(`${JSON.stringify({ error: { code, message, context } })}\n`);
  }
  return options.exit ?? (known ? error.exit : EXIT.bug);
}
