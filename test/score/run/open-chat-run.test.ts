import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Response } from '../../../src/domain/response.js';
import type { ChatRunRecord } from '../../../src/score/run/chat-run-record.js';
import { openChatRun, peekChatRun } from '../../../src/score/run/open-chat-run.js';
import { openCalls } from '../../../src/score/run/open-calls.js';
import { testDeps } from '../../helpers/deps.js';
import { aResponse } from '../helpers/an-item.js';
import { anItem, hash } from './an-item.js';
import { testFolder } from './helpers.js';

const RECORD: ChatRunRecord = {
  schemaVersion: 1,
  model: 'openai/m',
  condition: 'real',
  seed: null,
  itemsSha256: hash('items'),
  keySha256: null,
  prompt: { version: 'answer/1', sha256: hash('prompt') },
  shuffleChoices: false,
  maxOutputTokens: null,
  temperature: null,
  via: 'via-1',
};
const WARMER = { ...RECORD, temperature: 1 };

let folder = '';
beforeEach(async () => {
  folder = path.join(await testFolder(), 'openai-m');
  await mkdir(folder);
});

const put = (name: string, text: string): Promise<void> => writeFile(path.join(folder, name), text);
const read = (...name: string[]): Promise<string> => readFile(path.join(folder, ...name), 'utf8');
const line = (itemId: string, more: Partial<Response> = {}): string =>
  `${JSON.stringify(aResponse(['img01'], 'C', 'ok', { itemId, model: 'openai/m', epoch: 1, ...more }))}\n`;
const failed = (itemId: string): string => line(itemId, { outcome: 'transport', answer: null, evidence: [] });
const idsOf = (responses: readonly Response[]): string[] => responses.map(({ itemId }) => itemId);
const open = (record = RECORD, restart = false) => openChatRun(folder, record, restart, testDeps());

/** A folder as an earlier run of RECORD left it. */
async function earlier(responses: string): Promise<void> {
  await put('run.json', JSON.stringify(RECORD));
  await put('responses.jsonl', responses);
}

describe('openChatRun', () => {
  it('makes an empty folder ready', async () => {
    expect(await open()).toEqual({ kept: [], failed: [], torn: 0 });
    expect((await readdir(folder)).sort()).toEqual(['responses.jsonl', 'run.json']);
    expect(JSON.parse(await read('run.json'))).toEqual(RECORD);
    expect(await read('responses.jsonl')).toBe('');
  });

  it('keeps whole replies byte for byte, and drops and counts a torn line', async () => {
    await earlier(line('a') + line('b') + line('c').slice(0, 40));
    const { kept, torn } = await open();
    expect([idsOf(kept), torn]).toEqual([['a', 'b'], 1]);
    expect(await read('responses.jsonl')).toBe(line('a') + line('b'));
    expect((await open()).torn).toBe(0);
  });

  it('drops a last line that is whole but for its line feed: nobody can tell', async () => {
    await earlier(line('a') + line('b').trimEnd());
    expect(idsOf((await open()).kept)).toEqual(['a']);
  });

  it('refuses a broken line in the middle, which no kill leaves, and changes nothing', async () => {
    const text = `${line('a')}{"itemId":\n${line('b')}`;
    await earlier(text);
    await expect(open()).rejects.toMatchObject({
      code: 'bad-line',
      message: expect.stringMatching(/responses\.jsonl, line 2/u) as string,
    });
    expect(await read('responses.jsonl')).toBe(text);
  });

  it('moves calls without a reply to failures.jsonl, after those that are there, to be asked again', async () => {
    await put('failures.jsonl', failed('z'));
    await earlier(line('a') + failed('b') + line('c') + failed('d'));
    const { kept, failed: again } = await open();
    expect([idsOf(kept), idsOf(again)]).toEqual([
      ['a', 'c'],
      ['b', 'd'],
    ]);
    expect(await read('responses.jsonl')).toBe(line('a') + line('c'));
    expect(await read('failures.jsonl')).toBe(failed('z') + failed('b') + failed('d'));
    expect(
      openCalls([anItem('a'), anItem('b')], 2, kept).map(({ item, epoch }) => `${item.id} ${epoch}`),
    ).toEqual(['b 1', 'a 2', 'b 2']);
  });

  it('keeps refused, truncated, blocked and unparsed replies: they were paid for and are not asked again', async () => {
    const outcomes = [
      'refused',
      'truncated',
      'blocked',
      'unparsed',
      'invalid-selection',
      'unknown-id',
    ] as const;
    await earlier(outcomes.map((outcome) => line(outcome, { outcome })).join(''));
    expect(idsOf((await open()).kept)).toEqual([...outcomes]);
  });

  it('takes a reply without an epoch for the first', () => {
    expect(openCalls([anItem('a')], 2, [{ itemId: 'a', epoch: undefined }])).toMatchObject([{ epoch: 2 }]);
  });

  it('refuses to mix replies that were made otherwise, and changes nothing', async () => {
    await earlier(line('a') + failed('b'));
    await expect(open(WARMER)).rejects.toMatchObject({ code: 'run-differs', exit: 2 });
    expect(await read('responses.jsonl')).toBe(line('a') + failed('b'));
    expect(JSON.parse(await read('run.json'))).toEqual(RECORD);
  });

  it('refuses the folder of another model or condition whose name comes out the same', async () => {
    await earlier(line('a'));
    await expect(open({ ...RECORD, model: 'openai-m' })).rejects.toMatchObject({
      code: 'run-differs',
      context: { differing: ['the model'] },
    });
    await expect(open({ ...RECORD, condition: 'blank' })).rejects.toMatchObject({ code: 'run-differs' });
  });

  it('starts otherwise without a word where there was no reply yet, unless a batch is under way', async () => {
    await earlier('');
    await expect(open(WARMER)).resolves.toEqual({ kept: [], failed: [], torn: 0 });
    expect(JSON.parse(await read('run.json'))).toEqual(WARMER);
    await put('batch.json', '{}');
    await expect(open(RECORD)).rejects.toMatchObject({ code: 'run-differs' });
  });

  it.each<{ what: string; files: Record<string, string>; code: string }>([
    { what: 'no run.json', files: { 'responses.jsonl': line('a') }, code: 'foreign-responses' },
    { what: 'a broken run.json', files: { 'run.json': '{' }, code: 'bad-run-file' },
    {
      what: 'the run.json of a baseline',
      files: { 'run.json': '{"model":"baseline/random"}' },
      code: 'bad-run-file',
    },
  ])('refuses a folder with $what', async ({ files, code }) => {
    for (const [name, text] of Object.entries(files)) await put(name, text);
    await expect(open()).rejects.toMatchObject({ code });
    expect((await readdir(folder)).sort()).toEqual(Object.keys(files));
  });
});

describe('--restart', () => {
  it('keeps run, replies and batch aside and begins anew', async () => {
    await earlier(line('a'));
    await put('batch.json', '{"one":1}');
    expect(await open(WARMER, true)).toEqual({ kept: [], failed: [], torn: 0 });
    const names = (await readdir(folder)).sort();
    expect(names).toEqual([expect.stringMatching(/^earlier-[0-9a-f]{8}$/u), 'responses.jsonl', 'run.json']);
    expect(await read(names[0]!, 'responses.jsonl')).toBe(line('a'));
    expect(JSON.parse(await read(names[0]!, 'run.json'))).toEqual(RECORD);
    expect(await read(names[0]!, 'batch.json')).toBe('{"one":1}');
    expect(await read('responses.jsonl')).toBe('');
  });

  it('never puts one thing over another: two batches of the same run lie side by side', async () => {
    for (const batch of ['{"one":1}', '{"two":2}']) {
      await earlier('');
      await put('batch.json', batch);
      await open(RECORD, true);
    }
    const asides = (await readdir(folder)).filter((name) => name.startsWith('earlier-'));
    const kept = await Promise.all(asides.map((name) => read(name, 'batch.json')));
    expect(kept.sort()).toEqual(['{"one":1}', '{"two":2}']);
  });

  it('refuses replies that no run made all the same, and leaves an empty folder alone', async () => {
    await put('responses.jsonl', line('a'));
    await expect(open(RECORD, true)).rejects.toMatchObject({ code: 'foreign-responses' });
    expect(await read('responses.jsonl')).toBe(line('a'));
  });
});

describe('peekChatRun', () => {
  it('sees the same and changes nothing', async () => {
    const text = line('a') + failed('b') + line('c').slice(0, 9);
    await earlier(text);
    const { kept, failed: again, torn } = await peekChatRun(folder, { ...RECORD, via: '' }, testDeps());
    expect([idsOf(kept), idsOf(again), torn]).toEqual([['a'], ['b'], 1]);
    expect(await read('responses.jsonl')).toBe(text);
    expect((await readdir(folder)).sort()).toEqual(['responses.jsonl', 'run.json']);
  });
});
