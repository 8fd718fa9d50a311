import { z } from 'zod';
import { BatchJobs, type BatchEntry, type EntryEnd, type JobView } from '../batch-jobs.js';
import type { HttpReply } from '../protocol.js';
import { Rejected } from '../rejected.js';
import type { Context } from '../respond.js';
import { jsonRoute, sendLines, type Route } from '../routes.js';
import { strictly } from '../strict.js';
import { readBody, sendJson } from '../wire.js';
import { generateProtocol } from './generate.js';

const createSchema = z.strictObject({
  batch: z.strictObject({
    displayName: z.string().optional(),
    inputConfig: z.strictObject({
      fileName: z.string().optional(),
      requests: z
        .strictObject({
          requests: z
            .array(
              z.strictObject({
                request: z.unknown(),
                metadata: z.strictObject({ key: z.string().min(1) }),
              }),
            )
            .min(1),
        })
        .optional(),
    }),
  }),
});

const lineSchema = z.strictObject({ key: z.string().min(1), request: z.unknown() });

/** Batches of `generateContent`, inline or by a file, and the upload of that file. */
export function geminiBatchRoutes(context: Context, base: string): Route[] {
  const files = new Map<string, Buffer>();
  const inline = new Set<string>();
  const jobs = new BatchJobs(generateProtocol, context, 'job');
  let made = 0;
  const view = async (id: string, job: JobView | null): Promise<HttpReply> => {
    if (!job) throw new Rejected(`Batch ${id} not found.`, null, 'not_found', 404);
    const output = job.ended && !job.cancelled ? await outputOf(id, inline.has(id), jobs) : undefined;
    const state = job.cancelled ? 'CANCELLED' : job.ended ? 'SUCCEEDED' : 'RUNNING';
    return {
      status: 200,
      body: {
        name: `batches/${id}`,
        metadata: { state: `BATCH_STATE_${state}`, ...(output ? { output } : {}) },
      },
    };
  };
  return [
    jsonRoute('POST', /^\/v1beta\/models\/([^/:]+):batchGenerateContent$/u, (body, [model]) => {
      const { inputConfig } = strictly(createSchema, body).batch;
      const entries = entriesOf(inputConfig, files, model!);
      const id = jobs.create(entries);
      if (inputConfig.requests) inline.add(id);
      return view(id, { ended: false, cancelled: false, size: entries.length });
    }),
    jsonRoute('GET', /^\/v1beta\/batches\/(\w+)$/u, (_body, [id]) => view(id!, jobs.poll(id!))),
    jsonRoute('POST', /^\/v1beta\/batches\/(\w+):cancel$/u, (_body, [id]) => view(id!, jobs.cancel(id!))),
    {
      method: 'POST',
      path: /^\/upload\/v1beta\/files$/u,
      async handle({ request, response }) {
        await readBody(request, 1_000_000);
        const url = `${context.url()}${base}/upload/v1beta/put/${++made}`;
        sendJson(response, { status: 200, body: {}, headers: { 'x-goog-upload-url': url } });
      },
    },
    {
      method: 'POST',
      path: /^\/upload\/v1beta\/put\/(\d+)$/u,
      async handle({ request, response, found }) {
        const name = `files/in${found[0]}`;
        const before = files.get(name) ?? Buffer.alloc(0);
        files.set(name, Buffer.concat([before, await readBody(request, 300_000_000)]));
        const last = String(request.headers['x-goog-upload-command']).includes('finalize');
        const headers = { 'x-goog-upload-status': last ? 'final' : 'active' };
        sendJson(response, { status: 200, body: last ? { file: { name } } : {}, headers });
      },
    },
    {
      method: 'GET',
      path: /^\/v1beta\/files\/out-(\w+):download$/u,
      async handle({ response, found }) {
        const ends = await jobs.results(found[0]!);
        sendLines(
          response,
          ends.map((end) => ({ key: end.customId, ...resultOf(end) })),
        );
      },
    },
  ];
}

function entriesOf(
  input: z.infer<typeof createSchema>['batch']['inputConfig'],
  files: ReadonlyMap<string, Buffer>,
  model: string,
): BatchEntry[] {
  if (input.requests) {
    return input.requests.requests.map(({ request, metadata }) => ({
      customId: metadata.key,
      body: request,
      model,
    }));
  }
  const file = files.get(input.fileName ?? '');
  if (!file) throw new Rejected('The input file does not exist.', 'batch.inputConfig.fileName');
  return file
    .toString('utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const { key, request } = strictly(lineSchema, JSON.parse(line) as unknown);
      return { customId: key, body: request, model };
    });
}

async function outputOf(id: string, inline: boolean, jobs: BatchJobs): Promise<unknown> {
  if (!inline) return { responsesFile: `files/out-${id}` };
  const ends = await jobs.results(id);
  return {
    inlinedResponses: {
      inlinedResponses: ends.map((end) => ({ metadata: { key: end.customId }, ...resultOf(end) })),
    },
  };
}

function resultOf(end: EntryEnd): Record<string, unknown> {
  if (end.kind === 'expired') return { error: { code: 4, message: 'Deadline expired.' } };
  const { body, status } = end.reply;
  if (end.kind === 'answered') return { response: body };
  return { error: { code: status === 429 ? 8 : status >= 500 ? 13 : 3, message: 'The request failed.' } };
}
