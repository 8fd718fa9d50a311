import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import {
  scriptedBehaviour,
  seededFaults,
  startFakeProvider,
  type FakeProvider,
  type FakeProviderOptions,
  type SeenCall,
} from '../../fake-provider/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { Command } from '../command.js';
import { numberOption, usage } from '../number-option.js';

/** `groundmark fake-provider`. */
export const command: Command = {
  arguments: '',
  options: [
    { flags: '--port <n>', description: 'of 127.0.0.1 (default: any free one)' },
    { flags: '--latency <ms>', description: 'wait before each reply', default: '200' },
    {
      flags: '--faults <rate or file>',
      description: 'share of the questions that something goes wrong with, 0 to 1, or a script with faults',
    },
    {
      flags: '--script <file>',
      description: 'JSONL lines {"match", "reply", "fault", "calls", "retryAfterSeconds"}',
    },
  ],
  example: 'npx groundmark fake-provider --port 8123 --faults 0.1',
  details:
    'Stands in for OpenAI, Anthropic and Gemini on this machine, to rehearse a run: it refuses requests that are not of the\n' +
    'documented shape, and answers by script, or with a letter and image ids by --seed. Nothing that it says means anything.\n' +
    'It ends with Ctrl-C and then tells what it saw.',
  async run(_args, options, _common, deps) {
    const seen: SeenCall[] = [];
    const fake = await start({
      ...(await behaviour(options, deps)),
      port:
        numberOption(options.port, 'fake-provider', '--port', { whole: true, least: 0, most: 65_535 }) ?? 0,
      latencyMs: numberOption(options.latency, 'fake-provider', '--latency', { whole: true, least: 0 }) ?? 0,
      seed: deps.seed,
      onCall: (call) => seen.push(call),
    });
    try {
      for (const line of startLines(fake)) deps.log.info(line);
      await untilAborted(deps.signal);
    } finally {
      await fake.close();
    }
    const ends: Record<string, number> = {};
    for (const { end } of seen) if (end !== null) ends[end] = (ends[end] ?? 0) + 1;
    return {
      json: { calls: seen.length, ends, faults: seen.filter(({ fault }) => fault !== null).length },
      text: [
        `${seen.length} calls: ${
          Object.entries(ends)
            .map(([end, n]) => `${n} ${end}`)
            .join(', ') || 'none'
        }`,
      ],
    };
  },
};

/** @throws {GroundmarkError} `port-in-use` */
async function start(options: FakeProviderOptions): Promise<FakeProvider> {
  try {
    return await startFakeProvider(options);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EADDRINUSE' && code !== 'EACCES') throw cause;
    throw new GroundmarkError(
      'port-in-use',
      `fake-provider cannot listen on port ${options.port} (${code}). Name another --port, or leave it out for a free one.`,
      { port: options.port },
      { exit: EXIT.usage, cause },
    );
  }
}

async function behaviour(
  options: Readonly<Record<string, unknown>>,
  { seed, store }: Pick<Deps, 'seed' | 'store'>,
): Promise<Pick<FakeProviderOptions, 'answer' | 'faults'>> {
  const read = async (file: string): Promise<ReturnType<typeof scriptedBehaviour>> =>
    scriptedBehaviour((await store.read(path.resolve(file))).toString('utf8'), file, seed);
  const script = typeof options.script === 'string' ? await read(options.script) : {};
  if (typeof options.faults !== 'string') return script;
  if (!/^[\d.]+$/u.test(options.faults)) return { ...script, faults: (await read(options.faults)).faults };
  const rate = Number(options.faults);
  if (!(rate >= 0 && rate <= 1))
    throw usage(`--faults ${options.faults} is no share from 0 to 1`, 'fake-provider', '--faults');
  return { ...script, faults: seededFaults({ rate, seed }) };
}

/** Lines for the shell in which the run is to be rehearsed. */
function startLines({ url, urls }: FakeProvider): string[] {
  return [
    `The stand-in listens on ${url}. In the shell of the rehearsal:`,
    `export OPENAI_BASE_URL=${urls.openai} OPENAI_API_KEY=stand-in`,
    `export ANTHROPIC_BASE_URL=${urls.anthropic} ANTHROPIC_API_KEY=stand-in`,
    `export GOOGLE_GEMINI_BASE_URL=${urls.gemini} GEMINI_API_KEY=stand-in`,
    `groundmark.yaml, for openai-compatible/local/MODEL: providers: { local: { baseUrl: "${urls.openai}", keyEnv: OPENAI_API_KEY } }`,
    'Ctrl-C ends it.',
  ];
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
