import { describe, expect, it } from 'vitest';
import { anthropicBatch } from '../../../../src/adapters/llm/batch/anthropic-batch.js';
import type { BatchDriver } from '../../../../src/adapters/llm/batch/batch-driver.js';
import type { BatchHandle, BatchModel, BatchResult } from '../../../../src/adapters/llm/batch/batch-model.js';
import { geminiBatch } from '../../../../src/adapters/llm/batch/gemini-batch.js';
import { makeBatch } from '../../../../src/adapters/llm/batch/make-batch.js';
import { openaiBatch } from '../../../../src/adapters/llm/batch/openai-batch.js';
import type { ChatRequest } from '../../../../src/adapters/llm/chat-model.js';
import type { ProviderAccess } from '../../../../src/adapters/llm/provider-access.js';
import { access, aRequest, call, failureOf, fakeFetch, json, type SeenCall } from '../helpers.js';

type Made = (access: ProviderAccess) => Promise<BatchDriver>;

async function batchOf(make: Made, answer: (call: SeenCall, n: number) => Response) {
  const fetch = fakeFetch(answer);
  const model = makeBatch(await make(access({ fetch, baseUrl: 'http://p.test', id: 'p/m' })));
  return { fetch, model };
}

async function ends(model: BatchModel, handle: BatchHandle): Promise<Record<string, unknown>> {
  const told: Record<string, unknown> = {};
  for await (const result of model.results(handle, call)) {
    expect(told).not.toHaveProperty(result.key);
    told[result.key] = summary(result);
  }
  return told;
}

function summary(result: BatchResult): unknown {
  if ('error' in result)
    return [result.error.kind, result.error.retryable, result.error.detail.unsent ?? false];
  return [result.reply.stop, result.reply.text, result.reply.sent?.length];
}

const requests = (...keys: string[]): ChatRequest[] => keys.map((key) => aRequest({ key }, 1));
const jsonl = (...lines: unknown[]): Response =>
  new Response(lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'), {
    headers: { 'content-type': 'application/octet-stream' },
  });

/** Goes through JSON, as a handle does that is kept over a restart. */
const kept = (handle: BatchHandle): BatchHandle => JSON.parse(JSON.stringify(handle)) as BatchHandle;

describe('a batch of OpenAI', () => {
  const body = (text: string): unknown => ({
    id: 'r',
    model: 'm',
    status: 'completed',
    output: [{ type: 'message', content: [{ type: 'output_text', text }] }],
  });
  const line = (custom_id: string, status_code: number, of: unknown): unknown => ({
    custom_id,
    response: { status_code, request_id: 'q', body: of },
    error: null,
  });
  const batch = (more: Record<string, unknown>): Response =>
    json({ id: 'batch_1', object: 'batch', status: 'in_progress', ...more });

  it('is a file of requests, and a handle that a restart can go on with', async () => {
    const { fetch, model } = await batchOf(openaiBatch, ({ url }) =>
      url.endsWith('/files') ? json({ id: 'file-in' }) : batch({}),
    );
    const handle = await model.submit(requests('a', 'b'), call);
    expect(kept(handle)).toEqual(handle);
    expect(handle).toMatchObject({ model: 'p/m', parts: [{ id: 'batch_1', keys: ['a', 'b'] }] });
    expect(handle.sent.a).toHaveLength(1);
    expect(JSON.stringify(handle)).not.toMatch(/PROMPT|SECRET|iVBOR/u);
    const upload = fetch.calls.find(({ url }) => url.endsWith('/files'))!;
    expect(upload.body).toContain('name="purpose"\r\n\r\nbatch');
    const lines = upload.body.split('\n').filter((text) => text.startsWith('{"custom_id"'));
    expect(lines.map((text) => JSON.parse(text) as unknown)).toEqual(
      ['a', 'b'].map((custom_id) => ({
        custom_id,
        method: 'POST',
        url: '/v1/responses',
        body: expect.objectContaining({ model: 'model-x', store: false, truncation: 'disabled' }) as unknown,
      })),
    );
    expect(JSON.parse(fetch.calls.find(({ url }) => url.endsWith('/batches'))!.body)).toEqual({
      input_file_id: 'file-in',
      endpoint: '/v1/responses',
      completion_window: '24h',
    });
  });

  const handle: BatchHandle = {
    model: 'p/m',
    parts: [{ id: 'batch_1', keys: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }],
    sent: { a: [{ sha256: 'x', width: 1, height: 1, bytes: 1 }] },
  };

  it.each([
    ['validating', 'running', null],
    ['in_progress', 'running', 5],
    ['finalizing', 'running', 5],
    ['cancelling', 'running', 5],
    ['completed', 'ended', 7],
    ['failed', 'ended', 7],
    ['expired', 'ended', 7],
    ['cancelled', 'ended', 7],
  ])('that is %s is %s', async (status, state, finished) => {
    const request_counts = finished === null ? undefined : { completed: 3, failed: 2, total: 7 };
    const { model } = await batchOf(openaiBatch, () => batch({ status, request_counts }));
    expect(await model.poll(handle, call)).toEqual({ state, counts: { total: 7, finished } });
  });

  it('gives every request one end: in any order, from both files, with broken lines and strangers between', async () => {
    const { model } = await batchOf(openaiBatch, ({ url }) => {
      if (url.endsWith('/files/out/content')) {
        return jsonl(
          line('c', 200, body('C')),
          line('a', 200, body('A')),
          'not JSON',
          '[1]',
          line('a', 200, body('again')),
          line('stranger', 200, body('X')),
          line('b', 200, {
            ...(body('') as object),
            status: 'incomplete',
            incomplete_details: { reason: 'max_output_tokens' },
          }),
          line('g', 200, { no: 'reply' }),
        );
      }
      if (url.endsWith('/files/err/content')) {
        return jsonl(
          line('d', 400, { error: { code: 'content_policy_violation', message: 'x' } }),
          line('e', 429, { error: { code: 'rate_limit_exceeded', message: 'x' } }),
          { custom_id: 'f', response: null, error: { code: 'batch_expired', message: 'x' } },
        );
      }
      return batch({ status: 'expired', output_file_id: 'out', error_file_id: 'err' });
    });
    expect(await ends(model, kept(handle))).toEqual({
      c: ['complete', 'C', undefined],
      a: ['complete', 'A', 1],
      b: ['truncated', '', undefined],
      g: ['bad-reply', true, false],
      d: ['blocked', '', undefined],
      e: ['rate-limit', true, false],
      f: ['server', true, true],
    });
  });

  it('that has not ended gives nothing, and one without files gives every request as not run', async () => {
    const running = await batchOf(openaiBatch, () => batch({}));
    expect(await ends(running.model, handle)).toEqual({});
    const empty = await batchOf(openaiBatch, () => batch({ status: 'cancelled' }));
    expect(new Set(Object.values(await ends(empty.model, handle)).map((end) => JSON.stringify(end)))).toEqual(
      new Set(['["server",true,true]']),
    );
  });

  it.each([
    ['token_limit_exceeded', ['rate-limit', true, false]],
    ['invalid_json_line', ['bad-request', false, false]],
  ])('whose file was refused for %s ends so for every request', async (code, end) => {
    const { model } = await batchOf(openaiBatch, () =>
      batch({ status: 'failed', errors: { data: [{ code }] } }),
    );
    expect(await ends(model, { ...handle, parts: [{ id: 'batch_1', keys: ['a'] }] })).toEqual({ a: end });
  });

  it('whose result file breaks off is an error, and tells nothing of what was not read yet', async () => {
    const { model } = await batchOf(openaiBatch, ({ url }) => {
      if (!url.endsWith('/content')) return batch({ status: 'completed', output_file_id: 'out' });
      let sent = false;
      return new Response(
        new ReadableStream<Uint8Array>({
          pull(controller) {
            if (sent) controller.error(new TypeError('terminated'));
            else
              controller.enqueue(
                new TextEncoder().encode(`${JSON.stringify(line('a', 200, body('A')))}\n{"cu`),
              );
            sent = true;
          },
        }),
      );
    });
    const told: string[] = [];
    const reading = (async () => {
      for await (const { key } of model.results(handle, call)) told.push(key);
    })();
    expect(await failureOf(reading)).toMatchObject({ kind: 'connection', retryable: true });
    expect(told).toEqual(['a']);
  });
});

describe('a batch of Anthropic', () => {
  const counts = { processing: 0, succeeded: 1, errored: 1, canceled: 0, expired: 1 };
  const state = (processing_status: string, request_counts: unknown = counts): Response =>
    json({
      id: 'msgbatch_1',
      type: 'message_batch',
      processing_status,
      request_counts,
      results_url: 'http://p.test/results',
    });

  it('is one request with custom ids', async () => {
    const { fetch, model } = await batchOf(anthropicBatch, () => state('in_progress'));
    const handle = await model.submit(requests('a', 'b'), call);
    expect(handle.parts).toEqual([{ id: 'msgbatch_1', keys: ['a', 'b'] }]);
    const sent = JSON.parse(fetch.calls[0]!.body) as { requests: { custom_id: string; params: unknown }[] };
    expect(sent.requests.map(({ custom_id }) => custom_id)).toEqual(['a', 'b']);
    expect(sent.requests[0]!.params).toMatchObject({
      model: 'model-x',
      max_tokens: 500,
      messages: [{ content: [{}, {}, { transformations: { oversized_image: 'error' } }, {}] }],
    });
    expect(await model.poll(handle, call)).toEqual({ state: 'running', counts: { total: 2, finished: 3 } });
  });

  it('gives every request one end, in any order', async () => {
    const message = (text: string, stop_reason = 'end_turn'): unknown => ({
      type: 'succeeded',
      message: { content: [{ type: 'text', text }], stop_reason },
    });
    const errored = (type: string, text = 'x'): unknown => ({
      type: 'errored',
      error: { type: 'error', error: { type, message: text } },
    });
    const { model } = await batchOf(anthropicBatch, ({ url }) =>
      url.endsWith('/results')
        ? jsonl(
            { custom_id: 'c', result: message('C') },
            { custom_id: 'b', result: { type: 'expired' } },
            { custom_id: 'a', result: message('', 'refusal') },
            { custom_id: 'd', result: { type: 'canceled' } },
            { custom_id: 'e', result: errored('invalid_request_error') },
            { custom_id: 'f', result: errored('overloaded_error') },
            {
              custom_id: 'g',
              result: errored('invalid_request_error', 'Output blocked by content filtering policy'),
            },
          )
        : state('ended'),
    );
    const keys = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    expect(await ends(model, { model: 'p/m', parts: [{ id: 'msgbatch_1', keys }], sent: {} })).toEqual({
      c: ['complete', 'C', undefined],
      b: ['server', true, true],
      a: ['refused', '', undefined],
      d: ['server', true, true],
      e: ['bad-request', false, false],
      f: ['server', true, false],
      g: ['blocked', '', undefined],
      h: ['server', true, true],
    });
  });
});

describe('a batch of Gemini', () => {
  const job = (state: string, output?: unknown): Response =>
    json({
      name: 'batches/1',
      metadata: { state: `BATCH_STATE_${state}`, ...(output === undefined ? {} : { output }) },
    });
  const response = (text: string): unknown => ({
    candidates: [{ finishReason: 'STOP', content: { parts: [{ text }] } }],
  });

  it('goes inline when it is small, each request with its key', async () => {
    const { fetch, model } = await batchOf(geminiBatch, () => job('PENDING'));
    const handle = await model.submit(requests('a', 'b'), call);
    expect(handle.parts).toEqual([{ id: 'batches/1', keys: ['a', 'b'] }]);
    expect(fetch.calls[0]!.url).toBe('http://p.test/v1beta/models/model-x:batchGenerateContent');
    const sent = JSON.parse(fetch.calls[0]!.body) as {
      batch: { inputConfig: { requests: { requests: unknown[] } } };
    };
    expect(sent.batch.inputConfig.requests.requests).toEqual(
      ['a', 'b'].map((key) => ({
        metadata: { key },
        request: {
          contents: [expect.objectContaining({ role: 'user' })],
          store: false,
          generationConfig: expect.objectContaining({ mediaResolution: 'MEDIA_RESOLUTION_HIGH' }) as unknown,
        },
      })),
    );
  });

  it('goes by a file when it is large', async () => {
    const { fetch, model } = await batchOf(geminiBatch, ({ url, headers }) => {
      if (url.includes('/upload/v1beta/files')) {
        return new Response('{}', {
          headers: { 'x-goog-upload-url': 'http://p.test/up/1', 'content-type': 'application/json' },
        });
      }
      if (url.includes('/up/1')) {
        // The SDK sends pieces of 8 MiB.
        const last = headers.get('x-goog-upload-command')?.includes('finalize');
        return json({ file: { name: 'files/in' } }, 200, {
          'x-goog-upload-status': last ? 'final' : 'active',
        });
      }
      return job('PENDING');
    });
    const long = { type: 'text' as const, text: 'x'.repeat(9_000_000) };
    const handle = await model.submit(
      ['a', 'b'].map((key) => aRequest({ key, parts: [long] })),
      call,
    );
    expect(handle.parts).toEqual([{ id: 'batches/1', keys: ['a', 'b'] }]);
    const create = fetch.calls.find(({ url }) => url.endsWith(':batchGenerateContent'))!;
    expect(JSON.parse(create.body)).toMatchObject({ batch: { inputConfig: { fileName: 'files/in' } } });
    const uploaded = fetch.calls
      .filter(({ url }) => url.includes('/up/1'))
      .map(({ body }) => body)
      .join('');
    const lines = uploaded
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as Record<string, unknown>);
    expect(lines.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(Object.keys(lines[0]!.request as object).sort()).toEqual([
      'contents',
      'generationConfig',
      'store',
    ]);
    expect((lines[0]!.request as { generationConfig: unknown }).generationConfig).toEqual({
      mediaResolution: 'MEDIA_RESOLUTION_HIGH',
      responseMimeType: 'application/json',
      responseJsonSchema: aRequest().schema!.schema,
      maxOutputTokens: 500,
    });
  });

  it.each([
    ['PENDING', 'running'],
    ['RUNNING', 'running'],
    ['SUCCEEDED', 'ended'],
    ['FAILED', 'ended'],
    ['CANCELLED', 'ended'],
    ['EXPIRED', 'ended'],
  ])('that is %s is %s', async (state, expected) => {
    const { model } = await batchOf(geminiBatch, () => job(state));
    const handle = { model: 'p/m', parts: [{ id: 'batches/1', keys: ['a'] }], sent: {} };
    expect((await model.poll(handle, call)).state).toBe(expected);
  });

  const handle: BatchHandle = {
    model: 'p/m',
    parts: [{ id: 'batches/1', keys: ['a', 'b', 'c', 'd', 'e'] }],
    sent: {},
  };

  it('gives inline ends by their key, or by their place when none comes back', async () => {
    const inlinedResponses = [
      { response: response('B'), metadata: { key: 'b' } },
      { error: { code: 8, message: 'x' }, metadata: { key: 'a' } },
      { response: response('C') },
      { error: { code: 1, message: 'cancelled' } },
    ];
    const { model } = await batchOf(geminiBatch, () =>
      job('SUCCEEDED', { inlinedResponses: { inlinedResponses } }),
    );
    expect(await ends(model, handle)).toEqual({
      b: ['complete', 'B', undefined],
      a: ['rate-limit', true, false],
      c: ['complete', 'C', undefined],
      d: ['server', true, true],
      e: ['server', true, true],
    });
  });

  it('gives the ends of a file by their key', async () => {
    const { fetch, model } = await batchOf(geminiBatch, ({ url }) =>
      url.includes(':download')
        ? jsonl(
            { key: 'e', response: response('E') },
            { key: 'a', response: { promptFeedback: { blockReason: 'SAFETY' } } },
            { key: 'b', error: { code: 3, status: 'INVALID_ARGUMENT', message: 'x' } },
            { response: response('nobody') },
          )
        : job('SUCCEEDED', { responsesFile: 'files/out' }),
    );
    expect(await ends(model, handle)).toEqual({
      e: ['complete', 'E', undefined],
      a: ['blocked', '', undefined],
      b: ['bad-request', false, false],
      c: ['server', true, true],
      d: ['server', true, true],
    });
    const download = fetch.calls.find(({ url }) => url.includes(':download'))!;
    expect(download.url).toBe('http://p.test/v1beta/files/out:download?alt=media');
  });
});

describe('batches of any provider', () => {
  function driver(overrides: Partial<BatchDriver> = {}) {
    const created: string[][] = [];
    const made: BatchDriver = {
      access: access(),
      sdk: 's',
      fingerprint: 'f',
      limits: { requests: 2, bytes: 100 },
      entry: async ({ key }) => ({ key, line: key, bytes: key.startsWith('big') ? 90 : 10, sent: [] }),
      create: async (entries) => {
        created.push(entries.map(({ key }) => key));
        return `id${created.length}`;
      },
      status: async () => ({ ended: true, finished: null }),
      results: async function* () {},
      cancel: async () => undefined,
      ...overrides,
    };
    return { created, model: makeBatch(made) };
  }

  it('are cut by number and by bytes, in order', async () => {
    const { created, model } = driver();
    await model.submit(requests('a', 'b', 'c', 'big1', 'big2', 'd'), call);
    // 10 + 10; 10 + 90; 90 + 10.
    expect(created).toEqual([
      ['a', 'b'],
      ['c', 'big1'],
      ['big2', 'd'],
    ]);
  });

  it('tell the handle after each part, so that a kill in the middle loses none', async () => {
    let n = 0;
    const { model } = driver({
      create: async () => {
        if (++n === 2) throw new Error('killed');
        return 'id1';
      },
    });
    const told: BatchHandle[] = [];
    const submitting = model.submit(requests('a', 'b', 'c'), {
      ...call,
      onPart: async (handle) => void told.push(handle),
    });
    await expect(submitting).rejects.toThrow('killed');
    expect(told).toEqual([
      { model: 'test/model', parts: [{ id: 'id1', keys: ['a', 'b'] }], sent: { a: [], b: [] } },
    ]);
  });

  it('count parts together, and do not know what one does not tell', async () => {
    const states = [
      { ended: true, finished: null },
      { ended: false, finished: 1 },
    ];
    let n = 0;
    const { model } = driver({ status: async () => states[n++]! });
    const handle = {
      model: 'm',
      parts: [
        { id: '1', keys: ['a', 'b'] },
        { id: '2', keys: ['c'] },
      ],
      sent: {},
    };
    expect(await model.poll(handle, call)).toEqual({ state: 'running', counts: { total: 3, finished: 3 } });
  });

  it.each([
    [['a', 'a'], 'duplicate-request-key'],
    [['a b'], 'bad-request-key'],
    [['x'.repeat(65)], 'bad-request-key'],
    [[''], 'bad-request-key'],
  ])('do not take the keys %j', async (keys, code) => {
    const { created, model } = driver();
    await expect(model.submit(requests(...keys), call)).rejects.toMatchObject({ code });
    expect(created).toEqual([]);
  });
});
