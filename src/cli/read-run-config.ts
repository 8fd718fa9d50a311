import type { Deps } from '../adapters/deps.js';
import type { Config } from '../domain/config.js';
import { readPartialConfig } from './read-config.js';

/** Providers, prices and budget of a workspace's groundmark.yaml, which may hold nothing else; without one there are none, and the budget is 0. */
export async function readRunConfig(
  file: string,
  { store }: Pick<Deps, 'store'>,
): Promise<Pick<Config, 'providers' | 'prices' | 'budget'>> {
  const text = (await store.exists(file)) ? (await store.read(file)).toString('utf8') : '';
  const { providers = {}, prices = {}, budget = { usd: 0 } } = readPartialConfig(text, file);
  return { providers, prices, budget };
}
