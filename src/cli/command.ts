import type { Deps } from '../adapters/deps.js';
import type { ExitCode } from '../domain/error.js';

export interface CommandOption {
  /** commander's flags: `--out <file>`, `--window <window>`, `--model <model...>`. */
  readonly flags: string;
  readonly description: string;
  readonly default?: string | number | boolean;
}

/** What a command gives back; main prints it. */
export interface CommandResult {
  /** The one object on stdout under `--json`. */
  readonly json: unknown;
  /** Lines for people, on stdout (stderr under --json). */
  readonly text?: readonly string[];
  readonly exit?: ExitCode;
}

/** Options that every command has. `workspace` is absolute. */
export interface CommonOptions {
  readonly workspace: string;
  readonly json: boolean;
  /** Whether the user gave --seed. */
  readonly seedGiven: boolean;
}

/** One command a file, loaded only when it is called. */
export interface Command {
  /** commander's argument words, such as `<source...>`; '' for none. */
  readonly arguments: string;
  readonly options: readonly CommandOption[];
  /** One line, as typed after the prompt. */
  readonly example: string;
  readonly details?: string;
  /** The first Ctrl-C lets calls under way come to their end (`deps.stop`); the second stops at once. */
  readonly endsCalls?: boolean;
  /**
   * @param args - positional arguments, variadic ones flattened
   * @param options - commander's camel-cased option values of this command
   */
  run(
    args: readonly string[],
    options: Readonly<Record<string, unknown>>,
    common: CommonOptions,
    deps: Deps,
  ): Promise<CommandResult>;
}
