import { describe, expect, it } from 'vitest';
import { makeChatModel } from '../../src/adapters/llm/index.js';
import { command } from '../../src/cli/commands/fake-provider.js';
import { aRequest, call } from '../adapters/llm/helpers.js';
import { fakeProvider } from '../fake-provider/helpers.js';
import { testDeps } from '../helpers/deps.js';
import { temporaryFiles } from '../helpers/temporary.js';
import { errorOf, runMain } from './run-main.js';

const file = temporaryFiles();
const COMMON = { workspace: '/nowhere', json: false, seedGiven: false };

/** Starts the command, asks it what `ask` asks with the addresses and keys that it names, and ends it. */
async function withFake<T>(
  options: Readonly<Record<string, unknown>>,
  ask: (environment: Readonly<Record<string, string>>) => Promise<T>,
  seed = 0,
) {
  const ending = new AbortController();
  const deps = testDeps({ signal: ending.signal, seed });
  const ended = command.run([], { latency: '0', ...options }, COMMON, deps);
  ended.catch(() => undefined);
  try {
    while (!deps.lines.includes('Ctrl-C ends it.'))
      await Promise.race([ended, new Promise((go) => setTimeout(go, 5))]);
    const variables = deps.lines.flatMap((line) => [...line.matchAll(/(\w+)=(\S+)/gu)]);
    const answer = await ask(Object.fromEntries(variables.map(([, name, value]) => [name!, value!])));
    ending.abort();
    return { answer, result: await ended, lines: deps.lines };
  } finally {
    ending.abort();
  }
}

async function textFrom(environment: Readonly<Record<string, string>>, id: string): Promise<string> {
  const model = await makeChatModel(id, {
    config: { providers: { local: { baseUrl: environment.OPENAI_BASE_URL!, keyEnv: 'OPENAI_API_KEY' } } },
    environment: (name) => environment[name],
    clock: () => new Date(),
    timeoutMs: 5000,
  });
  return (await model.chat(aRequest(), call)).text;
}

const MODELS = ['openai/m', 'openai-compatible/local/m', 'anthropic/m', 'gemini/m'];

describe('groundmark fake-provider', () => {
  it('has a --help with an example', async () => {
    const { code, stdout } = await runMain('fake-provider', '--help');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nExample:\n {2}\$ npx groundmark fake-provider --port 8123 --faults 0\.1/u);
    for (const option of ['--port', '--latency', '--faults', '--script', '--seed'])
      expect(stdout).toContain(option);
  });

  it.each([
    { options: ['--faults', '1.5'], says: /--faults 1\.5 is no share from 0 to 1/ },
    { options: ['--faults', '0.1.2'], says: /--faults 0\.1\.2 is no share/ },
    { options: ['--port', 'http'], says: /--port http is no whole number from 0/ },
    { options: ['--port', '-1'], says: /--port -1/ },
    { options: ['--port', '65536'], says: /--port 65536 is no whole number from 0 to 65535/ },
    { options: ['--latency', 'long'], says: /--latency long is no whole number/ },
    { options: ['--loud'], says: /unknown option '--loud'/ },
  ])('$options: exit code 2', async ({ options, says }) => {
    const said = await runMain('fake-provider', ...options, '--json');
    expect([said.code, errorOf(said).code]).toEqual([2, 'usage']);
    expect(errorOf(said).message).toMatch(says);
  });

  it('says that a port is taken', async () => {
    const { port } = new URL((await fakeProvider()).url);
    const said = await runMain('fake-provider', '--port', port, '--json');
    expect([said.code, errorOf(said).code]).toEqual([2, 'port-in-use']);
    expect(errorOf(said).message).toContain(`port ${port}`);
  });

  it('names file, line and field of a script that cannot be read', async () => {
    const script = file('bad.jsonl', '{"reply":"{}"}\n{"fault":"earthquake"}\n');
    for (const option of ['--script', '--faults']) {
      const said = await runMain('fake-provider', option, script, '--json');
      expect([said.code, errorOf(said).code]).toEqual([3, 'bad-line']);
      expect(errorOf(said).message).toMatch(/bad\.jsonl, line 2.*fault/u);
    }
    expect((await runMain('fake-provider', '--script', '/nowhere.jsonl')).code).toBe(3);
  });

  it('speaks every protocol at the addresses that it prints, and tells what it saw when it ends', async () => {
    const { answer, result, lines } = await withFake({}, async (environment) => {
      const texts: string[] = [];
      for (const id of MODELS) texts.push(await textFrom(environment, id));
      return texts;
    });
    expect(new Set(answer).size).toBe(1);
    expect(JSON.parse(answer[0]!)).toMatchObject({ answer: expect.stringMatching(/^[A-E]$/u) as string });
    expect(result).toMatchObject({
      json: { calls: 4, ends: { answered: 4 }, faults: 0 },
      text: ['4 calls: 4 answered'],
    });
    expect(lines.join('\n')).toMatch(/^The stand-in listens on http:\/\/127\.0\.0\.1:\d+\./u);
    expect(lines.join('\n')).toContain('providers: { local: { baseUrl: "http://127.0.0.1:');
  });

  it('answers by --script, and fails by --faults', async () => {
    const script = file(
      'script.jsonl',
      '{"match":"QUESTION","reply":"{\\"answer\\":\\"E\\",\\"evidence\\":[\\"img1\\"]}"}\n',
    );
    const { answer } = await withFake({ script }, (environment) => textFrom(environment, 'anthropic/m'));
    expect(JSON.parse(answer)).toEqual({ answer: 'E', evidence: ['img1'] });
    const faults = file('faults.jsonl', '{"fault":"server-error"}\n');
    const { result } = await withFake({ script, faults }, async (environment) => {
      await expect(textFrom(environment, 'openai/m')).rejects.toMatchObject({ kind: 'server' });
    });
    expect(result).toMatchObject({ json: { calls: 1, ends: { failed: 1 }, faults: 1 } });
  });

  it('gives the same answer for the same seed', async () => {
    const answers = new Set<string>();
    for (let seed = 0; seed < 8; seed++) {
      const ask = (environment: Readonly<Record<string, string>>) => textFrom(environment, 'openai/m');
      const [once, twice] = [await withFake({}, ask, seed), await withFake({}, ask, seed)];
      expect(twice.answer).toBe(once.answer);
      answers.add(once.answer);
    }
    expect(answers.size).toBeGreaterThan(1);
  });

  it('says that nothing came when nothing did', async () => {
    const { result } = await withFake({}, async () => undefined);
    expect(result).toEqual({ json: { calls: 0, ends: {}, faults: 0 }, text: ['0 calls: none'] });
  });
});
