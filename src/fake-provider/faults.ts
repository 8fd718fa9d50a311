import { rng } from '../util/rng.js';
import { FAULTS, TRANSPORT_FAULTS, type Fault, type FakeQuestion, type FaultKind } from './types.js';

export interface FaultPlan {
  /** Share of the questions that something goes wrong with, 0 to 1. */
  readonly rate: number;
  readonly seed: number;
  /** Default: all but `hang`, which waits for the client's patience to end. */
  readonly kinds?: readonly FaultKind[];
  /** Calls that a fault of the transport lasts for; then the question is answered. Default 1. */
  readonly calls?: number;
  readonly retryAfterSeconds?: number;
}

const WITHOUT_HANG: readonly FaultKind[] = FAULTS.filter((kind) => kind !== 'hang');

/**
 * Faults by seed and question: the same question fares the same in every run. A fault of the reply is there at each call;
 * one of the transport ends after some calls, as a provider's bad minute does.
 */
export function seededFaults(plan: FaultPlan): (question: FakeQuestion) => Fault | null {
  const { rate, seed, kinds = WITHOUT_HANG, calls = 1, retryAfterSeconds = 0 } = plan;
  return ({ key, call }) => {
    const random = rng(seed, 'fake-fault', key);
    if (random.next() >= rate || kinds.length === 0) return null;
    const kind = random.pick(kinds);
    if (isTransportFault(kind) && call >= calls) return null;
    return kind === 'rate-limit' ? { kind, retryAfterSeconds } : { kind };
  };
}

export function isTransportFault(kind: FaultKind): boolean {
  return (TRANSPORT_FAULTS as readonly FaultKind[]).includes(kind);
}
