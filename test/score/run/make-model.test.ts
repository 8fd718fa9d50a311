import { describe, expect, it } from 'vitest';
import {
  checkDistinct,
  checkOffline,
  parseModelSpec,
  runFolderName,
} from '../../../src/score/run/make-model.js';
import { thrownBy } from './an-item.js';

describe('parseModelSpec', () => {
  it.each([
    { word: 'baseline/random', spec: { kind: 'baseline', id: 'baseline/random' } },
    {
      word: 'scripted/a/b/replies.jsonl',
      spec: { kind: 'scripted', id: 'scripted/replies', file: 'a/b/replies.jsonl' },
    },
    { word: 'openai/gpt-5-mini', spec: { kind: 'chat', id: 'openai/gpt-5-mini' } },
    {
      word: 'openai-compatible/local/org/model:8b',
      spec: { kind: 'chat', id: 'openai-compatible/local/org/model:8b' },
    },
  ])('$word', ({ word, spec }) => {
    expect(parseModelSpec(word)).toEqual(spec);
  });

  it.each([
    'gpt-5-mini',
    '',
    '/',
    'openai',
    'openai/',
    'openai-compatible/local',
    'Openai/m',
    'scripted/',
    'azure/m',
  ])('%j names no model', (word) => {
    expect(thrownBy(() => parseModelSpec(word))).toMatchObject({ code: 'unknown-model', exit: 2 });
  });

  it('names the nearest baseline', () => {
    expect(() => parseModelSpec('baseline/longst')).toThrow('Did you mean baseline/longest?');
  });
});

describe('a run’s folder', () => {
  it.each([
    { id: 'openai/gpt-5-mini', condition: 'real' as const, folder: 'openai-gpt-5-mini' },
    { id: 'openai/gpt-5-mini', condition: 'no-images' as const, folder: 'openai-gpt-5-mini--no-images' },
    {
      id: 'openai-compatible/l/org/m:8b',
      condition: 'blank' as const,
      folder: 'openai-compatible-l-org-m-8b--blank',
    },
    { id: 'gemini/../../x', condition: 'real' as const, folder: 'gemini-..-..-x' },
  ])('$id under $condition: $folder', ({ id, condition, folder }) => {
    expect(runFolderName(id, condition)).toBe(folder);
  });

  it('is one model’s alone in a run', () => {
    const ids = (...words: string[]) => words.map(parseModelSpec);
    expect(() => checkDistinct(ids('openai/a', 'openai/b', 'baseline/random'))).not.toThrow();
    expect(thrownBy(() => checkDistinct(ids('openai/a', 'openai/a')))).toMatchObject({
      code: 'duplicate-model',
      exit: 2,
    });
    expect(thrownBy(() => checkDistinct(ids('scripted/x/r.jsonl', 'scripted/y/r.jsonl')))).toMatchObject({
      code: 'duplicate-model',
    });
  });
});

describe('checkOffline', () => {
  it.each([
    { word: 'baseline/random', condition: 'blank' as const, batch: false, code: 'offline-only-real' },
    { word: 'scripted/r.jsonl', condition: 'swapped' as const, batch: false, code: 'offline-only-real' },
    { word: 'baseline/random', condition: 'real' as const, batch: true, code: 'offline-no-batch' },
  ])('$word takes no condition $condition with batch $batch', ({ word, condition, batch, code }) => {
    const specs = ['openai/a', word].map(parseModelSpec);
    expect(thrownBy(() => checkOffline(specs, condition, batch))).toMatchObject({ code, exit: 2 });
    expect(() => checkOffline(specs.slice(0, 1), condition, batch)).not.toThrow();
    expect(() => checkOffline(specs, 'real', false)).not.toThrow();
  });
});
