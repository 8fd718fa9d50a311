import { beforeAll, describe, expect, it } from 'vitest';
import { fileStore } from '../../src/adapters/store/index.js';
import { axisFileSchema, expandAxes } from '../../src/mcq/axis.js';
import { checkSet } from '../../src/mcq/check-set.js';
import { loadQuestionData, type QuestionData } from '../../src/mcq/question-data.js';
import { valuesInText } from '../../src/mcq/values-in-text.js';
import { withoutModality } from '../../src/mcq/wording-pass.js';

let data: QuestionData;
beforeAll(async () => {
  data = await loadQuestionData(fileStore());
});

const CONCEPTS =
  `mass nodule cyst calcification stone effusion ascites sinus-opacification uptake white-matter-lesion low-attenuation
  infarct hemorrhage edema consolidation ground-glass atelectasis emphysema pneumothorax lymphadenopathy distension
  dilatation thickening fracture herniation stenosis aneurysm atherosclerosis atrophy volume-loss hernia hydronephrosis
  degenerative-change postoperative device other`.split(/\s+/);
const REGIONS = ['head', 'neck', 'chest', 'abdomen', 'pelvis', 'spine', 'limb', 'whole-body'];

describe('the value sets of data/axes', () => {
  it('are 40 or more, and every concept has a category word', () => {
    expect(data.axes.length).toBeGreaterThanOrEqual(40);
    expect(Object.keys(data.categories).sort()).toEqual([...CONCEPTS].sort());
  });

  it('name known concepts and regions, and values of five or more', () => {
    for (const axis of data.axes) {
      expect(axis.values.length, axis.id).toBeGreaterThanOrEqual(5);
      for (const concept of axis.concepts) expect(CONCEPTS, axis.id).toContain(concept);
      if (axis.regions !== 'any')
        for (const region of axis.regions) expect(REGIONS, axis.id).toContain(region);
    }
  });

  it('have values whose words differ by one at most and that begin alike', () => {
    for (const axis of data.axes) {
      const choices = axis.values.map(({ text }) => text);
      const failures = checkSet({ stem: '', choices, supported: 0, privateTexts: [] });
      expect(failures, axis.id).toEqual([]);
    }
  });

  it('find every value by each of its own phrases, and no other value of another place', () => {
    for (const axis of data.axes) {
      for (const value of axis.values) {
        const phrases = [
          ...value.match,
          ...value.places.map((place) => `${value.side === 'bilateral' ? 'both' : value.side} ${place}`),
        ];
        for (const phrase of phrases) {
          const { supported } = valuesInText(`Seen in the ${phrase}.`, axis, null);
          expect(supported, `${axis.id}: ${phrase}`).toEqual([value.id]);
        }
      }
    }
  });
});

describe('the stems of data/questions', () => {
  it('name no modality, no side and no value of their axis, for every concept', () => {
    for (const axis of data.axes) {
      for (const concept of axis.concepts) {
        for (const id of axis.stems) {
          for (const variant of data.stems[id]!) {
            const stem = variant.replace('{finding}', data.categories[concept]!.text);
            expect(withoutModality(stem)).toBe(stem);
            expect(stem).toMatch(/^[A-Z][^?{}]*\?$/);
            expect(stem).not.toMatch(/\b(?:left|right|both|bilateral)\b/i);
            for (const { text } of axis.values) {
              expect(` ${stem.toLowerCase().replace(/\W+/g, ' ')} `, `${axis.id}: ${stem}`).not.toContain(
                ` ${text.toLowerCase()} `,
              );
            }
          }
        }
      }
    }
  });
});

describe('an axis file', () => {
  const axis = (values: unknown[]) =>
    axisFileSchema.parse({
      axes: [{ id: 'a', axis: 'location', concepts: ['mass'], regions: 'any', stems: ['where'], values }],
    });
  const plain = (id: string) => ({ id, text: id, match: [id] });

  it('writes a sided row out as two values with symmetric exclusions', () => {
    const [expanded] = expandAxes(
      axis([
        { id: 'lobe', text: '{side} lobe', sides: ['left', 'right'], places: ['lobe'] },
        { id: 'tip', text: '{side} tip', sides: ['left', 'right'], places: ['tip'], excludes: ['lobe'] },
        plain('Middle'),
      ]),
      'x.yaml',
    );
    expect(expanded!.values.map(({ id, text, excludes }) => [id, text, excludes])).toEqual([
      ['left-lobe', 'Left lobe', ['left-tip']],
      ['right-lobe', 'Right lobe', ['right-tip']],
      ['left-tip', 'Left tip', ['left-lobe']],
      ['right-tip', 'Right tip', ['right-lobe']],
      ['Middle', 'Middle', []],
    ]);
  });

  it.each([
    { why: 'four values', values: ['a', 'b', 'c', 'd'].map(plain), message: /4 values; a set needs 5/ },
    { why: 'a repeated id', values: ['a', 'b', 'c', 'd', 'a'].map(plain), message: /share their id/ },
    {
      why: 'an exclusion of nothing',
      values: [...['a', 'b', 'c', 'd'].map(plain), { ...plain('e'), excludes: ['z'] }],
      message: /excludes z, which is not there/,
    },
  ])('with $why is refused by name', ({ values, message }) => {
    expect(() => expandAxes(axis(values), 'x.yaml')).toThrow(message);
  });

  it('refuses a place without a side and an unknown key', () => {
    expect(() => axis([{ id: 'a', text: 'A', places: ['a'] }, plain('b'), plain('c')])).toThrow(
      /places needs side/,
    );
    expect(() => axis([{ ...plain('a'), colour: 'red' }, plain('b'), plain('c')])).toThrow(/colour/);
  });
});
