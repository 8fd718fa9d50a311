import { describe, expect, it } from 'vitest';
import { checkYaml, readDataText, readDataYaml } from '../../../src/adapters/store/index.js';
import {
  conceptsFileSchema,
  anatomyFileSchema,
  cuesFileSchema,
} from '../../../src/extract/reports/lexicon-schema.js';
import { tokenize } from '../../../src/extract/reports/tokens.js';
import { lexicon } from './helpers.js';

/** The vocabulary that the question stage knows. */
const CONCEPTS = new Set(
  (
    'mass nodule cyst calcification stone effusion ascites sinus-opacification uptake white-matter-lesion ' +
    'low-attenuation infarct hemorrhage edema consolidation ground-glass atelectasis emphysema pneumothorax ' +
    'lymphadenopathy distension dilatation thickening fracture herniation stenosis aneurysm atherosclerosis atrophy ' +
    'volume-loss hernia hydronephrosis degenerative-change postoperative device other'
  ).split(' '),
);

const concepts = await readDataYaml('lexicons/concepts.yaml', conceptsFileSchema);
const anatomy = await readDataYaml('lexicons/anatomy.yaml', anatomyFileSchema);
/** A phrase with its wildcards filled in. */
const sample = (phrase: string): string =>
  phrase
    .replace(/^\*/, 'xxxx')
    .replace(/\*/g, 's')
    .replace(/ \.\. /g, ' ');

describe('the lexicons', () => {
  it('file terms only under concepts that the rest of the program knows, and use all of them', () => {
    expect(new Set(concepts.concepts.map(({ id }) => id))).toEqual(CONCEPTS);
    const joined = concepts.concepts.flatMap(({ joins }) => joins);
    expect(joined.filter((id) => !CONCEPTS.has(id))).toEqual([]);
  });

  it('find every term of every concept', () => {
    const missed = concepts.concepts.flatMap(({ id, terms, placed }) =>
      [...terms, ...placed.flatMap((group) => group.terms)].filter((term) => {
        const matches = lexicon.terms.all(tokenize(sample(term)));
        return !matches.some(({ value }) => value?.some((option) => option.concept === id));
      }),
    );
    expect(missed).toEqual([]);
  });

  it('find every place by every term, and no two places share a term', () => {
    const missed = anatomy.places.flatMap(({ name, terms }) =>
      terms.filter((term) => lexicon.places.find(tokenize(term))[0]?.value.name !== name),
    );
    expect(missed).toEqual([]);
  });

  it('refuse an unknown key, naming file and key', async () => {
    const text = (await readDataText('lexicons/cues.yaml')).replace('pseudo:', 'pseudos:');
    expect(() => checkYaml(text, cuesFileSchema, 'cues.yaml')).toThrowError(/cues\.yaml, key pseudo/);
  });

  it('refuse an empty phrase', () => {
    const text = 'concepts: [{ id: other, terms: [""] }]\nnot_terms: []\n';
    expect(() => checkYaml(text, conceptsFileSchema, 'c.yaml')).toThrowError(/empty phrase/);
  });
});
