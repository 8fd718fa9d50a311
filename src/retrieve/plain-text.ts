/**
 * A description as words that a rule can look for: without accents, `ß` as `ss`, underscores and carets as spaces
 * (`t1_fl2d_sag`), one space at a time. Case stays.
 */
export function plainText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('ß', 'ss')
    .replace(/[_^\s]+/gu, ' ');
}
