import { z } from 'zod';
import { BatchJobs, type EntryEnd, type JobView } from '../batch-jobs.js';
import type { HttpReply } from '../protocol.js';
import { Rejected } from '../rejected.js';
import type { Context } from '../respond.js';
import { jsonRoute, sendLines, type Route } from '../routes.js';
import { strictly } from '../strict.js';
import { messagesProtocol } from './messages.js';

const createSchema = z.strictObject({
  requests: z
    .array(z.strictObject({ custom_id: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/u), params: z.unknown() }))
    .min(1)
    .max(100_000),
});

/** Any moment; nothing in a reply follows from the clock. */
const MOMENT = '2026-01-01T00:00:00Z';

/** Message Batches. */
export function anthropicBatchRoutes(context: Context, base: string): Route[] {
  const jobs = new BatchJobs(messagesProtocol, context, 'msgbatch_');
  const view = (id: string, job: JobView | null): HttpReply => {
    if (!job) throw new Rejected(`No batch with id ${id}.`, null, 'not_found', 404);
    return {
      status: 200,
      body: batchObject(id, job, `${context.url()}${base}/v1/messages/batches/${id}/results`),
    };
  };
  return [
    jsonRoute('POST', /^\/v1\/messages\/batches$/u, (body) => {
      const { requests } = strictly(createSchema, body);
      const ids = requests.map(({ custom_id }) => custom_id);
      const twice = ids.find((id, i) => ids.indexOf(id) !== i);
      if (twice !== undefined) throw new Rejected(`custom_id ${twice} stands twice`, 'requests');
      const id = jobs.create(
        requests.map(({ custom_id: customId, params }) => ({ customId, body: params, model: '' })),
      );
      return view(id, { ended: false, cancelled: false, size: requests.length });
    }),
    jsonRoute('GET', /^\/v1\/messages\/batches\/(\w+)$/u, (_body, [id]) => view(id!, jobs.poll(id!))),
    jsonRoute('POST', /^\/v1\/messages\/batches\/(\w+)\/cancel$/u, (_body, [id]) =>
      view(id!, jobs.cancel(id!)),
    ),
    {
      method: 'GET',
      path: /^\/v1\/messages\/batches\/(\w+)\/results$/u,
      async handle({ response, found }) {
        sendLines(response, (await jobs.results(found[0]!)).map(resultLine));
      },
    },
  ];
}

function batchObject(
  id: string,
  { ended, cancelled, size }: JobView,
  results: string,
): Record<string, unknown> {
  const done = ended && !cancelled ? size : 0;
  return {
    id,
    type: 'message_batch',
    processing_status: ended ? 'ended' : 'in_progress',
    request_counts: {
      processing: ended ? 0 : size,
      succeeded: done,
      errored: 0,
      canceled: cancelled ? size : 0,
      expired: 0,
    },
    ended_at: ended ? MOMENT : null,
    created_at: MOMENT,
    expires_at: MOMENT,
    archived_at: null,
    cancel_initiated_at: null,
    results_url: ended ? results : null,
  };
}

function resultLine(end: EntryEnd): Record<string, unknown> {
  const head = { custom_id: end.customId };
  if (end.kind === 'expired') return { ...head, result: { type: 'expired' } };
  const { body } = end.reply;
  return {
    ...head,
    result: end.kind === 'answered' ? { type: 'succeeded', message: body } : { type: 'errored', error: body },
  };
}
