import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { command as index } from '../../../src/cli/commands/index-command.js';
import { planScans } from '../../../src/extract/index-studies/plan-scans.js';
import { ctFile } from '../../adapters/dicom/make-ct.js';
import { testDeps } from '../../helpers/deps.js';

let root: string;
const at = (...names: string[]): string => path.join(root, ...names);
const database = (): string => at('index.duckdb');
const common = { workspace: '/nowhere', json: true, seedGiven: false };

/** Long after the files were made, so that they count as settled. */
const LATER = new Date('2100-01-01T00:00:00Z');

interface Result {
  readonly files: number;
  readonly frames: number;
  readonly reused?: number;
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

async function run(out: string, options: Record<string, unknown> = {}, now = LATER): Promise<Result> {
  const deps = testDeps({ clock: () => now });
  const { json } = await index.run([at('scan')], { out: at(out), db: database(), ...options }, common, deps);
  return json as Result;
}
const update = (out = 'updated.jsonl', now = LATER): Promise<Result> => run(out, { update: true }, now);
const text = (name: string): string => readFileSync(at(name), 'utf8');

beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'groundmark-update-'));
  mkdirSync(at('scan'));
  for (const i of [1, 2, 3]) writeFileSync(at('scan', `${i}.dcm`), ctFile({ z: i * 10, instanceNumber: i }));
  writeFileSync(at('scan', 'readme.txt'), 'notes '.repeat(50));
});
afterEach(() => rmSync(root, { recursive: true }));

describe('index --update', () => {
  it('reads everything at first, then only what gave no row', async () => {
    expect(await update()).toMatchObject({ files: 4, frames: 3, reused: 0 });
    expect(await update()).toMatchObject({ files: 4, frames: 3, reused: 3 });
  });

  it('reads a file again that changed and kept its size', async () => {
    await update();
    const file = at('scan', '2.dcm');
    const changed = ctFile({ z: 25, instanceNumber: 2 });
    expect(changed.length).toBe(readFileSync(file).length);
    writeFileSync(file, changed);
    expect(await update()).toMatchObject({ frames: 3, reused: 2 });
    expect(text('updated.jsonl')).toContain('"imagePositionPatient":[-10,-20,25]');
    expect(text('updated.jsonl')).not.toContain('"imagePositionPatient":[-10,-20,20]');
  });

  it('reads a file again whose own time was set back to what it was', async () => {
    const file = at('scan', '2.dcm');
    const time = new Date('2020-01-01T00:00:00Z');
    utimesSync(file, time, time);
    await update();
    writeFileSync(file, ctFile({ z: 25, instanceNumber: 2 }));
    utimesSync(file, time, time);
    expect(await update()).toMatchObject({ reused: 2 });
    expect(text('updated.jsonl')).toContain('"imagePositionPatient":[-10,-20,25]');
  });

  it.each([
    {
      what: 'nothing changed',
      change: () => undefined,
    },
    {
      what: 'a file came, one went, one moved and one was mended',
      change: () => {
        writeFileSync(at('scan', '0.dcm'), ctFile({ z: 5, instanceNumber: 9 }));
        rmSync(at('scan', '1.dcm'));
        renameSync(at('scan', '3.dcm'), at('scan', 'c.dcm'));
        writeFileSync(at('scan', 'readme.txt'), ctFile({ z: 50, instanceNumber: 5 }));
      },
    },
  ])('gives the bytes of a full index when $what', async ({ change }) => {
    await update();
    change();
    const updated = await update('updated.jsonl');
    const full = await run('full.jsonl');
    expect(text('updated.jsonl')).toBe(text('full.jsonl'));
    const { reused: _reused, ...counts } = updated;
    expect(counts).toEqual(full);
  });

  it('trusts no file that changed within the last two seconds', async () => {
    // The files are younger than this clock says it is.
    const early = new Date('2026-01-02T03:04:05Z');
    await update('first.jsonl', early);
    expect(await update('second.jsonl', early)).toMatchObject({ reused: 0 });
  });

  it('keeps nothing in a run without it', async () => {
    await update();
    expect(await run('full.jsonl')).not.toHaveProperty('reused');
    expect(await update()).toMatchObject({ reused: 0 });
  });

  it('reads every file, and says so, when the database is damaged', async () => {
    await update();
    writeFileSync(database(), 'no database');
    const deps = testDeps({ clock: () => LATER });
    const options = { update: true, db: database() };
    const { json } = await index.run([at('scan')], options, common, deps);
    expect(json).toMatchObject({ frames: 3, reused: 0 });
    expect(deps.lines.join()).toContain('cannot be read (damaged or in use): every file is read');
  });

  it('is refused where there is no database to keep anything in', async () => {
    await expect(index.run([at('scan')], { update: true }, common, testDeps())).rejects.toMatchObject({
      code: 'no-database',
      exit: 2,
    });
  });
});

describe('planScans', () => {
  const file = (name: string, stamp = 's') => ({ path: name, stamp });
  const scan = (...files: ({ path: string; stamp: string } | null)[]) => ({ files, results: '' });

  it('takes what has the same path and stamp, each file once', () => {
    const plan = planScans(
      ['a', 'b', 'c', 'd'],
      ['s', 'new', 's', null],
      [scan(file('c'), file('a')), scan(file('b'), file('a'), file('d'))],
    );
    // Of the second scan nothing is left: b changed, a is taken, d has no stamp.
    expect(plan.kept.map(({ files }) => files)).toEqual([[2, 0]]);
    expect(plan.anew).toEqual([1, 3]);
  });

  it('reads the rest of a batch again of which less than half is left', () => {
    const batch = scan(file('a'), file('gone'), null);
    expect(planScans(['a'], ['s'], [batch])).toEqual({ kept: [], anew: [0] });
    const half = scan(file('a'), file('gone'));
    expect(planScans(['a'], ['s'], [half])).toEqual({
      kept: [{ scan: scan(file('a'), null), files: [0, null] }],
      anew: [],
    });
  });
});
