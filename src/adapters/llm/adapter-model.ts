import type { ChatModel, ChatReply, ChatRequest } from './chat-model.js';
import { withDeadline } from './deadline.js';
import { fingerprintOf } from './fingerprint.js';
import type { ProviderAccess } from './provider-access.js';
import { checkSentParts, type ReadBackPart } from './sent-images.js';
import type { WireImages } from './wire-images.js';

/** What an adapter does of its own. */
export interface Adapter<Body> {
  /** Package name and major version. */
  readonly sdk: string;
  readonly version: string;
  /** The provider's request; `encoded` holds what stands for each image, null where a text stands. */
  readonly build: (request: ChatRequest, encoded: readonly (string | null)[]) => Body;
  readonly readBack: (body: Body) => readonly ReadBackPart[];
  /** @throws {ChatError} and nothing else */
  readonly send: (body: Body, signal: AbortSignal) => Promise<ChatReply>;
}

/** A model from its adapter: images read, request built and read back, sent within its time, images let go. */
export function adapterModel<Body>(
  access: ProviderAccess,
  wire: WireImages,
  adapter: Adapter<Body>,
): ChatModel {
  return {
    id: access.id,
    provider: access.provider,
    capabilities: access.capabilities,
    sdk: adapter.sdk,
    fingerprint: fingerprintOf(adapter.version, access.baseUrl),
    async chat(request, { signal }) {
      const images = await wire.hold(request);
      try {
        const body = adapter.build(request, images.encoded);
        const sent = checkSentParts(request, adapter.readBack(body), images.bytesOf);
        const reply = await withDeadline(access.id, signal, access.timeoutMs, (inner) =>
          adapter.send(body, inner),
        );
        return { ...reply, sent };
      } finally {
        images.release();
      }
    },
  };
}
