import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { Fault, FakeProvider, FakeQuestion } from '../../../../src/fake-provider/index.js';
import { FAKE_KEY, fakeProvider } from '../../../fake-provider/helpers.js';
import { exists, filesBelow, type Ended } from '../../../helpers/e2e.js';
import { aBundle, type Bundle } from '../helpers.js';
import { itemIdOf, LONG, MODELS, BATCH_MODELS, run, startRun } from './helpers.js';

/** Loud: the SDKs of OpenAI and Anthropic print whole requests under these, unless they are told not to. */
const LOUD = { OPENAI_LOG: 'debug', ANTHROPIC_LOG: 'debug', DEBUG: '*' };

/** Everything that a run of a bundle printed and left on the disk outside the bundle itself. */
async function everything(bundle: Bundle, runs: readonly Ended[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  runs.forEach(({ stdout, stderr }, i) => texts.set(`stdout ${i}`, stdout).set(`stderr ${i}`, stderr));
  for (const folder of ['runs', 'workspace']) {
    const root = path.join(bundle.folder, folder);
    if (!(await exists(root))) continue;
    for (const file of await filesBelow(root))
      texts.set(`${folder}/${file}`, await readFile(path.join(root, file), 'utf8'));
  }
  return texts;
}

/** Names of the texts that hold a key, a question, a choice, a long base64 or the beginning of a picture. */
function leaks(bundle: Bundle, texts: ReadonlyMap<string, string>): string[] {
  const words = bundle.items.flatMap(({ question, choices }) => [
    question,
    ...choices.map(({ text }) => text),
  ]);
  const secrets: readonly [string, (text: string) => boolean][] = [
    ['key', (text) => text.includes(FAKE_KEY) || text.includes('sk-stand-in')],
    ['words of an item', (text) => words.some((word) => text.includes(word))],
    ['base64', (text) => /[A-Za-z0-9+/=_-]{200}/u.test(text)],
    // Every PNG begins so, at any of the three places of base64.
    ['picture', (text) => /iVBORw0KG|UE5HDQoaC|QTkcNChoK/u.test(text)],
  ];
  return [...texts].flatMap(([name, text]) =>
    secrets.filter(([, holds]) => holds(text)).map(([what]) => `${name}: ${what}`),
  );
}

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0))
    await new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    });
});

/** A provider whose errors quote what it was sent, headers and all, as some do. */
async function quotingProvider(status: number): Promise<FakeProvider> {
  const bodyOf = async (request: IncomingMessage): Promise<string> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    return Buffer.concat(chunks).toString('latin1');
  };
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const message = `Bad request: ${JSON.stringify(request.headers)} ${body}`;
      const error = {
        message,
        type: message,
        code: message,
        status: message,
        param: body,
        details: [message],
      };
      response.writeHead(status, {
        'content-type': 'application/json',
        'x-request-id': message.slice(0, 90),
      });
      response.end(JSON.stringify({ type: 'error', error, request_id: message }));
    });
  });
  servers.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const urls = { openai: `${url}/v1`, anthropic: url, gemini: url };
  return { url, urls, calls: () => [], answered: () => new Map(), close: async () => undefined };
}

describe('what groundmark run prints and leaves', () => {
  it(
    'holds no key, no words of an item and no image, with every provider, fault and batch, however loud the SDKs',
    async () => {
      const bundle = await aBundle(12);
      const kinds = ['refusal', 'malformed', 'server-error', 'cut', 'bad-body', 'truncation'] as const;
      const faults = (question: FakeQuestion): Fault | null => {
        const kind = kinds[Number(itemIdOf(question).slice(-3)) - 1];
        return kind === undefined || question.call > 0 ? null : { kind };
      };
      const fake = await fakeProvider({ faults });
      const runs = [
        await run(bundle, fake, ['--verbose', '--json'], { models: MODELS, env: LOUD }),
        await run(bundle, fake, ['--verbose', '--restart'], { models: MODELS, env: LOUD }),
        await run(bundle, fake, ['--verbose', '--batch', '--poll', '0.1', '--restart', '--no-cache'], {
          models: BATCH_MODELS,
          env: LOUD,
        }),
      ];
      const texts = await everything(bundle, runs);
      expect([...texts.keys()].filter((name) => name.startsWith('runs/')).length).toBeGreaterThanOrEqual(8);
      expect([...texts.keys()].some((name) => name.startsWith('workspace/.groundmark/cache/'))).toBe(true);
      expect(leaks(bundle, texts)).toEqual([]);

      // The search finds what is planted, in a file and in what was printed.
      const file = path.join(bundle.folder, 'runs', 'openai-gpt-5-mini', 'run.json');
      const clean = await readFile(file, 'utf8');
      const picture = await readFile(path.join(bundle.folder, bundle.items[0]!.images[0]!.file));
      for (const [planted, what] of [
        [FAKE_KEY, 'key'],
        [bundle.items[3]!.choices[2]!.text, 'words of an item'],
        [Buffer.alloc(200, 7).toString('base64'), 'base64'],
        [picture.toString('base64').slice(0, 24), 'picture'],
      ] as const) {
        await writeFile(file, `${clean}\n"${planted}"`);
        expect(leaks(bundle, await everything(bundle, runs))).toContain(
          `runs/openai-gpt-5-mini/run.json: ${what}`,
        );
        const loud = { ...runs[0]!, stderr: `POST ${planted}` };
        expect(leaks(bundle, await everything(bundle, [loud]))).toContain(`stderr 0: ${what}`);
      }
    },
    LONG,
  );

  it.each([400, 401, 404, 422, 429, 500].map((status) => ({ status })))(
    'repeats nothing of an HTTP $status whose text quotes key and request',
    async ({ status }) => {
      const bundle = await aBundle(2);
      const fake = await quotingProvider(status);
      const runs = await Promise.all(
        MODELS.map(async (model) => {
          const options = { models: [model], env: LOUD };
          const { child, ended } = await startRun(bundle, fake, ['--verbose', '--json'], options);
          // Where it is tried again for minutes, the first tries have failed by now.
          const patience = setTimeout(() => child.kill('SIGINT'), 5000);
          const said = await ended;
          clearTimeout(patience);
          return said;
        }),
      );
      expect(leaks(bundle, await everything(bundle, runs))).toEqual([]);
      for (const { stderr } of runs) expect(stderr).not.toBe('');
    },
    LONG,
  );
});
