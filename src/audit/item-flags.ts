import type { Flag } from '../domain/audit.js';
import { tokens, words } from '../util/text.js';
import { itemName, type AuditItem } from './audit-item.js';
import { phraseMatcher } from './phrase-matcher.js';
import type { AuditRules, GiveawayLexicon } from './rules.js';
import { hasRepeatedOption } from './text/duplicates.js';

/** A sentence shorter than this is too plain to be told from an option that happens to say the same. */
const MIN_TARGET_TOKENS = 3;

export interface ItemFlagInput {
  readonly items: readonly AuditItem[];
  /** Our own items show images: their stems must not name a modality. */
  readonly own: boolean;
  readonly rules: AuditRules;
  readonly giveaway: GiveawayLexicon;
  /** Private report sentences behind the targets; [] when none are known. */
  readonly targetTexts: readonly string[];
}

/** What is wrong with single items, in the order of the items. Messages never say which option is meant. */
export function itemFlags({ items, own, rules, giveaway, targetTexts }: ItemFlagInput): Flag[] {
  const inOption = phraseMatcher(giveaway.options, { ignoreCase: true });
  const inStem = phraseMatcher(giveaway.stems, { ignoreCase: true });
  const acronym = phraseMatcher(giveaway.modalityAcronyms, { ignoreCase: false });
  const modalityWord = phraseMatcher(giveaway.modalityWords, { ignoreCase: true });
  const copies = copyFinder(targetTexts);
  const flags: Flag[] = [];
  items.forEach((item, index) => {
    const add = (rule: keyof AuditRules, value: number, message: string): void => {
      if (value < rules[rule].threshold) return;
      flags.push({ rule, itemId: itemName(item, index), value, threshold: rules[rule].threshold, message });
    };
    const outlier = lengthOutlier(item.options, rules['length-outlier'].minWords);
    add('length-outlier', outlier, 'One option is much longer or shorter than the others.');
    if (hasRepeatedOption(item)) add('duplicate-options', 1, 'Two options read the same.');
    const wordy = item.options.filter(inOption).length;
    if (wordy < item.options.length) {
      add('giveaway-option', wordy, 'Some, but not all, options use wording that gives itself away.');
    }
    add('target-copy', item.options.filter(copies).length, 'An option copies a private report sentence.');
    if (!own) return;
    if (inStem(item.stem)) add('giveaway-stem', 1, 'The stem uses wording that leads to an answer.');
    if (acronym(item.stem) || modalityWord(item.stem)) {
      add('modality-in-stem', 1, 'The stem names an imaging method.');
    }
  });
  return flags.filter(({ value }) => value > 0);
}

/**
 * The largest factor between one option's words and the mean of the others', either way, among options that differ from
 * that mean by at least `minWords`; 0 when none does. An empty option counts as one word.
 */
export function lengthOutlier(options: readonly string[], minWords: number): number {
  const counts = options.map((option) => Math.max(1, words(option).length));
  const total = counts.reduce((sum, n) => sum + n, 0);
  return counts.reduce((largest, n) => {
    const others = (total - n) / (counts.length - 1);
    const factor = Math.max(n / others, others / n);
    return Math.abs(n - others) >= minWords ? Math.max(largest, factor) : largest;
  }, 0);
}

/** Whether an option is, or holds, one of the sentences: the same words in the same order, whatever the punctuation. */
function copyFinder(sentences: readonly string[]): (option: string) => boolean {
  const spaced = (text: string): string => ` ${tokens(text).join(' ')} `;
  const known = [
    ...new Set(sentences.filter((text) => tokens(text).length >= MIN_TARGET_TOKENS).map(spaced)),
  ];
  return (option) => {
    const text = spaced(option);
    return known.some((sentence) => text.includes(sentence));
  };
}
