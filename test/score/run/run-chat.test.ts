import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { planRun, runModel } from '../../../src/score/index.js';
import { FAKE_KEY, fakeProvider, MODELS, sourcesOf } from '../../fake-provider/helpers.js';
import { aBundle, MODEL, responsesOf, runDeps, runInput } from './helpers.js';

describe('runModel with a provider’s model', () => {
  it.each(MODELS)('asks %s once for every item and keeps each reply with what was sent', async (model) => {
    const bundle = await aBundle(6);
    const fake = await fakeProvider();
    const input = runInput(bundle, {
      models: [model],
      config: { ...sourcesOf(fake).config, prices: {}, budget: { usd: 0 } },
    });
    const [run] = await runModel(input, runDeps(fake));
    expect(run).toMatchObject({ model, items: 6, added: 6, kept: 0, missing: 0, outcomes: { ok: 6 } });
    const responses = await responsesOf(bundle, model.replaceAll('/', '-'));
    expect(responses.map(({ itemId }) => itemId).sort()).toEqual(bundle.items.map(({ id }) => id));
    const first = responses.find(({ itemId }) => itemId === 'item-001')!;
    const [item] = bundle.items;
    expect(first).toMatchObject({
      model,
      outcome: 'ok',
      epoch: 1,
      parser: 'mcq-reply/1',
      servedModel: model.split('/').at(-1),
      sent: {
        count: item!.images.length,
        images: item!.images.map(({ id, sha256, width, height }) => ({ id, sha256, width, height })),
      },
    });
    expect(JSON.parse(first.raw as string)).toEqual({ answer: first.answer, evidence: first.evidence });
    expect(first.ms).toBeGreaterThanOrEqual(0);
    // The server saw the same images, each behind its own label.
    const seen = fake.calls().find(({ images }) => images[0]!.sha256 === item!.images[0]!.sha256)!;
    expect(seen.images.map(({ label, sha256 }) => [label, sha256])).toEqual(
      item!.images.map(({ id, sha256 }) => [`Image ${id}:`, sha256]),
    );
    expect(seen.notes).toEqual([]);
  });

  it('asks nothing again when it is finished, and only for new epochs when more are wanted', async () => {
    const bundle = await aBundle(4);
    const fake = await fakeProvider();
    await runModel(runInput(bundle), runDeps(fake));
    const [again] = await runModel(runInput(bundle), runDeps(fake));
    expect(again).toMatchObject({ added: 0, kept: 4, missing: 0 });
    const [more] = await runModel(runInput(bundle, { epochs: 3 }), runDeps(fake));
    expect(more).toMatchObject({ added: 8, kept: 4, missing: 0 });
    expect(fake.calls()).toHaveLength(12);
    expect((await responsesOf(bundle)).map(({ epoch }) => epoch).sort()).toEqual([
      1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
    ]);
  });

  it('writes down prompt and settings, and no key, question or base64 anywhere', async () => {
    const bundle = await aBundle(2);
    const fake = await fakeProvider({ faults: ({ call }) => (call === 0 ? { kind: 'server-error' } : null) });
    const deps = runDeps(fake);
    await runModel(runInput(bundle, { maxOutputTokens: 400 }), deps);
    const folder = path.join(bundle.folder, 'runs', 'openai-gpt-5-mini');
    const runFile = await readFile(path.join(folder, 'run.json'), 'utf8');
    expect(JSON.parse(runFile)).toMatchObject({
      model: MODEL,
      condition: 'real',
      seed: null,
      prompt: { version: 'answer/1' },
      maxOutputTokens: 400,
      temperature: null,
      shuffleChoices: false,
    });
    const everything = [
      runFile,
      await readFile(path.join(folder, 'responses.jsonl'), 'utf8'),
      ...deps.lines,
    ].join('\n');
    expect(everything).not.toContain(FAKE_KEY);
    expect(everything).not.toContain(bundle.items[0]!.question);
    expect(everything).not.toContain(bundle.items[0]!.choices[0]!.text);
    expect(everything).not.toMatch(/[A-Za-z0-9+/]{70}/u);
    expect(everything).not.toContain(bundle.folder);
  });

  it('takes a reply from the cache: nothing is sent, and the record says so', async () => {
    const bundle = await aBundle(3);
    const fake = await fakeProvider();
    const cacheFolder = path.join(bundle.folder, 'cache');
    await runModel(runInput(bundle, { cacheFolder }), runDeps(fake));
    const other = runInput(bundle, { cacheFolder, outDir: path.join(bundle.folder, 'runs', 'again') });
    const [run] = await runModel(other, runDeps(fake));
    expect(run).toMatchObject({ added: 3, spending: { cached: 3, inputTokens: 0, usd: 0 } });
    expect(fake.calls()).toHaveLength(3);
    const responses = await responsesOf(bundle, 'again/openai-gpt-5-mini');
    expect(responses.every(({ cached, usd }) => cached === true && (usd as number) > 0)).toBe(true);
  });

  it('refuses to mix replies that were made otherwise; --restart puts them aside', async () => {
    const bundle = await aBundle(2);
    const fake = await fakeProvider();
    await runModel(runInput(bundle), runDeps(fake));
    const other = runInput(bundle, { shuffleChoices: true });
    await expect(runModel(other, runDeps(fake))).rejects.toMatchObject({
      code: 'run-differs',
      exit: 2,
      message: expect.stringMatching(/the seed, --shuffle-choices differ/u) as string,
    });
    const [run] = await runModel({ ...other, restart: true }, runDeps(fake));
    expect(run).toMatchObject({ added: 2, kept: 0 });
    expect(fake.calls()).toHaveLength(4);
  });

  it('runs several models side by side, and one that fails leaves the other’s replies whole', async () => {
    const bundle = await aBundle(4);
    const fake = await fakeProvider({
      faults: ({ provider }) => (provider === 'anthropic' ? { kind: 'server-error' } : null),
    });
    const models = ['anthropic/claude-sonnet-4-6', MODEL];
    const retry = { attempts: 2, firstWaitMs: 1 };
    const deps = runDeps(fake);
    const [failed, whole] = await runModel(runInput(bundle, { models, retry }), deps);
    expect(failed).toMatchObject({ added: 4, outcomes: { transport: 4 } });
    expect(whole).toMatchObject({ added: 4, outcomes: { ok: 4 } });
  });

  it('stops when no call brings a reply, keeps what it has, and tries those calls again', async () => {
    const bundle = await aBundle(40);
    let down = true;
    const fake = await fakeProvider({ faults: () => (down ? { kind: 'server-error' } : null) });
    const input = runInput(bundle, { retry: { attempts: 1 }, concurrency: 2 });
    await expect(runModel(input, runDeps(fake))).rejects.toMatchObject({ code: 'provider-failing', exit: 4 });
    expect(fake.calls().length).toBeLessThan(10);
    down = false;
    const [run] = await runModel(input, runDeps(fake));
    expect(run).toMatchObject({ added: 40, kept: 0, missing: 0, outcomes: { ok: 40 } });
    const failures = await readFile(
      path.join(bundle.folder, 'runs', 'openai-gpt-5-mini', 'failures.jsonl'),
      'utf8',
    );
    expect(JSON.parse(failures.split('\n')[0]!)).toMatchObject({
      outcome: 'transport',
      answer: null,
      failure: { kind: 'server', status: 500 },
    });
    expect(new Set((await responsesOf(bundle)).map(({ itemId }) => itemId)).size).toBe(40);
  });

  it('stops at once when the key is refused, after one call in each lane at most', async () => {
    const bundle = await aBundle(30);
    const fake = await fakeProvider();
    const deps = runDeps(fake);
    const input = runInput(bundle, { models: ['gemini/gemini-2.5-flash'], concurrency: 3 });
    const environment = (name: string): string | undefined =>
      name === 'GOOGLE_GEMINI_BASE_URL' ? `${fake.urls.gemini}/nowhere` : deps.environment(name);
    await expect(runModel(input, { ...deps, environment })).rejects.toMatchObject({
      code: 'provider-refuses',
    });
  });

  it('makes no call without a budget, and none that the budget may not bear', async () => {
    const bundle = await aBundle(3);
    const fake = await fakeProvider();
    await expect(runModel(runInput(bundle, { budgetUsd: undefined }), runDeps(fake))).rejects.toMatchObject({
      code: 'no-budget',
      exit: 2,
    });
    const tight = runInput(bundle, { budgetUsd: 0.0001, maxOutputTokens: 100 });
    await expect(runModel(tight, runDeps(fake))).rejects.toMatchObject({ code: 'budget-spent', exit: 4 });
    expect(fake.calls()).toEqual([]);
  });

  it('counts what earlier runs spent against the budget', async () => {
    const bundle = await aBundle(12);
    const fake = await fakeProvider();
    // gpt-5-mini: 0.25 and 2 dollars per million tokens. A call has about 2,700 tokens and may write 100: below 0.0011.
    const input = runInput(bundle, { budgetUsd: 0.004, maxOutputTokens: 100, concurrency: 1 });
    await expect(runModel(input, runDeps(fake))).rejects.toMatchObject({ code: 'budget-spent' });
    const calls = fake.calls().length;
    expect(calls).toBeGreaterThan(1);
    expect(calls).toBeLessThan(12);
    await expect(runModel(input, runDeps(fake))).rejects.toMatchObject({ code: 'budget-spent' });
    expect(fake.calls()).toHaveLength(calls);
    const [run] = await runModel({ ...input, budgetUsd: 1 }, runDeps(fake));
    expect(run).toMatchObject({ kept: calls, added: 12 - calls, missing: 0 });
  });

  it('refuses an image that was changed since the release, before it is sent', async () => {
    const bundle = await aBundle(2);
    const fake = await fakeProvider();
    const deps = runDeps(fake);
    await deps.store.write(path.join(bundle.folder, bundle.items[0]!.images[0]!.file), 'no picture');
    await expect(runModel(runInput(bundle), deps)).rejects.toMatchObject({ code: 'changed-image' });
  });

  it.each([
    { what: 'an image that is not there', change: { file: 'images/none.png' }, code: 'not-found' },
    { what: 'a file outside the bundle', change: { file: '../outside.png' }, code: 'bad-image-path' },
  ])('refuses $what before the first call', async ({ change, code }) => {
    const bundle = await aBundle(2);
    const fake = await fakeProvider();
    const deps = runDeps(fake);
    const [first, second] = bundle.items;
    const [image, ...images] = second!.images;
    const changed = [first, { ...second, images: [{ ...image, ...change }, ...images] }];
    await deps.store.write(
      path.join(bundle.folder, 'items.jsonl'),
      changed.map((item) => `${JSON.stringify(item)}\n`).join(''),
    );
    await expect(runModel(runInput(bundle), deps)).rejects.toMatchObject({ code });
    expect(fake.calls()).toEqual([]);
  });

  it('checks what a model takes before the first call', async () => {
    const bundle = await aBundle(2);
    const fake = await fakeProvider();
    const config = {
      providers: { local: { baseUrl: fake.urls.openai, keyEnv: 'OPENAI_API_KEY', maxImages: 5 } },
      prices: {},
      budget: { usd: 0 },
    };
    const input = runInput(bundle, { models: ['openai-compatible/local/m'], config });
    await expect(runModel(input, runDeps(fake))).rejects.toMatchObject({ code: 'too-many-images', exit: 4 });
    await expect(runModel(runInput(bundle, { temperature: 0 }), runDeps(fake))).rejects.toMatchObject({
      code: 'not-taken',
    });
    expect(fake.calls()).toEqual([]);
  });
});

describe('planRun', () => {
  it('tells calls, images, bytes, tokens and cost, and makes no call and no file', async () => {
    const bundle = await aBundle(5);
    const fake = await fakeProvider();
    const input = runInput(bundle, { epochs: 2, maxOutputTokens: 100, budgetUsd: undefined });
    const [plan] = await planRun(input, runDeps(fake));
    const images = bundle.items.reduce((sum, item) => sum + item.images.length, 0);
    expect(plan).toMatchObject({
      model: MODEL,
      calls: 10,
      images: 2 * images,
      maxOutputTokens: 1000,
      kept: 0,
      cached: 0,
      hasKey: true,
      problems: [],
    });
    expect(plan!.imageBytes).toBeGreaterThan(100 * images);
    // 2 dollars per million output tokens: 1,000 of them are 0.002.
    expect(plan!.usd!.atMost - plan!.usd!.input).toBeCloseTo(0.002, 10);
    expect(fake.calls()).toEqual([]);
    await expect(responsesOf(bundle)).rejects.toThrow();
  });

  it('needs no API key, and lists what speaks against the run instead of throwing it', async () => {
    const bundle = await aBundle(3);
    const fake = await fakeProvider();
    const deps = runDeps(fake, { environment: () => undefined });
    const input = runInput(bundle, { models: ['anthropic/claude-sonnet-4-6'], temperature: 0.5 });
    const [plan] = await planRun(input, deps);
    expect(plan).toMatchObject({ calls: 3, hasKey: false, cached: null });
    expect(plan!.problems).toEqual([
      'anthropic/claude-sonnet-4-6 takes no temperature. Leave --temperature out.',
    ]);
  });
});
