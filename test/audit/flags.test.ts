import { describe, expect, it } from 'vitest';
import { readDataYaml } from '../../src/adapters/store/index.js';
import { itemFlags, lengthOutlier } from '../../src/audit/item-flags.js';
import { phraseMatcher } from '../../src/audit/phrase-matcher.js';
import { auditRulesSchema, giveawaySchema, parseFailOn, ruleNames } from '../../src/audit/rules.js';

const SENTENCE = 'There is a 7 mm calcified nodule in the left upper lobe.';

async function rulesOf(
  stem: string,
  options: string[],
  { own = true, targetTexts = [] as string[] } = {},
): Promise<string[]> {
  const flags = itemFlags({
    items: [{ id: 'gm-1', stem, options, answer: 0 }],
    own,
    rules: await readDataYaml('audit-rules.yaml', auditRulesSchema),
    giveaway: await readDataYaml('lexicons/giveaway.yaml', giveawaySchema),
    targetTexts,
  });
  return flags.map(({ rule }) => rule);
}

const PLAIN = ['left upper lobe', 'left lower lobe', 'right upper lobe', 'right lower lobe', 'middle lobe'];
const NEUTRAL = 'Which lobe holds the finding that the images show?';

describe('flags of single items', () => {
  it('are none for a plain item', async () => {
    expect(await rulesOf(NEUTRAL, PLAIN, { targetTexts: [SENTENCE] })).toEqual([]);
  });

  it.each([
    { rule: 'modality-in-stem', stem: 'Which lobe holds the nodule on this CT?' },
    { rule: 'modality-in-stem', stem: 'Which lobe holds the nodule on X-ray?' },
    { rule: 'modality-in-stem', stem: 'What does the tomogram show?' },
    { rule: 'giveaway-stem', stem: 'Where is the classic nodule?' },
  ])('$rule: "$stem"', async ({ rule, stem }) => {
    expect(await rulesOf(stem, PLAIN)).toEqual([rule]);
    expect(await rulesOf(stem, PLAIN, { own: false })).toEqual([]);
  });

  it.each([
    { stem: 'What did Mr Brown’s pet and the octet expect?', why: 'words that only hold the letters' },
    { stem: 'Which petrous apex is affected?', why: 'a word that begins like one' },
  ])('no modality in "$stem": $why', async ({ stem }) => {
    expect(await rulesOf(stem, PLAIN)).toEqual([]);
  });

  it('a giveaway word in one option is flagged, in all of them it is not', async () => {
    expect(await rulesOf(NEUTRAL, ['classic left lobe', ...PLAIN.slice(1)])).toEqual(['giveaway-option']);
    expect(
      await rulesOf(
        NEUTRAL,
        PLAIN.map((option) => `typical ${option}`),
      ),
    ).toEqual([]);
  });

  it('an option that is, or holds, the report sentence is flagged', async () => {
    const copied = [SENTENCE.toUpperCase(), ...PLAIN.slice(1)];
    expect(await rulesOf(NEUTRAL, copied, { targetTexts: [SENTENCE] })).toContain('target-copy');
    expect(await rulesOf(NEUTRAL, PLAIN, { targetTexts: ['Left upper lobe'] })).toEqual(['target-copy']);
    expect(await rulesOf(NEUTRAL, PLAIN, { targetTexts: ['Upper lobe'] })).toEqual([]);
  });

  it('two options that read the same are flagged', async () => {
    expect(await rulesOf(NEUTRAL, [...PLAIN.slice(0, 4), 'Left  upper lobe'])).toEqual(['duplicate-options']);
  });

  it('an option of nine words among options of three is flagged', async () => {
    const long = 'left upper lobe close to the pleura and fissure';
    expect(await rulesOf(NEUTRAL, [...PLAIN.slice(0, 4), long])).toEqual(['length-outlier']);
  });

  it('never say which option is meant, and repeat no text of the item or the report', async () => {
    const flags = itemFlags({
      items: [{ id: 'gm-1', stem: 'On this CT?', options: [SENTENCE, 'classic', 'x', 'x', 'z'], answer: 0 }],
      own: true,
      rules: await readDataYaml('audit-rules.yaml', auditRulesSchema),
      giveaway: await readDataYaml('lexicons/giveaway.yaml', giveawaySchema),
      targetTexts: [SENTENCE],
    });
    expect(flags.length).toBeGreaterThanOrEqual(5);
    for (const { message, itemId } of flags) {
      expect(itemId).toBe('gm-1');
      expect(message).not.toMatch(/nodule|classic|CT|\b[A-E]\b(?! private| option)/u);
    }
  });
});

describe('length outlier', () => {
  it.each([
    { options: ['a', 'b', 'a b c d e'], factor: 5, why: 'five words against one' },
    { options: ['a b c d', 'a b c d', 'a'], factor: 4, why: 'one word against four' },
    { options: ['a', 'b', 'a b c'], factor: 0, why: 'only two words more' },
    { options: ['a b', 'a b'], factor: 0, why: 'all the same' },
  ])('$options: $factor ($why)', ({ options, factor }) => {
    expect(lengthOutlier(options, 3)).toBe(factor);
  });
});

describe('phrases', () => {
  it('match whole words, a star further letters, a space also a hyphen', () => {
    const matches = phraseMatcher(['most likely', 'typical*'], { ignoreCase: true });
    expect(matches('the Most-likely one')).toBe(true);
    expect(matches('Typically')).toBe(true);
    expect(matches('atypical')).toBe(false);
    expect(matches('utmost likely')).toBe(false);
  });

  it('match nothing when there are none', () => {
    expect(phraseMatcher([], { ignoreCase: true })('')).toBe(false);
  });
});

describe('--fail-on', () => {
  it('takes names and any, and names the nearest rule to a misspelt one', () => {
    expect(parseFailOn('pick-shortcut, choices-only')).toEqual(['pick-shortcut', 'choices-only']);
    expect(parseFailOn('any')).toEqual(ruleNames);
    expect(() => parseFailOn('pick-shortcuts')).toThrow(/did you mean pick-shortcut\?/u);
  });
});

describe('data files', () => {
  it('every phrase of the lexicon is found in a text that consists of it', async () => {
    const lexicon = await readDataYaml('lexicons/giveaway.yaml', giveawaySchema);
    for (const phrase of Object.values(lexicon).flat()) {
      expect(phraseMatcher([phrase], { ignoreCase: false })(phrase.replace('*', ''))).toBe(true);
    }
  });
});
