import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type * as QueueModule from '../../../src/adapters/queue/index.js';
import type * as ErrorModule from '../../../src/domain/error.js';

type JobQueue = QueueModule.JobQueue;

/** Worker threads load JavaScript only, so the queue is taken from the build. */
const BUILT = fileURLToPath(new URL('../../../dist/adapters/queue/index.js', import.meta.url));
const ERRORS = new URL('../../../dist/domain/error.js', import.meta.url).href;

let folder = '';
let makeQueue: (workers: number) => JobQueue;
const open: JobQueue[] = [];

beforeAll(async () => {
  if (!existsSync(BUILT)) throw new Error('dist/ is missing. Run `npm run build` first.');
  ({ inProcessQueue: makeQueue } = (await import(pathToFileURL(BUILT).href)) as typeof QueueModule);
  folder = await mkdtemp(path.join(tmpdir(), 'gm-queue-'));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((queue) => queue.close()));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function queueOf(workers: number): JobQueue {
  const queue = makeQueue(workers);
  open.push(queue);
  return queue;
}

/** A job module with this body for `run(input)`. */
async function job(name: string, body: string): Promise<{ readonly module: string }> {
  const file = path.join(folder, `${name}.mjs`);
  await writeFile(
    file,
    `import { threadId } from 'node:worker_threads';
     import { setTimeout as sleep } from 'node:timers/promises';
     import { GroundmarkError } from ${JSON.stringify(ERRORS)};
     export async function run(input) { ${body} }\n`,
  );
  return { module: pathToFileURL(file).href };
}

const failureOf = (work: Promise<unknown>): Promise<Error & Record<string, unknown>> =>
  work.then(
    () => {
      throw new Error('the work did not fail');
    },
    (error: unknown) => error as Error & Record<string, unknown>,
  );

describe.each([1, 2, 3])('a queue of %i workers', (workers) => {
  it('gives results in the order of the inputs, though later ones are done first', async () => {
    const slowFirst = await job('slow-first', 'await sleep(60 - 10 * input); return `done ${input}`;');
    const seen: number[] = [];
    const results = await queueOf(workers).map(slowFirst, [0, 1, 2, 3, 4, 5], {
      onDone: (i) => seen.push(i),
    });
    expect(results).toEqual(['done 0', 'done 1', 'done 2', 'done 3', 'done 4', 'done 5']);
    expect([...seen].sort()).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('gives nothing for no input', async () => {
    expect(await queueOf(workers).map(await job('any', 'return input;'), [])).toEqual([]);
  });

  it('carries typed arrays there and back', async () => {
    const twice = await job('twice', 'return input.map((x) => 2 * x);');
    const [first, second] = await queueOf(workers).map<Int16Array, Int16Array>(twice, [
      new Int16Array([1, -2]),
      new Int16Array([300]),
    ]);
    expect([first, second]).toEqual([new Int16Array([2, -4]), new Int16Array([600])]);
  });

  it('gives a GroundmarkError of a job with its code, context and exit code', async () => {
    const refuse = await job(
      'refuse',
      `if (input === 2) throw new GroundmarkError('bad-slice', 'Slice 2 is bad.', { slice: 2 }, { exit: 1 });
       return input;`,
    );
    const error = await failureOf(queueOf(workers).map(refuse, [0, 1, 2, 3]));
    expect([error.name, error.message, error['code'], error['context'], error['exit']]).toEqual([
      'GroundmarkError',
      'Slice 2 is bad.',
      'bad-slice',
      { slice: 2 },
      1,
    ]);
    const { GroundmarkError } = (await import(ERRORS)) as typeof ErrorModule;
    expect(error).toBeInstanceOf(GroundmarkError);
  });

  it('gives any other error of a job with its name and message', async () => {
    const broken = await job('broken', 'throw new RangeError(`no ${input}`);');
    const error = await failureOf(queueOf(workers).map(broken, ['a', 'b']));
    expect([error.name, error.message]).toEqual(['RangeError', 'no a']);
  });

  it('fails with the first input that fails, not with the one that fails soonest', async () => {
    const soonest = await job(
      'soonest',
      `await sleep(input === 1 ? 80 : 5);
       if (input >= 1) throw new Error(\`input \${input}\`);`,
    );
    expect((await failureOf(queueOf(workers).map(soonest, [0, 1, 2, 3, 4]))).message).toBe('input 1');
  });

  it('starts no further input after a failure', async () => {
    const file = path.join(folder, `started-${workers}`);
    const note = await job(
      `note-${workers}`,
      `const { appendFileSync } = await import('node:fs');
       appendFileSync(${JSON.stringify(file)}, input + ' ');
       await sleep(5);
       if (input === 0) throw new Error('stop');`,
    );
    const queue = queueOf(workers);
    // Threads take different times to start.
    await queue.map(note, Array<number>(9).fill(-1));
    await rm(file);
    await failureOf(queue.map(note, [...Array(300).keys()]));
    const started = (await readFile(file, 'utf8')).trim().split(' ');
    expect(started.length).toBeLessThan(60);
  });

  it('stops with the reason of its signal, and can be used again', async () => {
    const slow = await job('slow', 'await sleep(20); return input;');
    const stop = new AbortController();
    const queue = queueOf(workers);
    const done: number[] = [];
    const failure = await failureOf(
      queue.map(slow, [...Array(50).keys()], {
        signal: stop.signal,
        onDone: (i) => {
          done.push(i);
          if (done.length === 2) stop.abort(new Error('asked to stop'));
        },
      }),
    );
    expect(failure.message).toBe('asked to stop');
    expect(done.length).toBeLessThan(2 + 2 * workers);
    expect(await queue.map(slow, [7, 8, 9])).toEqual([7, 8, 9]);
  });

  it('does not start when its signal has been given already', async () => {
    const reason = new Error('too late');
    const done: number[] = [];
    const work = queueOf(workers).map(await job('any', 'return input;'), [1, 2, 3], {
      signal: AbortSignal.abort(reason),
      onDone: (i) => done.push(i),
    });
    expect((await failureOf(work)).message).toBe('too late');
    expect(done).toEqual([]);
  });

  it('keeps two maps that run at once apart', async () => {
    const name = await job('name', 'await sleep(Math.abs(input) % 7); return `n${input}`;');
    const queue = queueOf(workers);
    const numbers = [1, 2, 3, 4, 5, 6];
    const [up, down] = await Promise.all([
      queue.map<number, string>(name, numbers),
      queue.map<number, string>(
        name,
        numbers.map((n) => -n),
      ),
    ]);
    expect(up).toEqual(['n1', 'n2', 'n3', 'n4', 'n5', 'n6']);
    expect(down).toEqual(['n-1', 'n-2', 'n-3', 'n-4', 'n-5', 'n-6']);
  });
});

describe('worker threads', () => {
  it('are used for two or more workers, and not for one', async () => {
    const where = await job('where', 'await sleep(30); return threadId;');
    const here = await queueOf(1).map<number, number>(where, [1, 2, 3, 4]);
    const there = await queueOf(2).map<number, number>(where, [1, 2, 3, 4]);
    const other = new Set(there);
    expect(new Set(here).size).toBe(1);
    expect(other.size).toBe(2);
    expect(other.has(here[0]!)).toBe(false);
  });

  it('that die give an error, not a hang, and are replaced', async () => {
    const die = await job('die', 'if (input === 1) process.exit(3); return input;');
    const queue = queueOf(2);
    expect((await failureOf(queue.map(die, [0, 1, 2]))).message).toContain('stopped with code 3');
    expect(await queue.map(die, [4, 5, 6])).toEqual([4, 5, 6]);
  }, 10_000);

  it('tell of a job module that is not there', async () => {
    const error = await failureOf(queueOf(2).map({ module: pathToFileURL('/nowhere/job.mjs').href }, [1, 2]));
    expect(error.message).toContain('/nowhere/job.mjs');
  });

  it('tell of a result that cannot cross threads', async () => {
    const odd = await job('odd', 'return () => input;');
    expect((await failureOf(queueOf(2).map(odd, [1, 2]))).message).toContain('could not be cloned');
  });
});
