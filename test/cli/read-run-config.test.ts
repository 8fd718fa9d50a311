import { describe, expect, it } from 'vitest';
import { readRunConfig } from '../../src/cli/read-run-config.js';
import { testDeps } from '../helpers/deps.js';
import { temporaryFiles } from '../helpers/temporary.js';

const file = temporaryFiles();
const read = (text: string) => readRunConfig(file('groundmark.yaml', text), testDeps());

describe('readRunConfig', () => {
  it('takes a file that names nothing but a server', async () => {
    const lab = { baseUrl: 'http://127.0.0.1:8000/v1' };
    expect(await read('providers:\n  lab: { baseUrl: "http://127.0.0.1:8000/v1" }\n')).toEqual({
      providers: { lab },
      prices: {},
      budget: { usd: 0 },
    });
  });

  it('takes none, and an empty one', async () => {
    const nothing = { providers: {}, prices: {}, budget: { usd: 0 } };
    expect(await readRunConfig('/nowhere/groundmark.yaml', testDeps())).toEqual(nothing);
    expect(await read('')).toEqual(nothing);
  });

  it('refuses an unknown key and names the nearest', async () => {
    await expect(read('provider: {}\n')).rejects.toMatchObject({
      code: 'bad-config',
      message: expect.stringContaining('Did you mean providers?') as string,
    });
    await expect(read('budget: { usd: much }\n')).rejects.toMatchObject({ code: 'bad-config' });
  });
});
