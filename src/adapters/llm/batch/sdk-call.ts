import { withDeadline } from '../deadline.js';
import type { ProviderAccess } from '../provider-access.js';
import { fromSdkError } from '../sdk-error.js';

/** Longest time of one call about batches, ms: files of many megabytes go up and come down. */
export const TRANSFER_MS = 15 * 60_000;

/** Does calls of the OpenAI or Anthropic SDK. */
export type SdkCall = <T>(signal: AbortSignal, work: (inner: AbortSignal) => Promise<T>) => Promise<T>;

/** A {@link SdkCall} that gives up after {@link TRANSFER_MS} and throws a ChatError for what the SDK throws. */
export function sdkCall(access: ProviderAccess): SdkCall {
  return (signal, work) =>
    withDeadline(access.id, signal, TRANSFER_MS, async (inner) => {
      try {
        return await work(inner);
      } catch (error) {
        throw fromSdkError(error, access);
      }
    });
}
