import type { Audit, OptionCue, WordCue } from '../../domain/audit.js';
import { normalise, tokens } from '../../util/text.js';
import type { AuditItem } from '../audit-item.js';
import { zOf } from './pick.js';

/** AUDIT-METRICS.md "CUES": part of the definition, so not a lexicon that a user may change. */
const ABSOLUTE_WORDS = new Set(
  'always never none all completely absolutely totally definitely only every must'.split(' '),
);
const HEDGE_WORDS = new Set(
  'may might can could usually generally often sometimes probably possibly likely typically frequently rarely'.split(
    ' ',
  ),
);

const ALL_OF_THE_ABOVE =
  /\ball (?:of )?(?:the |these |those )?(?:above|these|those|options|choices|statements)\b|\bboth of (?:the above|these)\b/u;
const NONE_OF_THE_ABOVE =
  /\bnone (?:of )?(?:the |these |those )?(?:above|these|those|options|choices|statements)\b|\bneither of (?:the above|these)\b/u;

/** Words and phrases in options that go with the key more, or less, often than chance. AUDIT-METRICS.md "CUES". */
export function cueFigures(items: readonly AuditItem[]): Audit['cues'] {
  const hasWord = (list: ReadonlySet<string>) => (option: string) =>
    tokens(option).some((token) => list.has(token));
  return {
    absoluteWords: wordCue(items, hasWord(ABSOLUTE_WORDS)),
    hedgeWords: wordCue(items, hasWord(HEDGE_WORDS)),
    allOfTheAbove: optionCue(items, (option) => ALL_OF_THE_ABOVE.test(normalise(option))),
    noneOfTheAbove: optionCue(items, (option) => NONE_OF_THE_ABOVE.test(normalise(option))),
  };
}

/** Applicability, productivity and coverage (Niven and Kao 2019), with the z of productivity under a uniform key. */
function wordCue(items: readonly AuditItem[], satisfies: (option: string) => boolean): WordCue {
  let applicability = 0;
  let won = 0;
  let chance = 0;
  let variance = 0;
  for (const { options, answer } of items) {
    const with_ = options.map(satisfies);
    const n = with_.filter(Boolean).length;
    const k = options.length;
    if (n === 0 || n === k) continue;
    applicability++;
    won += with_[answer] ? 1 / n : 0;
    chance += 1 / k;
    variance += 1 / (k * n) - 1 / (k * k);
  }
  return {
    applicability,
    productivity: applicability === 0 ? null : won / applicability,
    coverage: items.length === 0 ? null : applicability / items.length,
    chance: applicability === 0 ? null : chance / applicability,
    zNull: zOf(won - chance, variance),
  };
}

function optionCue(items: readonly AuditItem[], satisfies: (option: string) => boolean): OptionCue {
  const result = { items: 0, options: 0, gold: 0, expectedGold: 0 };
  let variance = 0;
  for (const { options, answer } of items) {
    const with_ = options.map(satisfies);
    const n = with_.filter(Boolean).length;
    if (n === 0) continue;
    result.items++;
    result.options += n;
    result.gold += with_[answer] ? 1 : 0;
    const p = n / options.length;
    result.expectedGold += p;
    variance += p * (1 - p);
  }
  return { ...result, zNull: zOf(result.gold - result.expectedGold, variance) };
}
