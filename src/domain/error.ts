/** Exit codes of the command line. CONTRACT.md. */
export const EXIT = { done: 0, checkFailed: 1, usage: 2, badInput: 3, provider: 4, bug: 70 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/**
 * An error that a user can act on: what is wrong, the value found, where, what to do.
 *
 * `message` and `context` never hold report text, patient data, keys or evidence labels.
 */
export class GroundmarkError extends Error {
  readonly code: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly exit: ExitCode;

  constructor(
    code: string,
    message: string,
    context: Readonly<Record<string, unknown>> = {},
    options: { readonly cause?: unknown; readonly exit?: ExitCode } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'GroundmarkError';
    this.code = code;
    this.context = context;
    this.exit = options.exit ?? EXIT.badInput;
  }
}
