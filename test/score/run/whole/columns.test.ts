import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeQuestion, Fault } from '../../../../src/fake-provider/index.js';
import { fakeProvider } from '../../../fake-provider/helpers.js';
import { groundmark, oneJson } from '../../../helpers/e2e.js';
import { aBundle } from '../helpers.js';
import { itemIdOf, LONG, MODELS, run, runFolder, summariesOf } from './helpers.js';

/** Of 15 items: 1 refused, 2 blocked, 3 truncated, 4 malformed, and 5 answered, each kind another number. */
const KINDS = ['refusal', 'blocked', 'blocked', 'truncation', 'truncation', 'truncation'] as const;
function faultOf(question: FakeQuestion): Fault | null {
  const place = Number(itemIdOf(question).slice(-3)) - 1;
  const kind = place < 6 ? KINDS[place]! : place < 10 ? 'malformed' : null;
  return kind === null ? null : { kind };
}

/** Gemini's API has no refusal: the model says so in words, and that is a reply that cannot be read. */
const wantedOf = (model: string): Record<string, number> =>
  model.startsWith('gemini')
    ? { ok: 5, blocked: 2, truncated: 3, unparsed: 5 }
    : { ok: 5, refused: 1, blocked: 2, truncated: 3, unparsed: 4 };

interface Scores {
  readonly models: readonly {
    readonly model: string;
    readonly n: number;
    readonly outcomes: Readonly<Record<string, number>>;
    readonly answer: { readonly rate: number };
    readonly answeredOnly: { readonly n: number; readonly answer: { readonly rate: number } };
  }[];
}

describe('a refusal, a blocked prompt, a truncation and an unparsable answer', () => {
  it.each(MODELS)(
    'are four columns for %s, in what `run` says and in what `score` says',
    async (model) => {
      const bundle = await aBundle(15);
      const keyOf = new Map(bundle.key.map((entry) => [entry.id, entry.answer]));
      // The cut and the malformed replies hold the right letter, and no point is made of it.
      const answer = (question: FakeQuestion): string =>
        JSON.stringify({ answer: keyOf.get(itemIdOf(question)), evidence: ['img01'] });
      const fake = await fakeProvider({ answer, faults: faultOf });
      const wanted = wantedOf(model);
      const said = await run(bundle, fake, ['--json', '--concurrency', '3'], { models: [model] });
      expect(summariesOf(said)[0]!.outcomes).toEqual(wanted);
      for (const [name, count] of Object.entries(wanted))
        expect(said.stderr).toMatch(new RegExp(`\\b${count} ${name}\\b`, 'u'));

      const responses = path.join(runFolder(bundle, model), 'responses.jsonl');
      const key = path.join(bundle.folder, 'key.jsonl');
      const scored = await groundmark(['score', '--key', key, '--responses', responses, '--json']);
      expect(scored.code, scored.stderr).toBe(0);
      const [scores] = (oneJson(scored.stdout) as unknown as Scores).models;
      const present = Object.fromEntries(Object.entries(scores!.outcomes).filter(([, count]) => count > 0));
      expect({ n: scores!.n, outcomes: present }).toEqual({ n: 15, outcomes: wanted });
      // All 15 count in the headline; the five that were answered are right.
      expect(scores!.answer.rate).toBeCloseTo(5 / 15, 12);
      expect(scores!.answeredOnly).toMatchObject({ n: 5, answer: { rate: 1 } });
    },
    LONG,
  );
});
