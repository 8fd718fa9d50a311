import { describe, expect, it } from 'vitest';
import type { Condition } from '../../../src/domain/response.js';
import { differences, refuseMixing, viaOf } from '../../../src/score/run/chat-run-record.js';
import { chatRunRecord } from '../../../src/score/run/run-record.js';
import type { RunModelInput } from '../../../src/score/run/run-input.js';
import { hash, thrownBy } from './an-item.js';

const HASHES = { itemsSha256: hash('items'), keySha256: hash('key') };
const PROMPT = { version: 'answer/1', sha256: hash('prompt'), text: 'PROMPT' };

function recordOf(input: Partial<RunModelInput> = {}, seed = 0, condition: Condition = 'real') {
  const whole = { itemsFile: '', keyFile: null, models: [], outDir: '', condition, ...input };
  return chatRunRecord('openai/m', 'via-1', whole, HASHES, PROMPT, seed);
}

const BASE = recordOf();

describe('run.json of a provider’s model', () => {
  it('holds what the replies follow from, and no path', () => {
    expect(recordOf({ temperature: 0.5, maxOutputTokens: 100 })).toEqual({
      schemaVersion: 1,
      model: 'openai/m',
      condition: 'real',
      seed: null,
      itemsSha256: hash('items'),
      keySha256: null,
      prompt: { version: 'answer/1', sha256: hash('prompt') },
      shuffleChoices: false,
      maxOutputTokens: 100,
      temperature: 0.5,
      via: 'via-1',
    });
  });

  it('holds the seed only where something shown follows from it, and the key only where it chose the images', () => {
    expect(recordOf({}, 7)).toMatchObject({ seed: null, keySha256: null });
    expect(recordOf({ shuffleChoices: true }, 7)).toMatchObject({ seed: 7, keySha256: null });
    expect(recordOf({}, 7, 'swapped')).toMatchObject({ seed: 7, keySha256: hash('key') });
    expect(recordOf({}, 7, 'blank')).toMatchObject({ seed: null, keySha256: null });
  });

  it('leaves out what changes no reply: epochs, batch, concurrency, budget', () => {
    const input = { epochs: 4, batch: true, concurrency: 32, budgetUsd: 9, keyFile: '/somewhere' };
    expect(recordOf(input)).toEqual(BASE);
  });
});

describe('differences', () => {
  it('finds none between equal records', () => {
    expect(differences(BASE, recordOf())).toEqual([]);
  });

  it.each([
    { change: { model: 'openai/other' }, names: ['the model'] },
    { change: { condition: 'blank' as const }, names: ['the condition'] },
    { change: { seed: 1 }, names: ['the seed'] },
    { change: { itemsSha256: hash('other') }, names: ['the items'] },
    { change: { keySha256: hash('other') }, names: ['the key'] },
    { change: { prompt: { version: 'answer/2', sha256: hash('prompt') } }, names: ['the prompt'] },
    { change: { prompt: { version: 'answer/1', sha256: hash('other') } }, names: ['the prompt'] },
    { change: { shuffleChoices: true }, names: ['--shuffle-choices'] },
    { change: { maxOutputTokens: 1 }, names: ['--max-output-tokens'] },
    { change: { temperature: 0 }, names: ['--temperature'] },
    { change: { via: 'via-2' }, names: ['the address of the provider, or the version of its SDK'] },
    { change: { seed: 1, temperature: 1 }, names: ['the seed', '--temperature'] },
  ])('names $names', ({ change, names }) => {
    expect(differences(BASE, { ...BASE, ...change })).toEqual(names);
  });

  it('does not compare the address where it is not known, and all else still', () => {
    expect(differences(BASE, { ...BASE, via: '' })).toEqual([]);
    expect(differences(BASE, { ...BASE, via: '', temperature: 1 })).toEqual(['--temperature']);
  });
});

describe('viaOf', () => {
  it('tells addresses and SDKs apart and shows neither', () => {
    const via = viaOf({ sdk: 'openai@6', fingerprint: 'http://one/v1' });
    expect(via).toMatch(/^[0-9a-f]{16}$/u);
    expect(viaOf({ sdk: 'openai@6', fingerprint: 'http://one/v1' })).toBe(via);
    expect(viaOf({ sdk: 'openai@6', fingerprint: 'http://two/v1' })).not.toBe(via);
    expect(viaOf({ sdk: 'openai@7', fingerprint: 'http://one/v1' })).not.toBe(via);
    expect(viaOf({ sdk: 'openai@6' })).not.toBe(via);
  });
});

describe('refuseMixing', () => {
  it('says what differs and the three ways on', () => {
    expect(thrownBy(() => refuseMixing('openai/m', '/runs/m', ['the seed', '--temperature']))).toMatchObject({
      code: 'run-differs',
      exit: 2,
      context: { differing: ['the seed', '--temperature'] },
      message: expect.stringMatching(
        /the seed, --temperature differ\..*Run as before.*another --out.*--restart/u,
      ) as string,
    });
  });
});
