import type { Deps } from '../adapters/deps.js';
import type { Config } from '../domain/config.js';
import { readConfig } from './read-config.js';

/** Providers, prices and budget of a workspace's groundmark.yaml; without one there are none, and the budget is 0. */
export async function readRunConfig(
  file: string,
  { store }: Pick<Deps, 'store'>,
): Promise<Pick<Config, 'providers' | 'prices' | 'budget'>> {
  if (!(await store.exists(file))) return { providers: {}, prices: {}, budget: { usd: 0 } };
  const { providers, prices, budget } = readConfig((await store.read(file)).toString('utf8'), file);
  return { providers, prices, budget };
}
