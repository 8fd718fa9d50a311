import type { Item } from '../../domain/item.js';
import type { Response } from '../../domain/response.js';
import { FIRST_EPOCH } from '../match-responses.js';
import { callKey } from './call-key.js';
import type { Call } from './run-calls.js';

/** Every call that has no reply, in the order of the items, an epoch after the other. */
export function openCalls(
  items: readonly Item[],
  epochs: number,
  kept: readonly Pick<Response, 'itemId' | 'epoch'>[],
): Call[] {
  const done = new Set(kept.map(({ itemId, epoch = FIRST_EPOCH }) => callKey({ itemId, epoch })));
  const calls: Call[] = [];
  for (let epoch = FIRST_EPOCH; epoch <= epochs; epoch++) {
    for (const item of items) if (!done.has(callKey({ itemId: item.id, epoch }))) calls.push({ item, epoch });
  }
  return calls;
}
