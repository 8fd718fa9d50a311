import { describe, expect, it } from 'vitest';
import type { Response } from '../../src/domain/response.js';
import { reparseResponses } from '../../src/score/reparse.js';
import { aKey, aResponse } from './helpers/an-item.js';

const KEY = [aKey('*s1:1 s1:9 s1:20 s1:30 s1:40 s1:50 s1:60')];
const RAW = '{"answer":"B","evidence":["img03"]}';

function reparse(...responses: Response[]) {
  const placed = responses.map((response, i) => ({ response, file: 'r.jsonl', line: i + 1 }));
  const { responses: again, reparse: told } = reparseResponses(placed, KEY);
  expect(again.map(({ file, line }) => `${file} ${line}`)).toEqual(
    placed.map(({ line }) => `r.jsonl ${line}`),
  );
  return { again: again.map(({ response }) => response), told };
}

function withRaw(raw: unknown, more: Partial<Response> = {}): Response {
  return aResponse(['img99'], 'X', 'ok', { raw, ...more });
}

describe('reparseResponses', () => {
  it('reads letter, ids and outcome from the raw text, whatever was written beside it', () => {
    const { again, told } = reparse(withRaw(RAW, { outcome: 'unparsed', parser: 'mcq-reply/0', ms: 7 }));
    expect(again).toEqual([
      {
        schemaVersion: 1,
        itemId: 'item-1',
        model: 'm',
        answer: 'B',
        evidence: ['img03'],
        outcome: 'ok',
        raw: RAW,
        ms: 7,
        parser: 'mcq-reply/1',
      },
    ]);
    expect(told).toEqual({
      parser: 'mcq-reply/1',
      read: 1,
      changed: 1,
      outcomes: [{ from: 'unparsed', to: 'ok', count: 1 }],
    });
  });

  it('takes nothing over that the raw text does not say', () => {
    const { again } = reparse(
      withRaw('The answer is B.'),
      withRaw('{"answer":"B","evidence":["img08"]}'),
      withRaw('{"answer":"B","evidence":["img01","img02","img03","img04"]}'),
      withRaw(''),
    );
    expect(again.map(({ answer, outcome }) => [answer, outcome])).toEqual([
      [null, 'unparsed'],
      ['B', 'unknown-id'],
      ['B', 'invalid-selection'],
      [null, 'unparsed'],
    ]);
  });

  it.each(['refused', 'truncated', 'blocked', 'transport', 'missing'] as const)(
    'leaves %s as it is, even where its raw text is a whole answer',
    (outcome) => {
      const response = aResponse([], null, outcome, { raw: RAW });
      expect(reparse(response)).toEqual({
        again: [response],
        told: { parser: 'mcq-reply/1', read: 0, changed: 0, outcomes: [] },
      });
    },
  );

  it.each([
    ['no raw text', aResponse(['img01'])],
    ['something else for a raw text', withRaw({ answer: 'B' })],
    ['an item that the key lacks', withRaw(RAW, { itemId: 'item-9' })],
  ])('leaves a response with %s as it is', (_, response) => {
    expect(reparse(response)).toMatchObject({ again: [response], told: { read: 0 } });
  });

  it('goes by the images that were sent rather than by the key', () => {
    const image = { id: 'img12', sha256: '', width: 1, height: 1 };
    const named = '{"answer":"B","evidence":["img12"]}';
    const { again } = reparse(
      withRaw(named, { sent: { count: 1, images: [image] } }),
      withRaw(named),
      withRaw(RAW, { sent: { count: 0, images: [] } }),
      withRaw(named, { itemId: 'item-9', sent: { count: 1, images: [image] } }),
    );
    expect(again.map(({ outcome }) => outcome)).toEqual(['ok', 'unknown-id', 'unknown-id', 'ok']);
  });

  it('maps the letters of shuffled choices back, as the run did', () => {
    const choiceOrder = ['C', 'E', 'A', 'B', 'D'] as Response['choiceOrder'];
    const replies = ['A', 'b', 'C', 'D', 'E', 'F'].map((answer) =>
      withRaw(JSON.stringify({ answer, evidence: ['img01'] }), { choiceOrder }),
    );
    expect(reparse(...replies).again.map(({ answer }) => answer)).toEqual(['C', 'E', 'A', 'B', 'D', 'F']);
  });

  it('counts what was read, what changed, and how outcomes moved', () => {
    const same = withRaw(RAW, { answer: 'B', evidence: ['img03'] });
    const { told } = reparse(
      same,
      { ...same, answer: 'C' },
      { ...same, evidence: ['img03', 'img04'] },
      { ...same, outcome: 'unparsed' },
      { ...same, outcome: 'unparsed' },
      withRaw('nothing', { answer: null, evidence: [], outcome: 'unparsed' }),
      withRaw('nothing'),
      aResponse([], null, 'refused', { raw: 'nothing' }),
    );
    expect(told).toEqual({
      parser: 'mcq-reply/1',
      read: 7,
      changed: 5,
      outcomes: [
        { from: 'unparsed', to: 'ok', count: 2 },
        { from: 'ok', to: 'unparsed', count: 1 },
      ],
    });
  });

  it('changes nothing when it is done twice', () => {
    const { again } = reparse(withRaw(RAW), withRaw('nothing'), withRaw('{"answer":"e","evidence":"img02"}'));
    expect(reparse(...again)).toMatchObject({ again, told: { read: 3, changed: 0, outcomes: [] } });
  });
});
