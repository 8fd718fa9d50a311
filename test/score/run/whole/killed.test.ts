import { setTimeout as sleep } from 'node:timers/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Response } from '../../../../src/domain/response.js';
import type { FakeQuestion } from '../../../../src/fake-provider/index.js';
import { rng } from '../../../../src/util/rng.js';
import { fakeProvider } from '../../../fake-provider/helpers.js';
import { aBundle, lasting } from '../helpers.js';
import { LONG, responsesOf, run, runFolder, startRun, until, wholeResponses } from './helpers.js';

const MODEL = 'openai/gpt-5-mini';
const [ITEMS, EPOCHS, LANES, KILLS] = [110, 2, 4, 20];

/** A reply that names the server's key of its question; every seventh or so is none that can be read. */
function answerWithKey({ key, letters, imageIds }: FakeQuestion): string {
  const random = rng(5, 'kill-answer', key);
  const said = { answer: random.pick(letters), evidence: random.shuffle(imageIds).slice(0, 2), key };
  return random.next() < 0.15 ? `Nothing to see. key ${key}` : JSON.stringify(said);
}

function keyIn({ raw }: Response): string {
  return /[0-9a-f]{24}/u.exec(String(raw))![0];
}

describe('groundmark run, killed twenty times', () => {
  it.each([
    { how: 'with the response cache', more: [] },
    { how: 'without a cache', more: ['--no-cache'] },
  ])(
    '$how: ends with the replies of an undisturbed run; what is on the disk is never asked again',
    async ({ how, more }) => {
      // Under seed 8 no item has its choices in the same order twice: every item and epoch is a question of its own.
      const shuffled = ['--shuffle-choices', '--seed', '8'];
      const options = [...shuffled, '--epochs', String(EPOCHS), '--concurrency', String(LANES)];
      const bundle = await aBundle(ITEMS);
      const calm = await fakeProvider({ answer: answerWithKey });
      await run(bundle, calm, [...options, '--no-cache'], { out: 'undisturbed' });
      expect(calm.answered().size).toBe(ITEMS * EPOCHS);

      const fake = await fakeProvider({ answer: answerWithKey, latencyMs: 30 });
      const file = path.join(runFolder(bundle, MODEL), 'responses.jsonl');
      const random = rng(11, 'kills', how);
      /** Keys that were with the server at a kill and not on the disk, a set a kill. */
      const inFlight: Set<string>[] = [];
      const kept: { readonly keys: Set<string>; readonly calls: number }[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const before = fake.calls().length;
        const { child, ended } = await startRun(bundle, fake, [...options, ...more]);
        // One in five dies before or around its first call.
        if (kill % 5 === 4) await sleep(200 + random.int(500));
        else {
          await until(() => fake.calls().length > before, 'a call');
          await sleep(random.int(100));
        }
        child.kill('SIGKILL');
        expect((await ended).signal).toBe('SIGKILL');
        // The server reads to the end what had reached it.
        await until(() => fake.calls().every(({ end }) => end !== null), 'the server is idle');
        const onDisk = new Set((await wholeResponses(file)).map(keyIn));
        const mine = fake.calls().slice(before).flatMap(({ key }) => (key === null ? [] : [key])); // prettier-ignore
        inFlight.push(new Set(mine.filter((key) => !onDisk.has(key))));
        kept.push({ keys: onDisk, calls: fake.calls().length });
      }
      await run(bundle, fake, [...options, ...more]);

      const [killed, undisturbed] = [
        await responsesOf(bundle, MODEL),
        await responsesOf(bundle, MODEL, 'undisturbed'),
      ];
      expect(killed).toHaveLength(ITEMS * EPOCHS);
      // `via` is hashed into run.json, not into the replies: two stand-ins give the same ones.
      expect(lasting(killed)).toEqual(lasting(undisturbed));

      const calls = fake.calls();
      for (const { keys, calls: before } of kept)
        expect(calls.slice(before).filter(({ key }) => key !== null && keys.has(key))).toEqual([]);
      const twice = [...fake.answered()].filter(([, times]) => times > 1);
      for (const [key, times] of twice)
        expect(inFlight.filter((keys) => keys.has(key)).length).toBeGreaterThanOrEqual(times - 1);
      // No more can be in flight than there are lanes.
      for (const keys of inFlight) expect(keys.size).toBeLessThanOrEqual(LANES);
      const flying = inFlight.reduce((sum, { size }) => sum + size, 0);
      process.stdout.write(
        `run killed ${KILLS} times, ${how}: ${ITEMS * EPOCHS} replies, ${calls.length} calls, ${flying} in flight at a kill, ` +
          `${twice.length} questions answered twice (all of them in flight at a kill)\n`,
      );
    },
    LONG,
  );
});
