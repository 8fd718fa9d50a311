/**
 * Whether a text holds one of the phrases as whole words. A `*` at the end of a phrase stands for further letters; a
 * space also matches a hyphen.
 *
 * @param phrases - none: nothing matches
 */
export function phraseMatcher(
  phrases: readonly string[],
  { ignoreCase }: { readonly ignoreCase: boolean },
): (text: string) => boolean {
  if (phrases.length === 0) return () => false;
  const sources = phrases.map((phrase) =>
    phrase
      .replace(/[\\^$.+?()[\]{}|/]/gu, '\\$&')
      .replace(/\*$/u, '\\p{L}*')
      .replace(/\s+/gu, '[\\s-]+'),
  );
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${sources.join('|')})(?![\\p{L}\\p{N}])`,
    ignoreCase ? 'iu' : 'u',
  );
  return (text) => pattern.test(text);
}
