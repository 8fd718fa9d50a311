import { describe, expect, it } from 'vitest';
import type { GroundmarkError } from '../../src/domain/error.js';
import { LETTERS, type Item } from '../../src/domain/item.js';
import { BASELINES, makeBaseline, scriptedModel, type Reply } from '../../src/score/baselines/index.js';
import { rng } from '../../src/util/rng.js';
import { madeUpBenchmark } from './helpers/made-up.js';

function anItem(question: string, choices: readonly string[]): Item {
  const { items } = madeUpBenchmark(1);
  return { ...items[0]!, question, choices: choices.map((text, i) => ({ letter: LETTERS[i]!, text })) };
}

function answerOf(id: string, item: Item, others: readonly Item[] = [], seed = 0) {
  return makeBaseline(id, { items: [item, ...others], key: null }).answer(item, rng(seed, 'test')) as Reply;
}

describe('text baselines', () => {
  it('longest takes the choice with the most characters, counted as code points after trimming', () => {
    const item = anItem('Where?', ['left', 'right lobe', '          a          ', '😀😀😀😀😀😀', 'x']);
    expect(answerOf('baseline/longest', item).answer).toBe('B');
  });

  it('longest breaks ties at random, not by position', () => {
    const item = anItem('Where?', ['aaaa', 'bbbb', 'c', 'd', 'eeee']);
    const answers = new Set(
      Array.from({ length: 60 }, (_, seed) => answerOf('baseline/longest', item, [], seed).answer),
    );
    expect([...answers].sort()).toEqual(['A', 'B', 'E']);
  });

  it('most-similar takes the choice that repeats the question', () => {
    const item = anItem('Which lobe holds the nodule?', [
      'pleural space',
      'hilum',
      'the nodule lobe',
      'apex',
      'rib',
    ]);
    expect(answerOf('baseline/most-similar', item).answer).toBe('C');
  });

  it('most-central takes the choice that shares words with the others', () => {
    const item = anItem('Where?', ['left upper', 'right lower', 'left lower', 'apex', 'hilum']);
    // "left lower" shares a word with two choices, the others with one or none.
    expect(answerOf('baseline/most-central', item).answer).toBe('C');
  });
});

describe('every baseline', () => {
  const { items, key } = madeUpBenchmark(30);

  it.each(Object.keys(BASELINES))(
    '%s names one to three shown images and a letter, the same for the same seed',
    (id) => {
      const model = makeBaseline(id, { items, key });
      for (const item of items) {
        const once = model.answer(item, rng(7, id, item.id)) as Reply;
        expect(LETTERS).toContain(once.answer);
        expect(once.evidence.length).toBeGreaterThanOrEqual(1);
        expect(once.evidence.length).toBeLessThanOrEqual(3);
        expect(new Set(once.evidence).size).toBe(once.evidence.length);
        for (const image of once.evidence) expect(item.images.map((shown) => shown.id)).toContain(image);
        expect(model.answer(item, rng(7, id, item.id))).toEqual(once);
      }
    },
  );

  it('explains itself in the report', () => {
    for (const baseline of Object.values(BASELINES))
      expect(baseline.explanation).toMatch(/^(takes|always|reads)/);
  });
});

describe('baselines that read the key', () => {
  const { items, key } = madeUpBenchmark(10);

  it('oracle gives the key and its reference images', () => {
    const model = makeBaseline('baseline/oracle', { items, key });
    const reply = model.answer(items[3]!, rng(0)) as Reply;
    expect(reply.answer).toBe(key[3]!.answer);
    expect(reply.evidence).toEqual(
      key[3]!.images.filter((image) => image.role === 'reference').map((image) => image.id),
    );
  });

  it('majority-letter counts the dev split alone', () => {
    // dev: D, D, A; test: A, A, A
    const answers = ['D', 'D', 'A', 'A', 'A', 'A'] as const;
    const own = madeUpBenchmark(6);
    const dev = own.items.map((item, i) => ({
      ...item,
      split: i < 3 ? ('dev' as const) : ('test' as const),
    }));
    const keyed = own.key.map((entry, i) => ({ ...entry, answer: answers[i]! }));
    const model = makeBaseline('baseline/majority-letter', { items: dev, key: keyed });
    expect(dev.map((item) => (model.answer(item, rng(0)) as Reply).answer)).toEqual(new Array(6).fill('D'));
  });

  it.each(['baseline/oracle', 'baseline/majority-letter'])('%s says so when there is no key', (id) => {
    expect(() => makeBaseline(id, { items, key: null })).toThrow(
      expect.objectContaining({ code: 'needs-key', exit: 2 }) as GroundmarkError,
    );
  });

  it('majority-letter says so when no dev item has a key', () => {
    const test = items.map((item) => ({ ...item, split: 'test' as const }));
    expect(() => makeBaseline('baseline/majority-letter', { items: test, key })).toThrow(
      expect.objectContaining({ code: 'no-dev-items' }) as GroundmarkError,
    );
  });
});

describe('scriptedModel', () => {
  const { items } = madeUpBenchmark(3);

  it('parses its lines, keeps the raw text, and has no reply where it has no line', () => {
    const model = scriptedModel(
      'scripted/x',
      [
        { itemId: 'item-001', reply: 'I say {"answer":"A","evidence":["img01"]}' },
        { itemId: 'item-002', reply: 'no', outcome: 'refused' },
      ],
      'x.jsonl',
    );
    expect(model.answer(items[0]!, rng(0))).toEqual({
      answer: 'A',
      evidence: ['img01'],
      outcome: 'ok',
      raw: 'I say {"answer":"A","evidence":["img01"]}',
    });
    expect(model.answer(items[1]!, rng(0))).toMatchObject({ answer: null, outcome: 'refused' });
    expect(model.answer(items[2]!, rng(0))).toMatchObject({ outcome: 'missing' });
  });

  it('refuses two lines for one item', () => {
    const line = { itemId: 'item-001', reply: 'x' };
    expect(() => scriptedModel('scripted/x', [line, line], 'x.jsonl')).toThrow(/item-001/);
  });
});
