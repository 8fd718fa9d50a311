import type { CallEnd, FakeQuestion, Fault, FaultKind, Provider, SeenCall } from './types.js';

type Open = { -readonly [K in keyof SeenCall]: SeenCall[K] };

/** A call while it lasts. */
export interface OpenCall {
  asked(question: FakeQuestion, notes: readonly string[]): void;
  failsWith(fault: Fault | null): void;
  /** Only the first end counts. */
  ended(end: CallEnd, status: number | null): void;
}

/** What was asked of the stand-in, in the order of arrival. */
export class CallLog {
  readonly #calls: Open[] = [];
  readonly #asked = new Map<string, number>();

  constructor(
    private readonly now: () => number,
    private readonly onCall: (call: SeenCall) => void = () => undefined,
  ) {}

  /** How often a key was asked before; counts this time. */
  count(key: string): number {
    const before = this.#asked.get(key) ?? 0;
    this.#asked.set(key, before + 1);
    return before;
  }

  open(provider: Provider, batchKey: string | null = null): OpenCall {
    const call: Open = {
      provider,
      model: '',
      key: null,
      startMs: this.now(),
      endMs: null,
      end: null,
      status: null,
      fault: null,
      images: [],
      batchKey,
      notes: [],
    };
    this.#calls.push(call);
    return {
      asked: ({ key, model, images }, notes) => Object.assign(call, { key, model, images, notes }),
      failsWith: (fault) => {
        call.fault = faultKind(fault);
      },
      ended: (end, status) => {
        if (call.end !== null) return;
        Object.assign(call, { end, status, endMs: this.now() });
        this.onCall({ ...call });
      },
    };
  }

  all(): SeenCall[] {
    return this.#calls.map((call) => ({ ...call }));
  }

  answered(): Map<string, number> {
    const counts = new Map<string, number>();
    for (const { key, end } of this.#calls) {
      if (key !== null && end === 'answered') counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    return counts;
  }
}

function faultKind(fault: Fault | null): FaultKind | null {
  return fault?.kind ?? null;
}
