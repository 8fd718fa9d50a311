import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  builtWorkspace,
  exists,
  expectRefusal,
  filesBelow,
  groundmark,
  hashesBelow,
  oneJson,
  smallWorkspace,
  startGroundmark,
  temporaryFolder,
} from '../helpers/e2e.js';

const MINUTES = 60_000;
/** Labels of the stages as `build` prints them, in order. */
const STAGES = ['Index', 'Findings', 'Series', 'Contact sheets', 'Blind nomination', 'Pools', 'Check', 'Evidence', 'Questions', 'Audit']; // prettier-ignore

const folder = temporaryFolder();
/** Hashes of an uninterrupted build of so many patients. */
const whole: Record<1 | 2, Record<string, string>> = { 1: {}, 2: {} };

/** What a build makes; `.groundmark` holds times and step files besides. */
const product = (file: string): boolean => /^(?:extract|retrieve|mcq|audit)\//u.test(file);

beforeAll(async () => {
  for (const patients of [1, 2] as const)
    whole[patients] = await hashesBelow(await builtWorkspace(patients), product);
}, 5 * MINUTES);

interface StageLine {
  readonly label: string;
  readonly unchanged: boolean;
}

/** The stage lines of a run; progress lines (`Check: 3/9, about …`) are none. */
function stageLines(stderr: string): StageLine[] {
  return stderr.split('\n').flatMap((line) => {
    const label = STAGES.find((stage) => line.startsWith(`${stage}: `));
    if (label === undefined || / left$/u.test(line)) return [];
    return [{ label, unchanged: line === `${label}: unchanged` }];
  });
}

describe('groundmark build, killed', () => {
  it(
    'after every stage in turn goes on where it was, and ends with the bytes of a build that was not',
    async () => {
      const workspace = await smallWorkspace(path.join(folder, 'stages'), 2);
      const finished = new Set<string>();
      let kills = 0;
      for (;;) {
        const build = startGroundmark(['build', '-w', workspace]);
        const fresh = await build.line((line) => stageLines(line).some(({ unchanged }) => !unchanged));
        build.child.kill('SIGKILL');
        const { code, signal, stderr } = await build.ended;
        const lines = stageLines(stderr);
        for (const { label, unchanged } of lines) {
          expect({ label, unchanged }).toEqual({ label, unchanged: finished.has(label) });
        }
        lines.forEach(({ label }) => finished.add(label));
        if (fresh === null) {
          expect({ code, stderr }).toEqual({ code: 0, stderr });
          break;
        }
        // After the last stage the build may have come to its end before the signal.
        if (lines.at(-1)?.label === STAGES.at(-1)) continue;
        expect(signal).toBe('SIGKILL');
        expect(await exists(path.join(workspace, '.groundmark/lock'))).toBe(true);
        kills++;
      }
      expect(kills).toBeGreaterThanOrEqual(7);
      expect([...finished]).toEqual(STAGES);
      expect(await hashesBelow(workspace, product)).toEqual(whole[2]);
      expect(await exists(path.join(workspace, '.groundmark/lock'))).toBe(false);
    },
    5 * MINUTES,
  );

  it(
    'in the middle of the nomination keeps what reviewers had said',
    async () => {
      const workspace = await smallWorkspace(path.join(folder, 'nominate'), 1);
      const steps = path.join(workspace, '.groundmark/steps');
      const done = async (): Promise<string[]> =>
        (await exists(steps)) ? (await filesBelow(steps)).filter((file) => file.endsWith('.json')) : [];
      const build = startGroundmark(['build', '-w', workspace, '--workers', '1']);
      while ((await done()).length < 1) await sleep(5);
      build.child.kill('SIGKILL');
      const { stderr } = await build.ended;
      expect(stageLines(stderr).at(-1)?.label).toBe('Contact sheets');
      const before = await done();
      const times = await Promise.all(
        before.map(async (file) => (await stat(path.join(steps, file))).mtimeMs),
      );

      expect(stageLines((await groundmark(['build', '-w', workspace])).stderr)).toEqual(
        STAGES.map((label, i) => ({ label, unchanged: i < 4 })),
      );
      expect(
        await Promise.all(before.map(async (file) => (await stat(path.join(steps, file))).mtimeMs)),
      ).toEqual(times);
      // 1 case, 2 reviewers, nomination and check: 4 pieces in all.
      expect((await done()).length).toBe(4);
      expect(await hashesBelow(workspace, product)).toEqual(whole[1]);
    },
    3 * MINUTES,
  );

  it(
    'at arbitrary moments ends with the same bytes, and leaves no half files',
    async () => {
      const workspace = await smallWorkspace(path.join(folder, 'moments'), 1);
      // Milliseconds after which each attempt is killed: while files are written, between stages, at the start.
      for (const delay of [350, 1300, 900, 2100, 1700, 1100, 2300]) {
        const build = startGroundmark(['build', '-w', workspace]);
        await Promise.race([sleep(delay), build.ended]);
        build.child.kill('SIGKILL');
        await build.ended;
      }
      const { code, stderr } = await groundmark(['build', '-w', workspace]);
      expect({ code, stderr }).toEqual({ code: 0, stderr });
      expect(await hashesBelow(workspace, product)).toEqual(whole[1]);
    },
    3 * MINUTES,
  );
});

describe('groundmark build, stopped by SIGINT', () => {
  it(
    'exits 130, says how to go on, lets the lock go, and goes on',
    async () => {
      const workspace = await smallWorkspace(path.join(folder, 'interrupt'), 1);
      const build = startGroundmark(['build', '-w', workspace, '--json']);
      await build.line((line) => stageLines(line).some(({ label }) => label === 'Series'));
      build.child.kill('SIGINT');
      const stopped = await build.ended;
      expect([stopped.code, stopped.signal]).toEqual([130, null]);
      expectRefusal(stopped, {
        exit: 130,
        code: 'interrupted',
        says: ['Run the same command again to go on'],
      });
      expect(await exists(path.join(workspace, '.groundmark/lock'))).toBe(false);
      const again = await groundmark(['build', '-w', workspace]);
      expect(again.code).toBe(0);
      expect(stageLines(again.stderr).slice(0, 3)).toEqual(
        STAGES.slice(0, 3).map((label) => ({ label, unchanged: true })),
      );
      expect(await hashesBelow(workspace, product)).toEqual(whole[1]);
    },
    3 * MINUTES,
  );
});

describe('groundmark build, when nothing changed', () => {
  it(
    'skips every stage and changes no file',
    async () => {
      const workspace = await builtWorkspace(2);
      const before = await hashesBelow(workspace);
      const dry = await groundmark(['build', '-w', workspace, '--dry-run', '--json']);
      expect(
        (oneJson(dry.stdout)['plan'] as { wouldRun: boolean }[]).filter(({ wouldRun }) => wouldRun),
      ).toEqual([]);
      const again = await groundmark(['build', '-w', workspace, '--json']);
      expect(
        (oneJson(again.stdout)['stages'] as { skipped: boolean }[]).every(({ skipped }) => skipped),
      ).toBe(true);
      expect(stageLines(again.stderr)).toEqual(STAGES.map((label) => ({ label, unchanged: true })));
      expect(await hashesBelow(workspace)).toEqual(before);
    },
    MINUTES,
  );

  it(
    'runs again from what changed: a report, and what rests on it',
    async () => {
      const workspace = path.join(folder, 'changed');
      await smallWorkspace(workspace, 1);
      await groundmark(['build', '-w', workspace]);
      const report = path.join(workspace, 'cases/case-001/report.txt');
      await writeFile(report, `${await readFile(report, 'utf8')}\n`);
      const dry = await groundmark(['build', '-w', workspace, '--dry-run', '--json']);
      const plan = oneJson(dry.stdout)['plan'] as { stage: string; wouldRun: boolean }[];
      expect(plan.find(({ wouldRun }) => wouldRun)?.stage).toBe('findings');
      const { stderr } = await groundmark(['build', '-w', workspace]);
      const changed = stageLines(stderr).filter(({ unchanged }) => !unchanged);
      expect(changed.map(({ label }) => label)).toContain('Findings');
      expect(stageLines(stderr)[0]).toEqual({ label: 'Index', unchanged: true });
    },
    2 * MINUTES,
  );
});

describe('the lock of a workspace', () => {
  it(
    'keeps a second build, and a release, out while one runs: exit 3 and who holds it',
    async () => {
      const workspace = await smallWorkspace(path.join(folder, 'two'), 1);
      const first = startGroundmark(['build', '-w', workspace]);
      await first.line((line) => line.startsWith('Index: '));
      for (const command of ['build', 'release']) {
        expectRefusal(await groundmark([command, '-w', workspace, '--json']), {
          code: 'locked',
          says: [`pid ${first.child.pid}`, 'Wait for it to end', path.join(workspace, '.groundmark/lock')],
        });
      }
      expect((await first.ended).code).toBe(0);
      expect(await hashesBelow(workspace, product)).toEqual(whole[1]);
    },
    2 * MINUTES,
  );

  it(
    'is taken over from a process that no longer runs, and when its file is half-written or empty',
    async () => {
      const workspace = await smallWorkspace(path.join(folder, 'stale'), 1);
      const lock = path.join(workspace, '.groundmark/lock');
      await mkdir(path.dirname(lock), { recursive: true });
      const gone = startGroundmark(['--version']);
      await gone.ended;
      const holder = { pid: gone.child.pid, host: hostname(), since: '2026-01-01T00:00:00.000Z' };
      for (const left of [JSON.stringify(holder), '{"pid": 12', '']) {
        await writeFile(lock, left);
        const { code, stderr } = await groundmark(['build', '-w', workspace, '--only', 'index']);
        expect({ code, stderr }).toEqual({ code: 0, stderr });
        expect(await exists(lock)).toBe(false);
      }

      // Another machine's process cannot be asked whether it lives.
      await writeFile(lock, JSON.stringify({ ...holder, host: 'another-machine' }));
      expectRefusal(await groundmark(['build', '-w', workspace, '--only', 'index', '--json']), {
        code: 'locked',
        says: ['on another-machine', `delete ${lock}`],
      });
      await rm(lock);
    },
    MINUTES,
  );
});

describe('groundmark demo, twice in one folder', () => {
  it(
    'refuses the second while the first makes its phantoms',
    async () => {
      const out = path.join(folder, 'demo-twice');
      const first = startGroundmark(['demo', '--out', out, '--workers', '1']);
      while (!(await exists(path.join(out, 'cases/case-001')))) await sleep(20);
      expectRefusal(await groundmark(['demo', '--out', out, '--json']), {
        code: 'locked',
        says: [`pid ${first.child.pid}`],
      });
      first.child.kill('SIGINT');
      const { code, stderr } = await first.ended;
      expect(code).toBe(130);
      expect(stderr).toContain('Run the same command again to go on');
    },
    MINUTES,
  );
});
