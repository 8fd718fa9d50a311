import { expect, it } from 'vitest';
import { fakeProvider } from '../../../fake-provider/helpers.js';
import { aBundle } from '../helpers.js';
import { itemIdOf, LONG, run, summariesOf } from './helpers.js';

const MINUTE_MS = 60_000;

/** Most requests that a server saw in any window of a minute, by the times of their arrival. */
function mostInAMinute(arrivals: readonly number[]): number {
  return Math.max(
    ...arrivals.map((from) => arrivals.filter((at) => at >= from && at < from + MINUTE_MS).length),
  );
}

it('finds the fullest minute, wherever it begins', () => {
  expect(mostInAMinute([0, 30_000, 59_999, 60_000, 61_000])).toBe(4);
  expect(mostInAMinute([0, 60_000, 120_000])).toBe(1);
});

// The wrapper alone, with a made-up clock and slow ways: test/adapters/llm/limits.test.ts.
it(
  'with --rpm 60 the provider sees no more in any 60 s, tries again and a second model of the account counted in',
  async () => {
    // 52 calls and 11 tries again: three do not fit into the first minute.
    const bundle = await aBundle(26);
    const models = ['openai/gpt-5-mini', 'openai/gpt-5-nano'];
    const asked = new Set<string>();
    const fake = await fakeProvider({
      faults: (question) => {
        const call = `${question.model} ${itemIdOf(question)}`;
        const first = !asked.has(call);
        asked.add(call);
        return first && (itemIdOf(question) <= 'item-005' || call === 'gpt-5-mini item-006')
          ? { kind: 'rate-limit', retryAfterSeconds: 0 }
          : null;
      },
    });
    const said = await run(bundle, fake, ['--rpm', '60', '--concurrency', '32', '--json'], { models });
    expect(summariesOf(said).map(({ outcomes }) => outcomes)).toEqual([{ ok: 26 }, { ok: 26 }]);
    const arrivals = fake.calls().map(({ startMs }) => startMs);
    expect(arrivals).toHaveLength(63);
    expect(mostInAMinute(arrivals)).toBeLessThanOrEqual(60);
    // And it takes what it may: nearly all of the first minute's calls at once.
    expect(arrivals.filter((at) => at < arrivals[0]! + 20_000).length).toBeGreaterThanOrEqual(55);
    process.stdout.write(
      `run --rpm 60: ${arrivals.length} requests of two models in ${((arrivals.at(-1)! - arrivals[0]!) / 1000).toFixed(1)} s, ` +
        `at most ${mostInAMinute(arrivals)} in any 60 s\n`,
    );
  },
  LONG,
);
