import { EXIT, GroundmarkError } from '../domain/error.js';

/** A command that was called the wrong way. */
export function usage(what: string, command: string, option: string): GroundmarkError {
  return new GroundmarkError(
    'usage',
    `${what}. See \`groundmark ${command} --help\`.`,
    { option },
    { exit: EXIT.usage },
  );
}

/**
 * The number that an option gives; undefined when it was not given.
 *
 * @throws {GroundmarkError} `usage` naming the option and what it holds
 */
export function numberOption(
  value: unknown,
  command: string,
  option: string,
  {
    least = Number.NEGATIVE_INFINITY,
    most = Number.POSITIVE_INFINITY,
    whole = false,
  }: { readonly least?: number; readonly most?: number; readonly whole?: boolean },
): number | undefined {
  if (value === undefined) return undefined;
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).trim();
  const number = Number(text);
  const plain = whole ? /^\d+$/u : /^\d+(?:\.\d+)?$/u;
  if (plain.test(text) && Number.isSafeInteger(Math.ceil(number)) && number >= least && number <= most)
    return number;
  const kind = whole ? 'whole number' : 'number';
  const from = Number.isFinite(least) ? ` from ${least}` : '';
  const to = Number.isFinite(most) ? ` to ${most}` : '';
  throw usage(`${option} ${text} is no ${kind}${from}${to}`, command, option);
}
