import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toJsonl } from '../../src/adapters/store/index.js';
import { command as runCommand } from '../../src/cli/commands/run.js';
import { command as scoreCommand } from '../../src/cli/commands/score.js';
import type { KeyEntry } from '../../src/domain/item.js';
import type { Response } from '../../src/domain/response.js';
import type { ScoreReport } from '../../src/domain/score.js';
import { rng } from '../../src/util/rng.js';
import { testDeps } from '../helpers/deps.js';
import { madeUpBenchmark } from '../score/helpers/made-up.js';

/** The protocol once more, in another language and from its text alone. */
const PYTHON = `
import json, sys
key = {}
for line in open(sys.argv[1]):
    k = json.loads(line); key[k['id']] = k
got = {}
for line in open(sys.argv[2]):
    r = json.loads(line); got[r['itemId']] = r
out = []
for kid, k in key.items():
    r = got.get(kid); a = e = False
    if r is not None and r['outcome'] in ('ok', 'unknown-id'):
        refs = [m for m in k['images'] if m['role'] == 'reference']
        good = {m['id'] for m in k['images'] for q in refs if m is q or (m['series'] == q['series'] and abs(m['position'] - q['position']) < 3)}
        said = {s.strip().lower() for s in r['evidence']}
        hits = len(said & good)
        e = len(said) in (1, 2, 3) and hits >= (2 if len(refs) > 2 else 1) and hits >= len(said) - hits
        a = r['answer'] == k['answer']
    out.append([kid, a, e])
json.dump(out, sys.stdout)
`;

const COMMON = { workspace: '/nowhere', json: false, seedGiven: false };
let folder = '';
const at = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gm-score-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** 600 random items, images crowded into two series, and replies of every kind. */
function randomSet(): { key: KeyEntry[]; replies: Response[] } {
  const random = rng(7, 'score-check');
  const key: KeyEntry[] = [];
  const replies: Response[] = [];
  for (let i = 0; i < 600; i++) {
    const places = random.shuffle(
      [...'ab'].flatMap((series) => Array.from({ length: 15 }, (_, p) => [series, p])),
    );
    const shown = 7 + random.int(6);
    const references = random.pick([1, 1, 2, 2, 3]);
    const id = `it-${i}`;
    const images = places.slice(0, shown).map(([series, position], n) => ({
      id: `img${String(n + 1).padStart(2, '0')}`,
      series: series as string,
      position: position as number,
      role: n < references ? ('reference' as const) : ('comparison' as const),
    }));
    key.push({
      schemaVersion: 1,
      id,
      answer: random.pick(['A', 'B', 'C', 'D', 'E']),
      images: random.shuffle(images),
      caseGroup: `c${Math.floor(i / 3)}`,
      strata: { modality: random.pick(['CT', 'MR']) },
    });
    const ids = random.shuffle(images.map((image) => image.id));
    const evidence = ids.slice(0, 1 + random.int(3));
    const kind = i % 20;
    if (kind === 0) continue;
    if (kind === 1) evidence.splice(0, evidence.length, ...ids.slice(0, 4));
    if (kind === 2) evidence.length = 0;
    if (kind === 3) evidence[0] = 'img99';
    if (kind === 4) evidence.splice(0, evidence.length, ids[0]!.toUpperCase(), ` ${ids[0]!} `);
    replies.push({
      schemaVersion: 1,
      itemId: id,
      model: 'm',
      answer: random.pick(['A', 'B', 'C', 'D', 'E']),
      evidence,
      outcome: kind === 5 ? 'refused' : 'ok',
    });
  }
  return { key, replies };
}

describe('groundmark score', () => {
  it('scores 600 random items as an independent program does', async () => {
    const { key, replies } = randomSet();
    await writeFile(at('key.jsonl'), toJsonl(key));
    await writeFile(at('r.jsonl'), toJsonl(replies));
    const options = { key: at('key.jsonl'), responses: [at('r.jsonl')], out: at('s.json') };
    const { text } = await scoreCommand.run([], options, COMMON, testDeps());
    const report = JSON.parse(await readFile(at('s.json'), 'utf8')) as ScoreReport;
    const [model] = report.models;
    // Passes out of 600, as the Python program above counts them too.
    expect(
      [model!.answer.rate! * 600, model!.evidence.rate! * 600, model!.joint.rate! * 600].map(Math.round),
    ).toEqual([106, 148, 25]);
    expect(model!.outcomes).toMatchObject({
      missing: 30,
      refused: 30,
      'invalid-selection': 60,
      'unknown-id': 30,
    });
    expect(text!.join('\n')).toMatch(/chance/);
    const python = runPython(at('key.jsonl'), at('r.jsonl'));
    if (python === null) return;
    expect(report.items.map(({ id, answer, evidence }) => [id, answer, evidence])).toEqual(python);
  });

  it('writes CSV, HTML and Markdown when they are asked for', async () => {
    const out = { csv: at('o/s.csv'), html: at('o/s.html'), markdown: at('o/s.md') };
    const { json } = await scoreCommand.run(
      [],
      { key: at('key.jsonl'), responses: [at('r.jsonl')], ...out },
      COMMON,
      testDeps(),
    );
    expect((json as ScoreReport).items).toHaveLength(600);
    expect((await readFile(out.csv, 'utf8')).split('\n')).toHaveLength(602);
    expect(await readFile(out.html, 'utf8')).toMatch(/^<!doctype html>/);
    expect(await readFile(out.markdown, 'utf8')).toMatch(/^# Scores/);
  });

  it.each([
    { options: {}, code: 'usage', exit: 2 },
    { options: { key: 'k.jsonl' }, code: 'usage', exit: 2 },
    { options: { key: 'none.jsonl', responses: ['r.jsonl'] }, code: 'not-found', exit: 3 },
    { options: { key: 'empty.jsonl', responses: ['r.jsonl'] }, code: 'no-items', exit: 3 },
    { options: { key: 'key.jsonl', responses: ['empty.jsonl'] }, code: 'no-responses', exit: 3 },
    { options: { key: 'key.jsonl', responses: ['r.jsonl', 'r.jsonl'] }, code: 'duplicate-response', exit: 3 },
    { options: { key: 'twice.jsonl', responses: ['r.jsonl'] }, code: 'duplicate-key', exit: 3 },
    { options: { key: 'no-reference.jsonl', responses: ['r.jsonl'] }, code: 'no-reference', exit: 3 },
    { options: { key: 'same-image.jsonl', responses: ['r.jsonl'] }, code: 'duplicate-image', exit: 3 },
    { options: { key: 'r.jsonl', responses: ['r.jsonl'] }, code: 'bad-line', exit: 3 },
  ])('stops with $code for $options', async ({ options, code, exit }) => {
    const { key } = randomSet();
    const [first, second] = key as [KeyEntry, KeyEntry];
    const lone = { ...second, images: second.images.map((image) => ({ ...image, role: 'comparison' })) };
    const same = {
      ...first,
      images: [first.images[0], { ...first.images[0], id: 'IMG01' }, { ...first.images[0], id: 'img01' }],
    };
    await writeFile(at('empty.jsonl'), '\n');
    await writeFile(at('twice.jsonl'), toJsonl([first, first]));
    await writeFile(at('no-reference.jsonl'), `\n${toJsonl([first, lone])}`);
    await writeFile(at('same-image.jsonl'), toJsonl([same]));
    const placed = Object.fromEntries(
      Object.entries(options).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map(at) : at(value as string),
      ]),
    );
    await expect(scoreCommand.run([], placed, COMMON, testDeps())).rejects.toMatchObject({ code, exit });
  });

  it('names file, line and item of a key entry without a reference', async () => {
    await expect(
      scoreCommand.run([], { key: at('no-reference.jsonl'), responses: [at('r.jsonl')] }, COMMON, testDeps()),
    ).rejects.toThrow(/no-reference\.jsonl, line 3: item it-1 /);
  });
});

/** null where no Python is. */
function runPython(key: string, replies: string): unknown {
  try {
    return JSON.parse(execFileSync('python3', ['-c', PYTHON, key, replies], { encoding: 'utf8' }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

describe('groundmark run', () => {
  const { items, key } = madeUpBenchmark(20);

  it('runs a workspace’s release with its own key, into its own runs folder', async () => {
    const deps = testDeps();
    await deps.store.write(at('ws/release/public/items.jsonl'), toJsonl(items));
    await deps.store.write(at('ws/mcq/key.jsonl'), toJsonl(key));
    const { json, text } = await runCommand.run(
      [at('ws')],
      { model: ['baseline/oracle', 'baseline/random'], condition: 'real' },
      COMMON,
      deps,
    );
    expect(json).toMatchObject({
      runs: [{ model: 'baseline/oracle', added: 20 }, { model: 'baseline/random' }],
    });
    expect(text![0]).toContain(at('ws/runs/baseline-oracle/responses.jsonl'));
    const { json: scores } = await scoreCommand.run(
      [],
      {
        key: at('ws/mcq/key.jsonl'),
        responses: ['baseline-oracle', 'baseline-random'].map((name) =>
          at(`ws/runs/${name}/responses.jsonl`),
        ),
      },
      COMMON,
      deps,
    );
    expect((scores as ScoreReport).models[0]).toMatchObject({ model: 'baseline/oracle', joint: { rate: 1 } });
  });

  it('takes a bundle without a key for the baselines that need none', async () => {
    const deps = testDeps();
    await deps.store.write(at('bundle/items.jsonl'), toJsonl(items));
    const run = (options: Record<string, unknown>) =>
      runCommand.run([at('bundle')], { out: at('bundle-runs'), ...options }, COMMON, deps);
    await expect(run({ model: ['baseline/longest'] })).resolves.toMatchObject({
      json: { runs: [{ added: 20 }] },
    });
    await expect(run({ model: ['baseline/oracle'] })).rejects.toMatchObject({ code: 'needs-key', exit: 2 });
    await expect(run({})).rejects.toMatchObject({ code: 'usage', exit: 2 });
    await expect(run({ model: ['baseline/longest'], condition: 'blank' })).rejects.toMatchObject({
      code: 'offline-only-real',
    });
    await expect(run({ model: ['baseline/longest'], condition: 'dark' })).rejects.toMatchObject({
      code: 'usage',
    });
  });

  it('says where it looked when there is no release', async () => {
    await expect(
      runCommand.run([at('nowhere')], { model: ['baseline/longest'] }, COMMON, testDeps()),
    ).rejects.toMatchObject({ code: 'no-release' });
  });
});
