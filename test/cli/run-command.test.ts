import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toJsonl } from '../../src/adapters/store/index.js';
import { fakeProvider, environmentOf, FAKE_KEY } from '../fake-provider/helpers.js';
import { aResponse } from '../score/helpers/an-item.js';
import { aBundle, type Bundle } from '../score/run/helpers.js';
import { errorOf, runMain } from './run-main.js';

const VARIABLES = [
  'OPENAI_API_KEY',
  'OPENAI_API_KEY_FILE',
  'OPENAI_BASE_URL',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GEMINI_BASE_URL',
];

let bundle: Bundle;
beforeEach(async () => {
  for (const name of VARIABLES) vi.stubEnv(name, undefined);
  bundle = await aBundle(3);
});
afterEach(() => vi.unstubAllEnvs());

/** `groundmark run BUNDLE --model openai/gpt-5-mini … --json`, with its runs beside the bundle. */
function run(...options: string[]) {
  const model = options.includes('--model') ? [] : ['--model', 'openai/gpt-5-mini'];
  const places = ['--out', path.join(bundle.folder, 'runs'), '-w', bundle.folder];
  return runMain('run', bundle.folder, ...model, ...options, ...places, '--json');
}

async function standIn(options: Parameters<typeof fakeProvider>[0] = {}) {
  const fake = await fakeProvider(options);
  for (const [name, value] of Object.entries(environmentOf(fake))) vi.stubEnv(name, value);
  return fake;
}

describe('groundmark run --help', () => {
  it('shows an example, every option of the contract, and where keys come from', async () => {
    const { code, stdout: printed } = await runMain('run', '--help');
    expect(code).toBe(0);
    // Lines break where the terminal wants it.
    const stdout = printed.replace(/\n {3,}/gu, ' ');
    expect(stdout).toMatch(
      /\nExample:\n {2}\$ npx groundmark run release\/public --model openai\/gpt-5-mini .*--budget 5/u,
    );
    for (const option of [
      '--model',
      '--condition',
      '--batch',
      '--budget',
      '--out',
      '--dry-run',
      '--epochs',
      '--seed',
    ])
      expect(stdout).toContain(option);
    expect(stdout).toContain('real, blank, swapped, no-images, choices-only, no-question');
    expect(stdout).toMatch(/OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY/u);
  });
});

describe('groundmark run, called the wrong way', () => {
  it.each([
    {
      options: ['--condition', 'dark'],
      says: /--condition dark is none of real, blank, swapped, no-images, /,
    },
    { options: ['--epochs', '0'], says: /--epochs 0 is no whole number from 1/ },
    { options: ['--epochs', '1.5'], says: /--epochs 1\.5 is no whole number from 1/ },
    { options: ['--budget', '-1'], says: /--budget -1 is no number from 0/ },
    { options: ['--budget', '$5'], says: /--budget \$5 is no number/ },
    { options: ['--concurrency', 'many'], says: /--concurrency many is no whole number/ },
    { options: ['--rpm', '0'], says: /--rpm 0/ },
    { options: ['--temperature', 'hot'], says: /--temperature hot/ },
    { options: ['--timeout', '0'], says: /--timeout 0/ },
    { options: ['--seed', 'x'], says: /--seed/ },
    { options: ['--loud'], says: /unknown option '--loud'/ },
  ])('$options: exit code 2 and a way on', async ({ options, says }) => {
    const said = await run(...options);
    expect(said.code).toBe(2);
    expect(errorOf(said)).toMatchObject({ code: 'usage' });
    expect(errorOf(said).message).toMatch(says);
    expect(errorOf(said).message).toMatch(/See `groundmark run --help`\.$/u);
    expect(said.stderr).toBe(`error: ${errorOf(said).message}\n`);
  });

  it.each([
    {
      model: 'gpt-5-mini',
      says: /--model gpt-5-mini names no model\..*openai\/…, anthropic\/…, gemini\/…, openai-compatible\/NAME\/…/,
    },
    { model: 'baseline/oracel', says: /Did you mean baseline\/oracle\?/ },
    { model: 'openai/', says: /openai\/ names no model of a provider/ },
  ])('$model: unknown model, exit code 2', async ({ model, says }) => {
    const said = await run('--model', model);
    expect([said.code, errorOf(said).code]).toEqual([2, 'unknown-model']);
    expect(errorOf(said).message).toMatch(says);
  });

  it.each([
    { options: ['--model', 'openai-compatible/lab/m'], code: 'unknown-provider', exit: 2 },
    { options: ['--model', 'openai/a', 'openai/a'], code: 'duplicate-model', exit: 2 },
    { options: ['--model', 'baseline/random', '--condition', 'blank'], code: 'offline-only-real', exit: 2 },
    { options: ['--model', 'baseline/random', '--batch'], code: 'offline-no-batch', exit: 2 },
  ])('$options: $code', async ({ options, code, exit }) => {
    const said = await run(...options);
    expect([said.code, errorOf(said).code]).toEqual([exit, code]);
  });

  it('needs a release and a model', async () => {
    expect((await runMain('run')).code).toBe(2);
    expect((await runMain('run', bundle.folder)).stderr).toMatch(
      /run needs --model, such as --model baseline\/random/u,
    );
    const said = await runMain(
      'run',
      path.join(bundle.folder, 'images'),
      '--model',
      'baseline/random',
      '--json',
    );
    expect([said.code, errorOf(said).code]).toEqual([3, 'no-release']);
  });
});

describe('groundmark run without what a provider wants', () => {
  it.each([
    { model: 'openai/gpt-5-mini', variable: 'OPENAI_API_KEY' },
    { model: 'anthropic/claude-sonnet-4-6', variable: 'ANTHROPIC_API_KEY' },
    { model: 'gemini/gemini-2.5-flash', variable: 'GEMINI_API_KEY' },
  ])('$model: exit code 4, and the message names $variable', async ({ model, variable }) => {
    const said = await run('--model', model, '--budget', '5');
    expect([said.code, errorOf(said).code]).toEqual([4, 'no-api-key']);
    expect(errorOf(said).message).toContain(variable);
    expect(errorOf(said).message).toContain(`${variable}_FILE`);
  });

  it('never repeats a key: not a bad one, not one in a file, not a good one', async () => {
    await standIn();
    vi.stubEnv('OPENAI_API_KEY', 'sk-SECRET with a blank');
    const bad = await run('--budget', '5');
    expect([bad.code, errorOf(bad).code]).toEqual([4, 'bad-api-key']);
    expect(bad.stdout + bad.stderr).toContain('OPENAI_API_KEY');
    vi.stubEnv('OPENAI_API_KEY', undefined);
    vi.stubEnv('OPENAI_API_KEY_FILE', '/nowhere/sk-SECRET');
    const noFile = await run('--budget', '5');
    expect(noFile.stdout + noFile.stderr).toContain('OPENAI_API_KEY_FILE');
    const file = path.join(bundle.folder, 'key.txt');
    await writeFile(file, 'sk-SECRET-of-a-file\n');
    vi.stubEnv('OPENAI_API_KEY_FILE', file);
    const good = await run('--budget', '5');
    expect(good.code).toBe(0);
    for (const { stdout, stderr } of [bad, noFile, good]) expect(stdout + stderr).not.toContain('SECRET');
  });

  it('no budget: exit code 2, no call, and no folder', async () => {
    const fake = await standIn();
    const said = await run();
    expect([said.code, errorOf(said).code]).toEqual([2, 'no-budget']);
    expect(errorOf(said).message).toMatch(
      /--budget 5 \(US dollars\), or --budget none; see first with --dry-run/u,
    );
    expect(fake.calls()).toEqual([]);
    expect((await readdir(bundle.folder)).sort()).toEqual(['images', 'items.jsonl', 'key.jsonl']);
  });

  it('no price: exit code 4 under a budget, and the message shows what to write', async () => {
    await standIn();
    const said = await run('--model', 'openai/gpt-99', '--budget', '5');
    expect([said.code, errorOf(said).code]).toEqual([4, 'no-price']);
    expect(errorOf(said).message).toContain('prices: { "openai/gpt-99": { input: 1.00, output: 2.00 } }');
  });
});

describe('groundmark run --dry-run', () => {
  it('gives one JSON object of the agreed shape, and touches nothing', async () => {
    const said = await run('--dry-run', '--epochs', '2', '--condition', 'no-images');
    expect(said.code).toBe(0);
    const { dryRun, runs } = JSON.parse(said.stdout) as { dryRun: boolean; runs: Record<string, unknown>[] };
    expect(dryRun).toBe(true);
    expect(runs).toHaveLength(1);
    expect(Object.keys(runs[0]!).sort()).toEqual([
      'cached',
      'calls',
      'condition',
      'hasKey',
      'imageBytes',
      'images',
      'inputTokens',
      'kept',
      'maxOutputTokens',
      'model',
      'priceAsOf',
      'problems',
      'usd',
    ]);
    expect(runs[0]).toMatchObject({
      model: 'openai/gpt-5-mini',
      condition: 'no-images',
      calls: 6,
      images: 0,
      imageBytes: 0,
      maxOutputTokens: 49_152,
      kept: 0,
      cached: null,
      hasKey: false,
      priceAsOf: '2025-12-15',
      problems: [],
    });
    expect((await readdir(bundle.folder)).sort()).toEqual(['images', 'items.jsonl', 'key.jsonl']);
  });

  it('tells people the same in words, unknown prices and problems too', async () => {
    const lines = async (...options: string[]): Promise<string> =>
      (await runMain('run', bundle.folder, '--dry-run', '-w', bundle.folder, ...options)).stdout;
    expect(await lines('--model', 'openai/gpt-5-mini')).toMatch(
      /^openai\/gpt-5-mini: 3 calls, \d+ images \(0\.0 MB\), about \d+ tokens in, at most 24576 out; about \$0\.\d{4} for the input, at most \$0\.\d{4} .*\(prices of 2025-12-15\)\n {2}0 replies are there; no API key is set/u,
    );
    expect(await lines('--model', 'openai/gpt-99')).toContain('no price is known, so the cost is not either');
    expect(await lines('--model', 'openai/gpt-5-mini', '--temperature', '1')).toContain(
      '  problem: openai/gpt-5-mini takes no temperature. Leave --temperature out.',
    );
  });
});

describe('groundmark run against a stand-in', () => {
  it('asks, keeps, tells, and asks nothing twice', async () => {
    const fake = await standIn();
    const first = await run('--budget', '5', '--max-output-tokens', '200', '--concurrency', '2');
    expect(first.code).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({
      runs: [
        {
          model: 'openai/gpt-5-mini',
          items: 3,
          added: 3,
          kept: 0,
          missing: 0,
          spending: { withoutPrice: 0 },
        },
      ],
    });
    expect(first.stderr).toMatch(
      /openai\/gpt-5-mini: 3 ok, \d+ tokens in, \d+ out, \$0\.\d{4} -> .*responses\.jsonl/u,
    );
    const again = await run('--budget', '5', '--max-output-tokens', '200');
    expect(JSON.parse(again.stdout)).toMatchObject({ runs: [{ added: 0, kept: 3 }] });
    expect(fake.calls()).toHaveLength(3);
    // Otherwise made, otherwise kept: by the cache of the workspace for those who ask the same in another place.
    const elsewhere = await run('--budget', '5', '--max-output-tokens', '200', '--restart');
    expect(JSON.parse(elsewhere.stdout)).toMatchObject({ runs: [{ added: 3, spending: { cached: 3 } }] });
    const anew = await run('--budget', '5', '--max-output-tokens', '200', '--restart', '--no-cache');
    expect(JSON.parse(anew.stdout)).toMatchObject({ runs: [{ added: 3, spending: { cached: 0 } }] });
    expect(fake.calls()).toHaveLength(6);
    for (const { stdout, stderr } of [first, again, elsewhere, anew])
      expect(stdout + stderr).not.toContain(FAKE_KEY);
  });

  it('ends with 4 when the provider fails throughout, and says how to go on', async () => {
    await standIn({ faults: () => ({ kind: 'refusal' }) });
    const refused = await run('--budget', '5');
    expect([refused.code, JSON.parse(refused.stdout)]).toMatchObject([
      0,
      { runs: [{ outcomes: { refused: 3 } }] },
    ]);
    const said = await run('--budget', '0.00001', '--condition', 'blank');
    expect([said.code, errorOf(said).code]).toEqual([4, 'budget-spent']);
    expect(errorOf(said).message).toMatch(/larger --budget; replies that are there are kept\.$/u);
    expect(errorOf(said).context).toMatchObject({ left: 3 });
  });
});

describe('groundmark score --reparse', () => {
  it('reads raw replies again and says what moved; without it nothing is read', async () => {
    const folder = path.join(bundle.folder, 'r');
    await mkdir(folder);
    const [a, b, c] = bundle.items;
    const raw = JSON.stringify({ answer: bundle.key[0]!.answer, evidence: ['img01'] });
    const replies = [
      aResponse([], null, 'unparsed', { itemId: a!.id, raw: `So: ${raw}` }),
      aResponse([], null, 'refused', { itemId: b!.id, raw }),
      aResponse(['img01'], 'A', 'ok', { itemId: c!.id, raw: 'no object' }),
    ];
    const responses = path.join(folder, 'responses.jsonl');
    await writeFile(responses, toJsonl(replies));
    const score = (...options: string[]) =>
      runMain('score', '--key', path.join(bundle.folder, 'key.jsonl'), '--responses', responses, ...options);
    const before = JSON.parse((await score('--json')).stdout) as Record<string, unknown>;
    expect(before.reparse).toBeUndefined();
    const after = JSON.parse((await score('--json', '--reparse')).stdout) as Record<string, unknown>;
    expect(after.reparse).toEqual({
      parser: 'mcq-reply/1',
      read: 2,
      changed: 2,
      outcomes: [
        { from: 'unparsed', to: 'ok', count: 1 },
        { from: 'ok', to: 'unparsed', count: 1 },
      ],
    });
    expect(after.models).toMatchObject([
      { outcomes: { ok: 1, refused: 1, unparsed: 1 }, answer: { rate: 1 / 3 } },
    ]);
    expect((await score('--reparse')).stdout).toContain(
      '2 raw replies read again by mcq-reply/1: 2 changed; outcomes: 1 from unparsed to ok, 1 from ok to unparsed.',
    );
    // The file itself stays as it was.
    expect(await readFile(responses, 'utf8')).toBe(toJsonl(replies));
    expect((await runMain('score', '--help')).stdout).toMatch(
      /--reparse.*\n(?:.*\n)*Example:\n {2}\$ npx groundmark score/u,
    );
  });
});
