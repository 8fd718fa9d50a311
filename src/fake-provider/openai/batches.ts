import { z } from 'zod';
import { BatchJobs, type BatchEntry, type EntryEnd, type JobView } from '../batch-jobs.js';
import type { HttpReply } from '../protocol.js';
import { Rejected } from '../rejected.js';
import type { Context } from '../respond.js';
import { jsonRoute, sendLines, type Route } from '../routes.js';
import { anything, strictly } from '../strict.js';
import { readBody, sendJson } from '../wire.js';
import { responsesProtocol } from './responses.js';

const createSchema = z.strictObject({
  input_file_id: z.string(),
  endpoint: z.literal('/v1/responses'),
  completion_window: z.literal('24h'),
  metadata: anything,
  output_expires_after: anything,
});

const lineSchema = z.strictObject({
  custom_id: z.string().min(1).max(512),
  method: z.literal('POST'),
  url: z.literal('/v1/responses'),
  body: z.unknown(),
});

const MAX_FILE_BYTES = 200_000_000;
const MAX_REQUESTS = 50_000;

/** Files and batches: a file of requests goes in, a file of replies and one of errors come out. */
export function openaiBatchRoutes(context: Context): Route[] {
  const files = new Map<string, Buffer>();
  const jobs = new BatchJobs(responsesProtocol, context, 'batch_');
  const inputs = new Map<string, string>();
  let made = 0;
  const view = (id: string, job: JobView | null): HttpReply => {
    if (!job) throw new Rejected(`No batch found with id '${id}'.`, 'batch_id', 'not_found', 404);
    return { status: 200, body: batchObject(id, inputs.get(id) ?? '', job) };
  };
  return [
    {
      method: 'POST',
      path: /^\/v1\/files$/u,
      async handle({ request, response }) {
        const bytes = await readBody(request, MAX_FILE_BYTES);
        const form = await new Response(new Uint8Array(bytes), {
          headers: { 'content-type': request.headers['content-type'] ?? '' },
        }).formData();
        const file = form.get('file');
        const unknown = [...form.keys()].find((name) => name !== 'file' && name !== 'purpose');
        if (unknown !== undefined)
          throw new Rejected(`Unknown parameter: '${unknown}'.`, unknown, 'unknown_parameter');
        if (!(file instanceof Blob)) throw new Rejected("Missing required parameter: 'file'.", 'file');
        if (form.get('purpose') !== 'batch') throw new Rejected("Invalid value for 'purpose'.", 'purpose');
        const id = `file-${++made}`;
        files.set(id, Buffer.from(await file.arrayBuffer()));
        const about = { filename: 'requests.jsonl', purpose: 'batch', status: 'processed', created_at: 0 };
        sendJson(response, { status: 200, body: { id, object: 'file', bytes: file.size, ...about } });
      },
    },
    {
      method: 'GET',
      path: /^\/v1\/files\/([\w-]+)\/content$/u,
      async handle({ response, found }) {
        const [, id, kind] = /^file-(batch_\d+)-(output|error)$/u.exec(found[0]!) ?? [];
        if (id === undefined) throw new Rejected('No such File object.', 'file_id', 'not_found', 404);
        const wanted = (end: EntryEnd): boolean => (end.kind === 'answered') === (kind === 'output');
        sendLines(response, (await jobs.results(id)).filter(wanted).map(resultLine));
      },
    },
    jsonRoute('POST', /^\/v1\/batches$/u, (body) => {
      const { input_file_id: input } = strictly(createSchema, body);
      const file = files.get(input);
      if (!file) throw new Rejected('No such File object.', 'input_file_id', 'not_found', 404);
      const id = jobs.create(readLines(file));
      inputs.set(id, input);
      return view(id, { ended: false, cancelled: false, size: 0 });
    }),
    jsonRoute('GET', /^\/v1\/batches\/(\w+)$/u, (_body, [id]) => view(id!, jobs.poll(id!))),
    jsonRoute('POST', /^\/v1\/batches\/(\w+)\/cancel$/u, (_body, [id]) => view(id!, jobs.cancel(id!))),
  ];
}

/** @throws {Rejected} at the first line that is none, and at a custom id that stands twice */
function readLines(file: Buffer): BatchEntry[] {
  const seen = new Set<string>();
  const lines = file.toString('utf8').split('\n').slice(0, -1);
  if (lines.length > MAX_REQUESTS) throw new Rejected('Too many requests in one batch.', 'input_file_id');
  return lines.map((line) => {
    const { custom_id: customId, body } = strictly(lineSchema, JSON.parse(line) as unknown);
    if (seen.has(customId))
      throw new Rejected(`Duplicate custom_id: ${customId}.`, 'custom_id', 'duplicate_custom_id');
    seen.add(customId);
    return { customId, body, model: '' };
  });
}

function batchObject(
  id: string,
  input: string,
  { ended, cancelled, size }: JobView,
): Record<string, unknown> {
  return {
    id,
    object: 'batch',
    endpoint: '/v1/responses',
    errors: null,
    input_file_id: input,
    completion_window: '24h',
    status: cancelled ? 'cancelled' : ended ? 'completed' : 'in_progress',
    output_file_id: ended ? `file-${id}-output` : null,
    error_file_id: ended ? `file-${id}-error` : null,
    created_at: 0,
    request_counts: { total: size, completed: ended ? size : 0, failed: 0 },
    metadata: null,
  };
}

function resultLine(end: EntryEnd): Record<string, unknown> {
  const { customId } = end;
  const head = { id: `batch_req_${customId}`, custom_id: customId };
  if (end.kind === 'expired') {
    const message = 'This request could not be executed before the completion window expired.';
    return { ...head, response: null, error: { code: 'batch_expired', message } };
  }
  const { status, body } = end.reply;
  return { ...head, response: { status_code: status, request_id: 'req_fake', body }, error: null };
}
