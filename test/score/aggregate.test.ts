import { describe, expect, it } from 'vitest';
import type { GroundmarkError } from '../../src/domain/error.js';
import type { Response } from '../../src/domain/response.js';
import { scoreReportSchema } from '../../src/domain/score.js';
import { scoreResponses } from '../../src/score/aggregate/index.js';
import { aKey, aResponse } from './helpers/an-item.js';

const IMAGES = '*s1:40 s1:80 s1:90 s2:1 s2:2 s2:3 s2:4';

/** Four items of two cases; img01 is right, C is the letter. */
const KEY = ['item-1', 'item-2', 'item-3', 'item-4'].map((id, i) =>
  aKey(IMAGES, {
    id,
    caseGroup: i < 2 ? 'a' : 'b',
    strata: { modality: i === 3 ? 'MR' : 'CT', ...(i === 0 ? { axis: 'extent' } : {}) },
  }),
);

function placed(responses: readonly Response[]) {
  return responses.map((response, i) => ({ response, file: 'r.jsonl', line: i + 1 }));
}

function reply(
  item: number,
  model: string,
  answer: string,
  image: string,
  more: Partial<Response> = {},
): Response {
  return aResponse([image], answer, 'ok', { itemId: `item-${item}`, model, ...more });
}

const MODEL_A = [
  reply(1, 'a', 'C', 'img01'),
  reply(2, 'a', 'C', 'img02'),
  reply(3, 'a', 'B', 'img01'),
  aResponse([], null, 'refused', { itemId: 'item-4', model: 'a' }),
];
const MODEL_B = [1, 2, 3, 4].map((item) => reply(item, 'b', 'C', 'img01'));

describe('scoreResponses', () => {
  const report = scoreResponses(KEY, placed([...MODEL_A, ...MODEL_B]), 0);
  const [a, b] = report.models;

  it('keeps every item in the headline denominator', () => {
    expect(a!.n).toBe(4);
    expect([a!.answer.rate, a!.evidence.rate, a!.joint.rate]).toEqual([0.5, 0.5, 0.25]);
    expect([b!.answer.rate, b!.evidence.rate, b!.joint.rate]).toEqual([1, 1, 1]);
  });

  it('leaves the refused reply out of the second row only', () => {
    expect(a!.answeredOnly.n).toBe(3);
    expect(a!.answeredOnly.joint.rate).toBeCloseTo(1 / 3, 12);
  });

  it('puts every item into exactly one cell', () => {
    expect(a!.cells).toEqual({ both: 1, answerOnly: 1, evidenceOnly: 1, neither: 1 });
    expect(b!.cells).toEqual({ both: 4, answerOnly: 0, evidenceOnly: 0, neither: 0 });
  });

  it('counts every outcome, those that nobody had as 0', () => {
    expect(a!.outcomes).toMatchObject({ ok: 3, refused: 1, missing: 0, 'unknown-id': 0 });
  });

  it('slices by every stratum; an item that lacks one is in none of its values', () => {
    expect(Object.keys(a!.byStratum)).toEqual(['axis', 'modality']);
    expect(a!.byStratum.modality!.CT).toMatchObject({
      n: 3,
      joint: { rate: expect.closeTo(1 / 3, 12) as number },
    });
    expect(a!.byStratum.modality!.MR).toMatchObject({ n: 1, answer: { rate: 0 } });
    expect(a!.byStratum.axis!.extent!.n).toBe(1);
  });

  it('gives the case-clustered standard error: answers 1, 1 in one case and 0, 0 in the other', () => {
    expect(a!.answer.clusteredSe).toBeCloseTo(0.3818813079, 9);
    expect(a!.answer.bootstrap95).toEqual([0, 1]);
  });

  it('compares the pair with clustered errors: differences 0, 0, −1, −1', () => {
    const pair = report.pairs.find((p) => p.metric === 'answer')!;
    // z = 0.5 / sqrt(1/12 + 1/16) = 1.3093; two-sided p of the normal = 0.1904 (scipy)
    expect(pair).toMatchObject({ a: 'a', b: 'b', difference: -0.5 });
    expect(pair.p).toBeCloseTo(0.1904, 4);
    expect(pair.pHolm).toBe(pair.p);
    expect(pair.ci95![0]).toBe(-1);
  });

  it('lists one row an item and model, in the order of the key', () => {
    expect(report.items).toHaveLength(8);
    expect(report.items.slice(0, 4).map(({ id, model, outcome }) => [id, model, outcome])).toEqual([
      ['item-1', 'a', 'ok'],
      ['item-2', 'a', 'ok'],
      ['item-3', 'a', 'ok'],
      ['item-4', 'a', 'refused'],
    ]);
  });

  it('is what its schema says and repeats byte for byte', () => {
    expect(scoreReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    expect(JSON.stringify(scoreResponses(KEY, placed([...MODEL_A, ...MODEL_B]), 0))).toBe(
      JSON.stringify(report),
    );
  });
});

describe('odd inputs', () => {
  it('counts an item without a response as missing', () => {
    const { models } = scoreResponses(KEY, placed(MODEL_B.slice(0, 1)), 0);
    expect(models[0]).toMatchObject({ n: 4, joint: { rate: 0.25 }, outcomes: { ok: 1, missing: 3 } });
    expect(models[0]!.answeredOnly).toMatchObject({ n: 1, joint: { rate: 1 } });
  });

  it('lists a response to an item that the key lacks', () => {
    const stray = reply(9, 'b', 'C', 'img01');
    const report = scoreResponses(KEY, placed([...MODEL_B, stray]), 0);
    expect(report.ignored).toEqual([{ itemId: 'item-9', model: 'b', reason: 'unknown-item' }]);
    expect(report.models[0]).toMatchObject({ n: 4, joint: { rate: 1 } });
  });

  it('gives a model whose every response is ignored a row of misses, not no row', () => {
    const report = scoreResponses(KEY, placed([reply(9, 'x', 'C', 'img01')]), 0);
    expect(report.models[0]).toMatchObject({
      model: 'x',
      n: 4,
      joint: { rate: 0 },
      outcomes: { missing: 4 },
    });
    expect(report.models[0]!.answeredOnly).toMatchObject({ n: 0, joint: { rate: null, ci95: null } });
  });

  it('refuses two responses of one model to one item, naming both places', () => {
    expect(() => scoreResponses(KEY, placed([MODEL_B[0]!, MODEL_B[1]!, MODEL_B[0]!]), 0)).toThrow(
      expect.objectContaining({
        code: 'duplicate-response',
        message: expect.stringMatching(/r\.jsonl, line 3: model b .* r\.jsonl, line 1/) as string,
      }) as GroundmarkError,
    );
  });

  it('refuses them too when the item is not in the key', () => {
    const stray = reply(9, 'b', 'C', 'img01');
    expect(() => scoreResponses(KEY, placed([stray, stray]), 0)).toThrow(/line 2/);
  });

  it('averages epochs within an item; an epoch that an item lacks is a miss', () => {
    const twice = [
      ...MODEL_B.map((response) => ({ ...response, epoch: 1 })),
      reply(1, 'b', 'C', 'img01', { epoch: 2 }),
      reply(2, 'b', 'A', 'img01', { epoch: 2 }),
      reply(3, 'b', 'C', 'img02', { epoch: 2 }),
    ];
    const { models, items } = scoreResponses(KEY, placed(twice), 0);
    // Answers: 1, 1/2, 1, 1/2; joint: 1, 1/2, 1/2, 1/2
    expect(models[0]).toMatchObject({ n: 4, epochs: 2, answer: { rate: 0.75 }, joint: { rate: 0.625 } });
    expect(models[0]!.outcomes).toMatchObject({ ok: 7, missing: 1 });
    expect(models[0]!.cells).toEqual({ both: 2.5, answerOnly: 0.5, evidenceOnly: 0.5, neither: 0.5 });
    expect(items.filter((item) => item.id === 'item-1').map((item) => item.epoch)).toEqual([1, 2]);
  });

  it('says nothing of spread over items of one case', () => {
    const oneCase = KEY.map((entry) => ({ ...entry, caseGroup: 'a' }));
    const { models, pairs } = scoreResponses(oneCase, placed([...MODEL_A, ...MODEL_B]), 0);
    expect(models[0]!.answer).toMatchObject({ clusteredSe: null, bootstrap95: null });
    expect(pairs[0]).toMatchObject({ difference: -0.5, ci95: null, p: null, pHolm: null });
  });

  it('does not claim p = 0 when two models differ alike on every item', () => {
    const wrong = MODEL_B.map((response) => ({ ...response, model: 'w', answer: 'A' }));
    const { pairs } = scoreResponses(KEY, placed([...MODEL_B, ...wrong]), 0);
    expect(pairs.find((p) => p.metric === 'answer')).toMatchObject({ difference: 1, p: 0.5 });
    expect(pairs.find((p) => p.metric === 'evidence')).toMatchObject({ difference: 0, p: 1 });
  });
});
