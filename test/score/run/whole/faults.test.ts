import { describe, expect, it } from 'vitest';
import type { Response } from '../../../../src/domain/response.js';
import {
  FAULTS,
  type Fault,
  type FaultKind,
  type FakeQuestion,
} from '../../../../src/fake-provider/index.js';
import { rng } from '../../../../src/util/rng.js';
import { fakeProvider } from '../../../fake-provider/helpers.js';
import { jsonLines } from '../../../helpers/e2e.js';
import { aBundle, type Bundle } from '../helpers.js';
import { counted, itemIdOf, LONG, MODELS, responsesOf, run, runFolder, summariesOf } from './helpers.js';

/** What the stand-in says to every question; every item has the images img01 to img07 at least. */
const ANSWER = '{"answer":"C","evidence":["img02","img05"]}';

interface End {
  readonly outcome: string;
  readonly answer: string | null;
  readonly evidence: readonly string[];
  /** The text in the record; absent: the answer as the stand-in gave it, or none after a failure. */
  readonly raw?: string;
  readonly failure?: string;
}
const OK: End = { outcome: 'ok', answer: 'C', evidence: ['img02', 'img05'], raw: ANSWER };
const nothing = (outcome: string, more: Partial<End> = {}): End => ({
  outcome,
  answer: null,
  evidence: [],
  ...more,
});

/** How each fault of a reply must end: worked by hand from ANSWER and what `groundmark fake-provider` does to it. */
const REPLIES: Readonly<Record<string, End>> = {
  refusal: nothing('refused', { raw: "I'm sorry, but I can't help with that." }),
  // 43 characters, of which 22 come through.
  truncation: nothing('truncated', { raw: '{"answer":"C","evidenc' }),
  blocked: nothing('blocked', { raw: '' }),
  malformed: nothing('unparsed', { raw: '{"answer":"C","evidence":["img02","img05"' }),
  'wrong-ids': {
    outcome: 'unknown-id',
    answer: 'C',
    evidence: ['img99'],
    raw: '{"answer":"C","evidence":["img99"]}',
  },
  'five-ids': {
    outcome: 'invalid-selection',
    answer: 'C',
    evidence: ['img01', 'img02', 'img03', 'img04', 'img05'],
    raw: '{"answer":"C","evidence":["img01","img02","img03","img04","img05"]}',
  },
  'no-ids': { outcome: 'invalid-selection', answer: 'C', evidence: [], raw: '{"answer":"C","evidence":[]}' },
  // Case is let pass when it is scored; the record holds what was said.
  'lower-case': {
    outcome: 'ok',
    answer: 'c',
    evidence: ['img02', 'img05'],
    raw: '{"answer":"c","evidence":["img02","img05"]}',
  },
  prose: {
    ...OK,
    raw: `Looking at the images, this fits best.\n\n${ANSWER}\n\nThis is not medical advice.`,
  },
  fenced: { ...OK, raw: `\`\`\`json\n${ANSWER}\n\`\`\`` },
  // One image named three times is one image.
  'duplicate-ids': {
    outcome: 'ok',
    answer: 'C',
    evidence: ['img02', 'img02', 'img02', 'img05', 'img05', 'img05'],
    raw: '{"answer":"C","evidence":["img02","img02","img02","img05","img05","img05"]}',
  },
};

/** Where a protocol differs: Anthropic's refusals have no text, and Gemini has no refusal but in words, which are no answer. */
const BY_MODEL: Readonly<Record<string, Readonly<Record<string, End>>>> = {
  'anthropic/claude-sonnet-4-6': { refusal: nothing('refused', { raw: '' }) },
  'gemini/gemini-2.5-flash': { refusal: { ...REPLIES.refusal!, outcome: 'unparsed' } },
};

/** Faults on the way: passing ones leave the answer as it is, and lasting ones end as failures of these kinds. */
const TRANSPORT: Readonly<Record<string, string>> = {
  'rate-limit': 'rate-limit',
  'server-error': 'server',
  overloaded: 'server',
  hang: 'timeout',
  cut: 'connection',
  empty: 'bad-reply',
  'bad-body': 'bad-reply',
};
/** Slow, and nothing else. */
const SLOW = 'trickle';

/** 30 % of 190 items: each of the 19 faults for three of them, at random. The first of the three lasts, the others pass. */
const ITEMS = 190;
function plannedFaults(bundle: Bundle): Map<string, { readonly kind: FaultKind; readonly lasts: boolean }> {
  const ids = rng(30, 'faults').shuffle(bundle.items.map(({ id }) => id));
  return new Map(
    FAULTS.flatMap((kind, i) => [0, 1, 2].map((n) => [ids[3 * i + n]!, { kind, lasts: n === 0 }])),
  );
}

function expectedEnd(
  fault: { readonly kind: FaultKind; readonly lasts: boolean } | undefined,
  model: string,
): End {
  if (fault === undefined || fault.kind === SLOW) return OK;
  const failure = TRANSPORT[fault.kind];
  if (failure === undefined) return BY_MODEL[model]?.[fault.kind] ?? REPLIES[fault.kind]!;
  return fault.lasts ? nothing('transport', { failure }) : OK;
}

function endOf({ outcome, answer, evidence, raw, failure }: Response): End {
  const kind = (failure as { kind?: string } | undefined)?.kind;
  return {
    outcome,
    answer,
    evidence,
    ...(typeof raw === 'string' ? { raw } : {}),
    ...(kind === undefined ? {} : { failure: kind }),
  };
}

describe('groundmark run against a provider where three questions in ten go wrong', () => {
  it(
    'ends every item as its fault must, guesses nothing, and asks the failed ones again',
    async () => {
      expect(Object.keys({ ...REPLIES, ...TRANSPORT, [SLOW]: 1 }).sort()).toEqual([...FAULTS].sort());
      const bundle = await aBundle(ITEMS);
      const planned = plannedFaults(bundle);
      expect(planned.size).toBe(57);
      let ill = true;
      // The stand-in counts a question's calls over all models.
      const asked = new Set<string>();
      const faults = (question: FakeQuestion): Fault | null => {
        const fault = planned.get(itemIdOf(question));
        if (fault === undefined) return null;
        const { kind, lasts } = fault;
        const call = `${question.provider} ${question.key}`;
        const first = !asked.has(call);
        asked.add(call);
        if (kind in TRANSPORT && (!ill || (!lasts && !first))) return null;
        return { kind, ...(kind === 'rate-limit' ? { retryAfterSeconds: 1 } : {}) };
      };
      const fake = await fakeProvider({ answer: () => ANSWER, faults });
      const options = ['--concurrency', '24', '--timeout', '3', '--json'];
      const summaries = summariesOf(await run(bundle, fake, options, { models: MODELS }));

      // 133 without a fault, 3 slow, 7 × 2 that passed, 4 kinds of reply × 3 that can be read.
      const common = {
        ok: 133 + 3 + 14 + 12,
        transport: 7,
        truncated: 3,
        blocked: 3,
        'unknown-id': 3,
        'invalid-selection': 6,
      };
      const countsOf = (model: string): Record<string, number> =>
        model.startsWith('gemini') ? { ...common, unparsed: 6 } : { ...common, unparsed: 3, refused: 3 };
      for (const model of MODELS)
        expect(Object.values(countsOf(model)).reduce((sum, n) => sum + n, 0)).toBe(ITEMS);
      expect(summaries.map(({ model }) => model)).toEqual([...MODELS]);
      for (const { model, ...summary } of summaries) {
        const counts = countsOf(model);
        expect(summary).toMatchObject({ items: ITEMS, added: ITEMS, kept: 0, missing: 0 });
        expect(summary.outcomes).toEqual(counts);
        const responses = await responsesOf(bundle, model);
        expect(responses.map(({ itemId }) => itemId).sort()).toEqual(bundle.items.map(({ id }) => id));
        expect(counted(responses.map(({ outcome }) => outcome))).toEqual(counts);
        for (const response of responses) {
          const fault = planned.get(response.itemId);
          expect([model, fault, endOf(response)]).toEqual([model, fault, expectedEnd(fault, model)]);
        }
        // Six tries of each of the seven that last, one more for each of the 14 that pass.
        expect(summary.spending.retried).toBe(7 * 5 + 14);
      }
      // 190 + 35 + 14 calls a model, and not one that the stand-in refused.
      expect(fake.calls()).toHaveLength(4 * 239);
      const refused = fake.calls().filter(({ end }) => end === 'rejected');
      // A block is an HTTP 400 at some providers.
      expect(refused.filter(({ fault }) => fault !== 'blocked')).toEqual([]);

      ill = false;
      const again = summariesOf(await run(bundle, fake, options, { models: MODELS }));
      for (const { model, ...summary } of again) {
        expect(summary).toMatchObject({ added: 7, kept: 183, missing: 0 });
        const { transport: _transport, ...others } = countsOf(model);
        expect(summary.outcomes).toEqual({ ...others, ok: common.ok + 7 });
        expect(await responsesOf(bundle, model)).toHaveLength(ITEMS);
        const failures = await jsonLines<Response>(runFolder(bundle, model), 'failures.jsonl');
        expect(failures.map(({ outcome }) => outcome)).toEqual(Array<string>(7).fill('transport'));
      }
      expect(fake.calls()).toHaveLength(4 * 239 + 4 * 7);
    },
    2 * LONG,
  );
});
