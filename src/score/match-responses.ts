import { GroundmarkError } from '../domain/error.js';
import type { KeyEntry } from '../domain/item.js';
import type { Response } from '../domain/response.js';
import type { IgnoredResponse } from '../domain/score.js';

/** A response and where it was read. */
export interface PlacedResponse {
  readonly response: Response;
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** The responses of one model, by item and epoch. */
export interface ModelResponses {
  readonly model: string;
  /** Ascending; a response without an epoch is epoch 1. */
  readonly epochs: readonly number[];
  get(itemId: string, epoch: number): Response | undefined;
}

export interface MatchedResponses {
  /** In order of first appearance. */
  readonly models: readonly ModelResponses[];
  readonly ignored: readonly IgnoredResponse[];
}

/** The epoch of a response that names none. */
export const FIRST_EPOCH = 1;

/**
 * Responses sorted by model, item and epoch; those to items that the key lacks are listed as ignored.
 *
 * @throws {GroundmarkError} `duplicate-response` when one model answers an item twice in one epoch: which one counts
 *   must not depend on the order of files
 */
export function matchResponses(
  key: readonly KeyEntry[],
  responses: readonly PlacedResponse[],
): MatchedResponses {
  const known = new Set(key.map((entry) => entry.id));
  const ignored: IgnoredResponse[] = [];
  const byModel = new Map<string, Map<string, PlacedResponse>>();
  const epochsByModel = new Map<string, Set<number>>();
  for (const placed of responses) {
    const { itemId, epoch = FIRST_EPOCH } = placed.response;
    const model = rowName(placed.response);
    const replies = byModel.get(model) ?? new Map<string, PlacedResponse>();
    const epochs = epochsByModel.get(model) ?? new Set<number>();
    byModel.set(model, replies);
    epochsByModel.set(model, epochs);
    const place = placeOf(itemId, epoch);
    const earlier = replies.get(place);
    if (earlier !== undefined) throw duplicateResponse(earlier, placed);
    replies.set(place, placed);
    if (known.has(itemId)) epochs.add(epoch);
    else ignored.push({ itemId, model, reason: 'unknown-item' });
  }
  const models = [...byModel].map(([model, replies]) => ({
    model,
    epochs: sortedEpochs(epochsByModel.get(model)!),
    get: (itemId: string, epoch: number) => replies.get(placeOf(itemId, epoch))?.response,
  }));
  return { models, ignored };
}

/** A model under a condition is a row of its own: `openai/gpt-… (blank)`. */
function rowName({ model, condition = 'real' }: Response): string {
  return condition === 'real' ? model : `${model} (${condition})`;
}

function placeOf(itemId: string, epoch: number): string {
  return `${epoch}\u0000${itemId}`;
}

function sortedEpochs(epochs: ReadonlySet<number>): number[] {
  return epochs.size === 0 ? [FIRST_EPOCH] : [...epochs].sort((a, b) => a - b);
}

function duplicateResponse(first: PlacedResponse, second: PlacedResponse): GroundmarkError {
  const { itemId, model, epoch } = second.response;
  return new GroundmarkError(
    'duplicate-response',
    `${second.file}, line ${second.line}: model ${model} answers item ${itemId} again` +
      `${epoch === undefined ? '' : ` in epoch ${epoch}`}; its first answer is in ${first.file}, line ${first.line}. ` +
      `Keep one, or give repeated runs different epochs.`,
    { file: second.file, line: second.line, firstFile: first.file, firstLine: first.line, itemId, model },
  );
}
