import type { Imported } from './importer.js';

/** An imported item from a record's parts, or why it cannot be scored. */
export function makeItem(parts: {
  readonly where: string;
  readonly stem: unknown;
  readonly options: readonly unknown[];
  /** Index of the key; anything out of range counts as a key that is not among the options. */
  readonly answer: number;
  readonly id?: string | undefined;
  readonly slice?: Readonly<Record<string, string>> | undefined;
  readonly caseGroup?: string | undefined;
}): Imported {
  const { where, stem, options, answer } = parts;
  if (typeof stem !== 'string' || !options.every((option) => typeof option === 'string')) {
    return { status: 'skipped', where, reason: 'missing-field' };
  }
  if (options.length < 2) return { status: 'skipped', where, reason: 'too-few-options' };
  if (!Number.isInteger(answer) || answer < 0 || answer >= options.length) {
    return { status: 'skipped', where, reason: 'key-not-an-option' };
  }
  return {
    status: 'item',
    item: {
      stem: stem.trim(),
      options: options.map((option) => option.trim()),
      answer,
      ...(parts.id === undefined ? {} : { id: parts.id }),
      ...(parts.slice === undefined ? {} : { slice: parts.slice }),
      ...(parts.caseGroup === undefined ? {} : { caseGroup: parts.caseGroup }),
    },
  };
}

/** Place of an option letter, or -1: A is 0. */
export function letterIndex(letter: unknown): number {
  return typeof letter === 'string' && /^[A-Za-z]$/u.test(letter.trim())
    ? letter.trim().toUpperCase().charCodeAt(0) - 65
    : -1;
}
