import { sha256 } from '../../util/hash.js';
import { ChatError, type ChatRequest, type SentImage } from './chat-model.js';
import { imageSize } from './image-size.js';

/** A part as an adapter reads it back from the provider's request. */
export type ReadBackPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly mediaType: string; readonly base64: string };

/** The bytes of every image of a request, as base64, in order; null where a text stands. */
export async function encodeParts(request: ChatRequest): Promise<readonly (string | null)[]> {
  const encoded: (string | null)[] = [];
  // One after another: a request's images need not all be read from disk at once.
  for (const part of request.parts) {
    encoded.push(part.type === 'text' ? null : toBase64(await part.bytes()));
  }
  return encoded;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/**
 * What the built request really holds, after checking that it is the request that was asked for: as many parts, in the
 * same order, every text equal, every image with its sha256 and its pixel size.
 *
 * @param built - the parts, read back from the provider's request
 * @param bytesOf - the bytes that stand for what an image part holds; null: none do. As a rule it is their base64
 * @throws {ChatError} `bad-request` naming the part: a reply to other images must never be scored
 */
export function checkSentParts(
  request: ChatRequest,
  built: readonly ReadBackPart[],
  bytesOf: (base64: string) => Uint8Array | null = (base64) => Buffer.from(base64, 'base64'),
): SentImage[] {
  if (built.length !== request.parts.length) {
    throw mismatch(request, `${built.length} parts were built from ${request.parts.length}`);
  }
  const sent: SentImage[] = [];
  request.parts.forEach((part, i) => {
    const copy = built[i]!;
    if (part.type === 'text') {
      if (copy.type !== 'text' || copy.text !== part.text)
        throw mismatch(request, `part ${i} is another text`);
      return;
    }
    if (copy.type !== 'image') throw mismatch(request, `part ${i} is not an image`);
    const bytes = bytesOf(copy.base64);
    if (bytes === null) throw mismatch(request, `image ${sent.length} is not the one that was read`);
    const size = imageSize(bytes);
    const image: SentImage = {
      sha256: sha256(bytes),
      width: size?.width ?? 0,
      height: size?.height ?? 0,
      bytes: bytes.length,
    };
    if (image.sha256 !== part.sha256) throw mismatch(request, `image ${sent.length} has another sha256`);
    if (size === null) throw mismatch(request, `image ${sent.length} is neither PNG nor JPEG`);
    if (copy.mediaType !== part.mediaType) throw mismatch(request, `image ${sent.length} has another type`);
    if (size.width !== part.width || size.height !== part.height) {
      throw mismatch(request, `image ${sent.length} is ${size.width} × ${size.height} pixels`);
    }
    sent.push(image);
  });
  return sent;
}

function mismatch({ key }: ChatRequest, what: string): ChatError {
  return new ChatError(
    'bad-request',
    `Request ${key} was not sent: ${what}, unlike what was asked for. Check the image files of the release.`,
    { unsent: true },
  );
}
