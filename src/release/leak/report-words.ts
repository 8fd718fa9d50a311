import { tokens } from '../../util/text.js';
import { fold } from './needle.js';

/** Sentences of a report, roughly: line wraps joined, cut after `.`, `!`, `?`, `:` and `;` and at empty lines. Cutting too often is harmless: runs of words are looked for as well. */
export function sentencesOf(report: string): string[] {
  return report
    .split(/\r?\n\s*\r?\n/u)
    .flatMap((paragraph) => paragraph.replace(/\s+/gu, ' ').split(/(?<=[.!?:;])\s+/u))
    .map((sentence) => sentence.trim().replace(/[.!?:;]+$/u, ''))
    .filter((sentence) => sentence !== '');
}

/** The words of a text, folded, with one space between. */
export function wordText(text: string): string {
  return tokens(fold(text)).join(' ');
}

/** Every run of `size` words, folded. */
export function* shinglesOf(text: string, size: number): Generator<string> {
  const all = tokens(fold(text));
  for (let i = 0; i + size <= all.length; i++) yield all.slice(i, i + size).join(' ');
}
