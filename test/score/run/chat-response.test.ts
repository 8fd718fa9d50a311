import { describe, expect, it } from 'vitest';
import { ChatError, type ChatStop } from '../../../src/adapters/llm/index.js';
import { responseSchema } from '../../../src/domain/response.js';
import { failureRecord, replyRecord } from '../../../src/score/run/chat-response.js';
import { aReply, aShown, hash, lettersOf } from './an-item.js';

const FACTS = { model: 'openai/m', condition: 'real', usd: null } as const;
const IMAGES = ['img01', 'img02', 'img03', 'img04', 'img05', 'img06', 'img07'].map((id) => ({
  ...aShown().images[0]!,
  id,
  sha256: hash(id),
}));
const SHOWN = aShown({ images: IMAGES });

function read(text: string, shown = SHOWN) {
  const { answer, evidence, outcome } = replyRecord(aReply(text), shown, FACTS);
  return { answer, evidence, outcome };
}

describe('the outcome of a reply that came to its end', () => {
  it.each([
    { text: '{"answer":"B","evidence":["img03"]}', answer: 'B', evidence: ['img03'], outcome: 'ok' },
    {
      text: '{"answer":"E","evidence":["img07","img01"]}',
      answer: 'E',
      evidence: ['img07', 'img01'],
      outcome: 'ok',
    },
    // A lower-case letter is kept as it came: the scorer compares letters without case.
    { text: '{"answer":"b","evidence":["IMG03"]}', answer: 'b', evidence: ['IMG03'], outcome: 'ok' },
    { text: '{"answer":"F","evidence":["img03"]}', answer: 'F', evidence: ['img03'], outcome: 'ok' },
    { text: '{"answer":null,"evidence":["img03"]}', answer: null, evidence: ['img03'], outcome: 'ok' },
    {
      text: 'Surely:\n```json\n{"answer":"B","evidence":["img03"]}\n```',
      answer: 'B',
      evidence: ['img03'],
      outcome: 'ok',
    },
    {
      text: 'It is {"answer":"B","evidence":["img03"]}, I think.',
      answer: 'B',
      evidence: ['img03'],
      outcome: 'ok',
    },
    {
      text: '{"answer":"B","evidence":["img03","img03"]}',
      answer: 'B',
      evidence: ['img03', 'img03'],
      outcome: 'ok',
    },
    {
      text: '{"answer":"B","evidence":["img01","img01","img02","img03"]}',
      answer: 'B',
      evidence: ['img01', 'img01', 'img02', 'img03'],
      outcome: 'ok',
    },
    { text: '{"answer":"B","evidence":["img08"]}', answer: 'B', evidence: ['img08'], outcome: 'unknown-id' },
    {
      text: '{"answer":"B","evidence":["img01","3"]}',
      answer: 'B',
      evidence: ['img01', '3'],
      outcome: 'unknown-id',
    },
    { text: '{"answer":"B","evidence":[]}', answer: 'B', evidence: [], outcome: 'invalid-selection' },
    { text: '{"answer":"B"}', answer: 'B', evidence: [], outcome: 'invalid-selection' },
    {
      text: '{"answer":"B","evidence":["img01","img02","img03","img04","img05"]}',
      answer: 'B',
      evidence: ['img01', 'img02', 'img03', 'img04', 'img05'],
      outcome: 'invalid-selection',
    },
    { text: 'The answer is B (img03).', answer: null, evidence: [], outcome: 'unparsed' },
    { text: '{"answer":"B"} or {"answer":"C"}', answer: null, evidence: [], outcome: 'unparsed' },
    { text: '{"answer":"B","evidence":["img0', answer: null, evidence: [], outcome: 'unparsed' },
    { text: '', answer: null, evidence: [], outcome: 'unparsed' },
  ])('$text: $outcome', ({ text, ...wanted }) => {
    expect(read(text)).toEqual(wanted);
  });

  it('has no image to name where none was shown, and keeps the letter', () => {
    const shown = aShown({ images: [] });
    expect(read('{"answer":"B","evidence":["img01"]}', shown)).toEqual({
      answer: 'B',
      evidence: ['img01'],
      outcome: 'unknown-id',
    });
    expect(read('{"answer":"B","evidence":[]}', shown)).toMatchObject({
      answer: 'B',
      outcome: 'invalid-selection',
    });
  });
});

describe('the outcome of a reply that did not', () => {
  it.each<ChatStop>(['truncated', 'refused', 'blocked'])(
    '%s: nothing is taken from it, even where its text is a whole answer; the text is kept',
    (stop) => {
      const text = '{"answer":"B","evidence":["img03"]}';
      const record = replyRecord(aReply(text, { stop, stopDetail: 'why' }), SHOWN, FACTS);
      expect(record).toMatchObject({ answer: null, evidence: [], outcome: stop, raw: text, stop: 'why' });
    },
  );
});

describe('a record of a reply', () => {
  it('tells of a call at its barest what was shown and which parser read it', () => {
    const record = replyRecord(aReply('{"answer":"B","evidence":["img02"]}'), aShown(), FACTS);
    expect(record).toEqual({
      schemaVersion: 1,
      itemId: 'item-1',
      model: 'openai/m',
      answer: 'B',
      evidence: ['img02'],
      outcome: 'ok',
      raw: '{"answer":"B","evidence":["img02"]}',
      epoch: 1,
      parser: 'mcq-reply/1',
      sent: {
        count: 2,
        images: [
          { id: 'img01', sha256: hash('img01'), width: 20, height: 10 },
          { id: 'img02', sha256: hash('img02'), width: 20, height: 10 },
        ],
      },
    });
    expect(responseSchema.parse(record)).toEqual(record);
  });

  it('adds what the provider told, the time, the cost, the condition and whose images were shown', () => {
    const usage = {
      inputTokens: 10,
      cachedInputTokens: 4,
      cacheWriteTokens: 0,
      outputTokens: 3,
      reasoningTokens: 1,
    };
    const reply = aReply('{"answer":"B","evidence":["img02"]}', {
      usage,
      servedModel: 'm-2026-01-01',
      providerRequestId: 'req_1',
      fromCache: true,
    });
    const facts = { model: 'openai/m', condition: 'swapped', usd: 0.0125, ms: 1234.6 } as const;
    expect(replyRecord(reply, aShown({ epoch: 2, imagesOf: 'item-9' }), facts)).toMatchObject({
      epoch: 2,
      condition: 'swapped',
      imagesOf: 'item-9',
      usage,
      ms: 1235,
      usd: 0.0125,
      servedModel: 'm-2026-01-01',
      cached: true,
    });
  });

  it.each([
    { shown: 'A', own: 'C' },
    { shown: 'b', own: 'E' },
    { shown: 'C', own: 'A' },
    { shown: 'D', own: 'B' },
    { shown: ' e', own: 'D' },
    { shown: 'G', own: 'G' },
  ])('choices shown as C, E, A, B, D: the letter $shown is written as $own', ({ shown, own }) => {
    const order = lettersOf('CEABD');
    const text = JSON.stringify({ answer: shown, evidence: ['img02'] });
    const record = replyRecord(aReply(text), aShown({ order }), FACTS);
    expect([record.answer, record.choiceOrder, record.raw]).toEqual([own, ['C', 'E', 'A', 'B', 'D'], text]);
  });
});

describe('a record of a call without a reply', () => {
  it('is a transport failure with its kind and status, and without the provider’s words', () => {
    const error = new ChatError('server', 'SECRET WORDS', { status: 503 });
    const record = failureRecord(error, aShown({ epoch: 3 }), { ...FACTS, condition: 'blank' });
    expect(record).toMatchObject({
      itemId: 'item-1',
      answer: null,
      evidence: [],
      outcome: 'transport',
      epoch: 3,
      condition: 'blank',
      failure: { kind: 'server', status: 503 },
      sent: { count: 2 },
    });
    expect(JSON.stringify(record)).not.toContain('SECRET');
    expect(record).not.toHaveProperty('raw');
    expect(failureRecord(new ChatError('timeout', 'late'), aShown(), FACTS)).toMatchObject({
      failure: { kind: 'timeout' },
    });
  });
});
