import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeLock } from '../../../src/adapters/store/index.js';
import { GroundmarkError } from '../../../src/domain/error.js';

const SINCE = new Date('2026-01-02T03:04:05Z');
let folder = '';
let names = 0;
const newLock = (): string => path.join(folder, `ws-${names++}`, '.groundmark', 'lock');
const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );
const refusal = async (file: string): Promise<GroundmarkError> => {
  const error: unknown = await takeLock(file, SINCE).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(GroundmarkError);
  return error as GroundmarkError;
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gm-lock-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A lock file as another process leaves it. */
async function leave(content: string): Promise<string> {
  const file = newLock();
  const letGo = await takeLock(file, SINCE);
  await letGo();
  await writeFile(file, content);
  return file;
}
const holder = (pid: number, host = hostname()): string =>
  JSON.stringify({ pid, host, since: '2026-01-01T00:00:00.000Z' });

describe('takeLock', () => {
  it('writes who holds the workspace since when, and lets go', async () => {
    const file = newLock();
    const letGo = await takeLock(file, SINCE);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      pid: process.pid,
      host: hostname(),
      since: '2026-01-02T03:04:05.000Z',
    });
    await letGo();
    expect(await isThere(file)).toBe(false);
  });

  it('refuses a second taker in this process, and gives the lock after the first has let go', async () => {
    const file = newLock();
    const letGo = await takeLock(file, SINCE);
    const error = await refusal(file);
    expect([error.code, error.exit]).toEqual(['locked', 3]);
    expect(error.message).toContain(`pid ${process.pid} on ${hostname()}, since 2026-01-02T03:04:05.000Z`);
    expect(error.message).toContain(`delete ${file}`);
    await letGo();
    await (
      await takeLock(file, SINCE)
    )();
  });

  it('gives one of many that ask at once the lock, and refuses the others', async () => {
    const file = newLock();
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => takeLock(file, SINCE)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await isThere(file)).toBe(true);
  });

  it('refuses while another living process holds it', async () => {
    const file = await leave(holder(process.ppid));
    expect((await refusal(file)).message).toContain(`pid ${process.ppid}`);
    expect(await isThere(file)).toBe(true);
  });

  it('refuses when a process of another machine holds it, which cannot be asked', async () => {
    expect((await refusal(await leave(holder(1, 'another-machine')))).context).toMatchObject({
      host: 'another-machine',
    });
  });

  it('takes over from a process that has ended', async () => {
    const { pid } = spawnSync(process.execPath, ['--version']);
    const file = await leave(holder(pid));
    const letGo = await takeLock(file, SINCE);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ pid: process.pid });
    await letGo();
  });

  it('takes over from an earlier process that had the same pid, as in a container', async () => {
    const file = await leave(holder(process.pid));
    await (
      await takeLock(file, SINCE)
    )();
  });

  it.each(['', '{"pid": 4', '[]', '{"pid":"4"}'])('takes over a lock file that holds %j', async (content) => {
    await (
      await takeLock(await leave(content), SINCE)
    )();
  });

  it('waits for a holder that has made its file and not yet written it', async () => {
    const file = await leave('');
    setTimeout(() => void writeFile(file, holder(process.ppid)), 50);
    expect((await refusal(file)).code).toBe('locked');
  });

  it('says so when the place cannot be written', async () => {
    const file = path.join(folder, 'in-the-way');
    await writeFile(file, '');
    const error = await refusal(path.join(file, 'lock'));
    expect([error.code, error.context['path']]).toEqual(['not-a-folder', path.join(file, 'lock')]);
  });
});
