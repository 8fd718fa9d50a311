import {
  checkRequest,
  estimateFor,
  worstCostUsd,
  type ChatModel,
  type ChatRequest,
  type DatedPrice,
} from '../../adapters/llm/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import { buildRequest, type RequestOptions } from './build-request.js';
import { callKey } from './call-key.js';
import type { Call } from './run-calls.js';
import type { Show, ShownItem } from './shown-item.js';

/** A request with the sizes of its images; nothing of it was read. */
export interface SizedRequest {
  readonly itemId: string;
  readonly request: ChatRequest;
  /** Bytes of each image's file, in order. */
  readonly imageBytes: readonly number[];
}

/** The requests of some calls, each image's file looked at once. */
export async function sizedRequests(
  calls: readonly Call[],
  show: Show,
  options: RequestOptions,
  fileSize: (file: string) => Promise<number>,
): Promise<SizedRequest[]> {
  const sizes = new Map<string, Promise<number>>();
  const sizeOf = async ({ source }: ShownItem['images'][number]): Promise<number> => {
    if ('bytes' in source) return source.bytes.length;
    const known = sizes.get(source.file) ?? fileSize(source.file);
    sizes.set(source.file, known);
    return known;
  };
  const sized: SizedRequest[] = [];
  for (const { item, epoch } of calls) {
    const shown = await show.item(item, epoch);
    const imageBytes = await Promise.all(shown.images.map(sizeOf));
    sized.push({ itemId: item.id, request: buildRequest(shown, callKey(shown), options), imageBytes });
  }
  return sized;
}

/** What speaks against a run before its first call: images that a model cannot take, settings that it does not know. */
export function problemsOf(
  model: Pick<ChatModel, 'id' | 'capabilities'>,
  requests: readonly SizedRequest[],
  options: { readonly temperature?: number | undefined; readonly batch: boolean },
): GroundmarkError[] {
  const problems: GroundmarkError[] = [];
  if (options.temperature !== undefined && !model.capabilities.temperature) {
    problems.push(notTaken(model.id, 'temperature', '--temperature'));
  }
  if (options.batch && !model.capabilities.batch) problems.push(notTaken(model.id, 'batches', '--batch'));
  for (const { request, imageBytes } of requests) {
    try {
      checkRequest(model, request, imageBytes);
    } catch (error) {
      if (!(error instanceof GroundmarkError)) throw error;
      problems.push(error);
    }
  }
  return problems;
}

/** Problems for people, one a kind: what holds for 513 items is one line with their number. */
export function problemLines(problems: readonly GroundmarkError[]): string[] {
  const kinds = new Map<string, { readonly message: string; count: number }>();
  for (const { code, message, context } of problems) {
    const kind = JSON.stringify([code, context.option]);
    const first = kinds.get(kind) ?? { message, count: 0 };
    first.count += 1;
    kinds.set(kind, first);
  }
  return [...kinds.values()].map(({ message, count }) =>
    count === 1 ? message : `${message} (${count} requests.)`,
  );
}

function notTaken(model: string, what: string, option: string): GroundmarkError {
  return new GroundmarkError(
    'not-taken',
    `${model} takes no ${what}. Leave ${option} out.`,
    { model, option },
    { exit: EXIT.usage },
  );
}

/** What some calls of one model come to. */
export interface Estimate {
  readonly calls: number;
  readonly images: number;
  /** Bytes of the image files. */
  readonly imageBytes: number;
  readonly inputTokens: number;
  /** Output tokens at most, by the bound of each request. */
  readonly maxOutputTokens: number;
  /** US dollars; null: no price. */
  readonly usd: { readonly input: number; readonly atMost: number } | null;
}

/** @param batch - at the price of batches */
export function estimateOf(
  model: Pick<ChatModel, 'capabilities'>,
  price: DatedPrice | null,
  requests: readonly SizedRequest[],
  batch: boolean,
): Estimate {
  const sum = (of: (request: SizedRequest) => number): number =>
    requests.reduce((total, request) => total + of(request), 0);
  const tokens = new Map(requests.map((sized) => [sized, estimateFor(model, sized.request)]));
  const costs = requests.map((sized) => {
    const { inputTokens, maxOutputTokens } = tokens.get(sized)!;
    return {
      input: worstCostUsd(price, { inputTokens, maxOutputTokens: 0 }, { batch }),
      atMost: worstCostUsd(price, { inputTokens, maxOutputTokens }, { batch }),
    };
  });
  const priced = costs.every(({ atMost }) => atMost !== null);
  return {
    calls: requests.length,
    images: sum(({ imageBytes }) => imageBytes.length),
    imageBytes: sum(({ imageBytes }) => imageBytes.reduce((a, b) => a + b, 0)),
    inputTokens: sum((sized) => tokens.get(sized)!.inputTokens),
    maxOutputTokens: sum((sized) => tokens.get(sized)!.maxOutputTokens),
    usd: priced
      ? {
          input: costs.reduce((total, { input }) => total + input!, 0),
          atMost: costs.reduce((total, { atMost }) => total + atMost!, 0),
        }
      : null,
  };
}
