import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  builtWorkspace,
  exists,
  expectRefusal,
  groundmark,
  oneJson,
  ROOT,
  temporaryFolder,
} from '../helpers/e2e.js';

const folder = temporaryFolder();

/** Commands of CONTRACT.md that this release has, in the order of the contract. */
const BUILT = ['demo', 'init', 'index', 'deid', 'inspect', 'findings', 'mentions', 'sheets', 'build', 'audit', 'split', 'release', 'verify', 'run', 'fake-provider', 'score']; // prettier-ignore
const NOT_BUILT = ['review', 'export', 'import', 'standardize', 'serve', 'worker'];
const COMMON = ['-w, --workspace <dir>', '--json', '--seed <n>', '--workers <n>', '--quiet', '--no-progress'];

describe.concurrent('groundmark --help', () => {
  it('lists the commands that are built, in order, and no other', async () => {
    const { code, stdout, stderr } = await groundmark(['--help']);
    expect([code, stderr]).toEqual([0, '']);
    const [, list] = stdout.split('Commands:\n');
    const names = [...list!.matchAll(/^ {2}([\w-]+)/gmu)].map(([, name]) => name);
    expect(names).toEqual([...BUILT, 'help']);
    expect(stdout).toContain('npx groundmark demo --out groundmark-demo');
  });

  it('is what a call without a command prints', async () => {
    const [bare, help] = await Promise.all([groundmark([]), groundmark(['--help'])]);
    expect([bare.code, bare.stdout]).toEqual([0, help.stdout]);
  });

  it.each(BUILT)(
    'of %s has an example that starts as it is typed, and the common options',
    async (command) => {
      const { code, stdout, stderr } = await groundmark([command, '--help']);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(new RegExp(`\\nExample:\\n {2}\\$ npx groundmark ${command}\\b`, 'u'));
      for (const option of COMMON) expect(stdout).toContain(option);
    },
  );
});

describe.concurrent('a command line that is wrong', () => {
  it.each(NOT_BUILT)('%s is not built yet: exit 2', async (command) => {
    expectRefusal(await groundmark([command, 'x', '--json']), {
      exit: 2,
      code: 'not-built',
      says: [`groundmark ${command} is not built yet`, 'groundmark --help'],
    });
  });

  it.each([
    [['nonsense'], "unknown command 'nonsense'", 'groundmark --help'],
    [['build', '--nope'], "unknown option '--nope'", 'groundmark build --help'],
    [['build', 'extra'], 'too many arguments', 'groundmark build --help'],
    [['index'], "missing required argument 'source'", 'groundmark index --help'],
    [['demo', '--out'], 'argument missing', 'groundmark demo --help'],
    [['demo', '--seed', 'x'], "argument 'x' is invalid. a whole number is needed", 'groundmark demo --help'],
    [['demo', '--seed', '1.5'], "argument '1.5' is invalid", 'groundmark demo --help'],
    [['demo', '--seed', ''], "argument '' is invalid", 'groundmark demo --help'],
    [['demo', '--seed', '99999999999999999999'], 'is invalid', 'groundmark demo --help'],
    [['demo', '--workers', '0'], 'a whole number from 1 is needed', 'groundmark demo --help'],
    [['demo', '--workers=-2'], 'a whole number from 1 is needed', 'groundmark demo --help'],
  ])('%j: exit 2, what is wrong, and where the help is', async (args, says, help) => {
    const message = expectRefusal(await groundmark([args[0]!, '--json', ...args.slice(1)], folder), {
      exit: 2,
      code: 'usage',
      says: [says, `See \`${help}\`.`],
    });
    expect(message).not.toContain('..');
    expect(await exists(path.join(folder, 'groundmark-demo'))).toBe(false);
  });

  it('names the stages when --only or --from names none', async () => {
    const workspace = await builtWorkspace(1);
    for (const option of ['--only', '--from']) {
      expectRefusal(await groundmark(['build', '-w', workspace, option, 'mcq', '--json']), {
        exit: 2,
        code: 'usage',
        says: [`${option} mcq: no such stage`, 'index, findings, series, sheets, nominate'],
      });
    }
  }, 120_000);

  it('says the same to people on stderr alone, in one line', async () => {
    const { code, stdout, stderr } = await groundmark(['nonsense']);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe("error: unknown command 'nonsense'. See `groundmark --help`.\n");
  });
});

describe('groundmark', () => {
  it('--version is the package’s', async () => {
    const { version } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect((await groundmark(['--version'])).stdout).toBe(`${version}\n`);
  });

  it('--quiet says nothing on stderr, and the result is the same', async () => {
    const workspace = await builtWorkspace(1);
    const quiet = await groundmark(['build', '-w', workspace, '--from', 'series', '--quiet']);
    expect([quiet.code, quiet.stderr]).toEqual([0, '']);
    expect(quiet.stdout).toContain('3 items in');
    const json = await groundmark(['build', '-w', workspace, '--quiet', '--json']);
    expect(oneJson(json.stdout)['stages']).toHaveLength(10);
  }, 120_000);

  it('a warning is kept from stderr by --quiet, an error is not', async () => {
    const { code, stderr } = await groundmark(['build', '-w', path.join(folder, 'none'), '--quiet']);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error: .+ has no groundmark\.yaml\. .+\n$/u);
  });

  it('takes no fault at a reader that has gone, as in `groundmark --help | head -1`', async () => {
    const child = spawn(process.execPath, [path.join(ROOT, 'bin/groundmark.js'), '--help'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    const errors: Buffer[] = [];
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([code, Buffer.concat(errors).toString()]).toEqual([0, '']);
  });

  it('init makes a workspace that build can read, once', async () => {
    const root = path.join(folder, 'mine');
    const made = await groundmark(['init', root, '--json']);
    expect(oneJson(made.stdout)).toEqual({ workspace: root, files: ['groundmark.yaml', 'cases.csv'] });
    expectRefusal(await groundmark(['init', root, '--json']), {
      exit: 2,
      code: 'exists',
      says: [root, 'not overwritten'],
    });
    expectRefusal(await groundmark(['build', '-w', root, '--json']), {
      code: 'no-cases',
      says: [path.join(root, 'cases.csv')],
    });
  });
});
