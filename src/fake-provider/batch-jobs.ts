import { rng } from '../util/rng.js';
import type { HttpReply, Protocol } from './protocol.js';
import { prepareReply, type Context } from './respond.js';

/** An entry of a batch as it was handed in. */
export interface BatchEntry {
  readonly customId: string;
  readonly body: unknown;
  readonly model: string;
}

/** How an entry ended; `expired`: it was not run. */
export type EntryEnd =
  | { readonly customId: string; readonly kind: 'answered' | 'failed'; readonly reply: HttpReply }
  | { readonly customId: string; readonly kind: 'expired' };

interface Job {
  readonly results: Promise<readonly EntryEnd[]>;
  readonly size: number;
  pollsLeft: number;
  cancelled: boolean;
}

/** What a batch looks like at one moment. */
export interface JobView {
  readonly ended: boolean;
  readonly cancelled: boolean;
  readonly size: number;
}

/** Batches of one protocol: each runs for some status requests and then has its results, in another order. */
export class BatchJobs {
  readonly #jobs = new Map<string, Job>();
  #made = 0;

  constructor(
    private readonly protocol: Protocol,
    private readonly context: Context,
    private readonly prefix: string,
  ) {}

  create(entries: readonly BatchEntry[]): string {
    const id = `${this.prefix}${++this.#made}`;
    this.#jobs.set(id, {
      results: this.#run(entries, id),
      size: entries.length,
      pollsLeft: this.context.options.batchPolls ?? 1,
      cancelled: false,
    });
    return id;
  }

  /** One status request; null: no such batch. */
  poll(id: string): JobView | null {
    const job = this.#jobs.get(id);
    if (!job) return null;
    const ended = job.cancelled || job.pollsLeft <= 0;
    job.pollsLeft -= 1;
    return { ended, cancelled: job.cancelled, size: job.size };
  }

  cancel(id: string): JobView | null {
    const job = this.#jobs.get(id);
    if (!job) return null;
    job.cancelled = true;
    return { ended: true, cancelled: true, size: job.size };
  }

  /** Every entry once, shuffled by seed; of a cancelled batch none was run. */
  async results(id: string): Promise<readonly EntryEnd[]> {
    const job = this.#jobs.get(id);
    if (!job) return [];
    const ends = await job.results;
    return job.cancelled ? ends.map(({ customId }) => ({ customId, kind: 'expired' })) : ends;
  }

  async #run(entries: readonly BatchEntry[], id: string): Promise<readonly EntryEnd[]> {
    const ends: EntryEnd[] = [];
    for (const entry of entries) ends.push(await this.#runOne(entry));
    return rng(this.context.options.seed ?? 0, 'fake-batch', id).shuffle(ends);
  }

  async #runOne({ customId, body, model }: BatchEntry): Promise<EntryEnd> {
    const call = this.context.log.open(this.protocol.provider, customId);
    const { reply, fault } = await prepareReply(this.protocol, body, model, call, this.context);
    const kind = fault?.kind;
    if (kind === 'hang' || kind === 'cut' || kind === 'empty' || kind === 'bad-body') {
      call.ended('failed', null);
      return { customId, kind: 'expired' };
    }
    call.ended(reply.status < 400 ? 'answered' : 'failed', reply.status);
    return { customId, kind: reply.status < 400 ? 'answered' : 'failed', reply };
  }
}
