import { describe, expect, it } from 'vitest';
import { parseReply } from '../../src/score/parse-response.js';

const SHOWN = ['img01', 'img02', 'img03', 'img04', 'img05', 'img06', 'img07'];
const OK = { answer: 'B', evidence: ['img03'], outcome: 'ok' };

describe('parseReply', () => {
  it.each([
    ['a bare object', '{"answer":"B","evidence":["img03"]}'],
    ['an object with blanks and a byte-order mark', '\uFEFF  {"answer": " B ", "evidence": ["img03"]}\n'],
    ['a fenced object', 'Sure:\n```json\n{"answer":"B","evidence":["img03"]}\n```\nDone.'],
    ['a fence without a language', '```\n{"answer":"B","evidence":["img03"]}\n```'],
    ['an object after prose', 'The lesion is left. {"answer":"B","evidence":["img03"]}'],
    [
      'an object between prose with other braces',
      'Set {x} gives {"answer":"B","evidence":["img03"]} (see {y}).',
    ],
    ['the same object twice', '{"answer":"B","evidence":["img03"]} … {"evidence":["img03"],"answer":"B"}'],
    ['one id without its list', '{"answer":"B","evidence":"img03"}'],
    ['an id with braces in a note', '{"note":"a } and a {","answer":"B","evidence":["img03"]}'],
  ])('reads %s', (_, text) => {
    const { answer, evidence, outcome } = parseReply(text, SHOWN);
    expect({ answer, evidence, outcome }).toEqual(OK);
  });

  it.each([
    ['nothing', ''],
    ['a bare letter', 'B'],
    ['prose that names a letter', 'The answer is B, see img03.'],
    ['two objects that differ', '{"answer":"B","evidence":["img03"]} or {"answer":"C","evidence":["img03"]}'],
    [
      'two fenced objects that differ',
      '```\n{"answer":"B","evidence":[]}\n```\n```\n{"answer":"A","evidence":[]}\n```',
    ],
    ['an object without an answer', '{"letter":"B","evidence":["img03"]}'],
    ['a number for an answer', '{"answer":2,"evidence":["img03"]}'],
    ['a list', '[{"answer":1}]'],
    ['a cut-off object', '{"answer":"B","evidence":["img0'],
    ['single quotes', "{'answer':'B','evidence':['img03']}"],
  ])('calls %s unparsed and guesses nothing', (_, text) => {
    expect(parseReply(text, SHOWN)).toEqual({ answer: null, evidence: [], outcome: 'unparsed' });
  });

  it.each([
    ['no evidence', '{"answer":"B"}', []],
    ['an empty list', '{"answer":"B","evidence":[]}', []],
    ['numbers for ids', '{"answer":"B","evidence":[3]}', []],
    [
      'four ids',
      '{"answer":"B","evidence":["img01","img02","img03","img04"]}',
      ['img01', 'img02', 'img03', 'img04'],
    ],
  ])('keeps the letter and marks %s as an invalid selection', (_, text, evidence) => {
    expect(parseReply(text, SHOWN)).toEqual({ answer: 'B', evidence, outcome: 'invalid-selection' });
  });

  it('marks an id that is not shown, and compares ids without case', () => {
    expect(parseReply('{"answer":"B","evidence":["img01","img09"]}', SHOWN).outcome).toBe('unknown-id');
    expect(parseReply('{"answer":"B","evidence":["IMG07 "]}', SHOWN).outcome).toBe('ok');
    expect(parseReply('{"answer":"B","evidence":["img01","IMG01","img02","img03"]}', SHOWN).outcome).toBe(
      'ok',
    );
  });

  it('keeps a null answer as no answer', () => {
    expect(parseReply('{"answer":null,"evidence":["img01"]}', SHOWN)).toEqual({
      answer: null,
      evidence: ['img01'],
      outcome: 'ok',
    });
  });
});
