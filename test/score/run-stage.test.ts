import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { splitTornTail, toJsonl } from '../../src/adapters/store/index.js';
import type { Response } from '../../src/domain/response.js';
import { runModel } from '../../src/score/index.js';
import { testDeps } from '../helpers/deps.js';
import { madeUpBenchmark } from './helpers/made-up.js';

const { items, key } = madeUpBenchmark(150);
let folder = '';

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gm-run-'));
  await writeFile(path.join(folder, 'items.jsonl'), toJsonl(items));
  await writeFile(path.join(folder, 'key.jsonl'), toJsonl(key));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function input(models: readonly string[], more: Partial<Parameters<typeof runModel>[0]> = {}) {
  return {
    itemsFile: path.join(folder, 'items.jsonl'),
    keyFile: path.join(folder, 'key.jsonl'),
    models,
    condition: 'real' as const,
    outDir: path.join(folder, 'runs'),
    ...more,
  };
}

const RESPONSES = path.join('runs', 'baseline-random', 'responses.jsonl');
const read = (name: string): Promise<string> => readFile(path.join(folder, name), 'utf8');
const responses = async (name: string): Promise<Response[]> =>
  (await read(name))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Response);

describe('runModel', () => {
  it('writes one reply an item, in the order of the items, the same bytes for the same seed', async () => {
    const [run] = await runModel(input(['baseline/random']), testDeps());
    expect(run).toMatchObject({
      model: 'baseline/random',
      items: 150,
      added: 150,
      kept: 0,
      torn: 0,
      missing: 0,
    });
    const first = await read(RESPONSES);
    expect((await responses(RESPONSES)).map((response) => response.itemId)).toEqual(
      items.map((item) => item.id),
    );
    await runModel(input(['baseline/random'], { outDir: path.join(folder, 'other') }), testDeps());
    expect(await read(path.join('other', 'baseline-random', 'responses.jsonl'))).toBe(first);
    await runModel(input(['baseline/random'], { outDir: path.join(folder, 'third') }), testDeps({ seed: 1 }));
    expect(await read(path.join('third', 'baseline-random', 'responses.jsonl'))).not.toBe(first);
  });

  it('asks nothing again when it is finished', async () => {
    await runModel(input(['baseline/random']), testDeps());
    const before = await read(RESPONSES);
    const [again] = await runModel(input(['baseline/random']), testDeps());
    expect(again).toMatchObject({ added: 0, kept: 150, outcomes: { ok: 150 } });
    expect(await read(RESPONSES)).toBe(before);
  });

  it('goes on after a kill in the middle of a line: the torn line is dropped, counted and asked again', async () => {
    await runModel(input(['baseline/random']), testDeps());
    const whole = await read(RESPONSES);
    const lines = whole.split('\n');
    await writeFile(
      path.join(folder, RESPONSES),
      `${lines.slice(0, 40).join('\n')}\n${lines[40]!.slice(0, 25)}`,
    );
    const [run] = await runModel(input(['baseline/random']), testDeps());
    expect(run).toMatchObject({ kept: 40, added: 110, torn: 1 });
    expect(await read(RESPONSES)).toBe(whole);
  });

  it('stops at a broken line that no crash can have left, naming it', async () => {
    await runModel(input(['baseline/random']), testDeps());
    await writeFile(path.join(folder, RESPONSES), `{"itemId":\n${await read(RESPONSES)}`);
    await expect(runModel(input(['baseline/random']), testDeps())).rejects.toMatchObject({
      code: 'bad-line',
      context: { line: 1 },
    });
  });

  it('starts anew and says so when the items have changed', async () => {
    await runModel(input(['baseline/random']), testDeps());
    await writeFile(path.join(folder, 'items.jsonl'), toJsonl(items.slice(0, 20)));
    const deps = testDeps();
    const [run] = await runModel(input(['baseline/random']), deps);
    expect(run).toMatchObject({ items: 20, added: 20, kept: 0 });
    expect(deps.lines.join()).toMatch(/baseline\/random: .* changed/);
    expect(await responses(RESPONSES)).toHaveLength(20);
  });

  it('leaves other people’s responses alone', async () => {
    await runModel(input(['baseline/random']), testDeps());
    await rm(path.join(folder, 'runs', 'baseline-random', 'run.json'));
    await expect(runModel(input(['baseline/random']), testDeps())).rejects.toMatchObject({
      code: 'foreign-responses',
    });
  });

  it('stops between batches when it is told to, and keeps what it has', async () => {
    const controller = new AbortController();
    let asked = 0;
    const progress = {
      start: () => ({
        tick: () => {
          if (++asked === 70) controller.abort();
        },
        done: () => undefined,
      }),
    };
    await expect(
      runModel(input(['baseline/random']), testDeps({ signal: controller.signal, progress })),
    ).rejects.toThrow();
    expect(await responses(RESPONSES)).toHaveLength(128);
    const [run] = await runModel(input(['baseline/random']), testDeps());
    expect(run).toMatchObject({ kept: 128, added: 22 });
  });

  it('runs a scripted file; an item without a line has no response and is counted', async () => {
    const script = path.join(folder, 'private-place', 'replies.jsonl');
    const deps = testDeps();
    await deps.store.write(
      script,
      toJsonl([
        { itemId: items[0]!.id, reply: '{"answer":"A","evidence":["img01"]}' },
        { itemId: items[1]!.id, reply: 'A, I think' },
      ]),
    );
    const [run] = await runModel(input([`scripted/${script}`], { keyFile: null }), deps);
    expect(run).toMatchObject({
      model: 'scripted/replies',
      added: 2,
      missing: 148,
      outcomes: { ok: 1, unparsed: 1 },
    });
    const written = await responses(path.join('runs', 'scripted-replies', 'responses.jsonl'));
    expect(written.map(({ itemId, outcome }) => [itemId, outcome])).toEqual([
      ['item-001', 'ok'],
      ['item-002', 'unparsed'],
    ]);
    expect(written[1]!.raw).toBe('A, I think');
    expect(JSON.stringify(written)).not.toContain('private-place');
    await appendFile(
      script,
      toJsonl([{ itemId: items[2]!.id, reply: '{"answer":"B","evidence":["img01"]}' }]),
    );
    expect((await runModel(input([`scripted/${script}`], { keyFile: null }), deps))[0]).toMatchObject({
      added: 3,
    });
  });

  it.each([
    { models: ['openai/'], code: 'unknown-model' },
    { models: ['openai-compatible/local/model'], code: 'unknown-provider' },
    { models: ['baseline/randon'], code: 'unknown-model' },
    { models: ['random'], code: 'unknown-model' },
    { models: ['scripted/'], code: 'unknown-model' },
    { models: ['baseline/random', 'baseline/random'], code: 'duplicate-model' },
  ])('refuses $models as $code, before any model runs', async ({ models, code }) => {
    await expect(runModel(input(['baseline/longest', ...models]), testDeps())).rejects.toMatchObject({
      code,
      exit: 2,
    });
    await expect(read(path.join('runs', 'baseline-longest', 'responses.jsonl'))).rejects.toThrow();
  });

  it('names the near model in its message', async () => {
    await expect(runModel(input(['baseline/randon']), testDeps())).rejects.toThrow(
      /Did you mean baseline\/random\?/,
    );
  });

  it('asks for a provider’s key before a built-in model runs', async () => {
    await expect(
      runModel(input(['baseline/longest', 'openai/gpt-5-mini']), testDeps()),
    ).rejects.toMatchObject({
      code: 'no-api-key',
      exit: 4,
    });
    await expect(read(path.join('runs', 'baseline-longest', 'responses.jsonl'))).rejects.toThrow();
  });

  it.each(['baseline/random', 'scripted/replies.jsonl'])(
    'says why %s is not run under another condition',
    async (model) => {
      await expect(runModel(input([model], { condition: 'blank' }), testDeps())).rejects.toMatchObject({
        code: 'offline-only-real',
        exit: 2,
      });
    },
  );

  it('gives a baseline more than one epoch, the first one as ever', async () => {
    await runModel(input(['baseline/random']), testDeps());
    const first = await read(RESPONSES);
    const [run] = await runModel(input(['baseline/random'], { epochs: 2 }), testDeps());
    expect(run).toMatchObject({ kept: 150, added: 150 });
    const both = await responses(RESPONSES);
    expect((await read(RESPONSES)).startsWith(first)).toBe(true);
    expect(both.slice(150).every(({ epoch }) => epoch === 2)).toBe(true);
    expect(both.slice(150).map(({ answer }) => answer)).not.toEqual(
      both.slice(0, 150).map(({ answer }) => answer),
    );
  });

  it('needs a key for the oracle', async () => {
    await expect(runModel(input(['baseline/oracle'], { keyFile: null }), testDeps())).rejects.toMatchObject({
      code: 'needs-key',
    });
  });
});

describe('splitTornTail', () => {
  it('keeps whole lines and gives the rest', () => {
    expect(splitTornTail('a\nb\nc')).toEqual({ whole: 'a\nb\n', torn: 'c' });
    expect(splitTornTail('a\n')).toEqual({ whole: 'a\n', torn: '' });
    expect(splitTornTail('')).toEqual({ whole: '', torn: '' });
  });
});
