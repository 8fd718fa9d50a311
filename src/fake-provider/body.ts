import type { IncomingMessage } from 'node:http';
import { Rejected } from './rejected.js';

/** Buffers of bodies that were read, to be used again: fresh pages cost more than all the rest of a large request. */
const free: Buffer[] = [];
const KEPT_BUFFERS = 64;

/**
 * A request's body, whole. Given back by `release`, after which it may change.
 *
 * @throws {Rejected} 413 when it is longer than `limit` bytes
 */
export async function pooledBody(
  request: IncomingMessage,
  limit: number,
): Promise<{ readonly bytes: Buffer; readonly release: () => void }> {
  const expected = Math.min(limit, Number(request.headers['content-length'] ?? 0) || 0);
  let buffer = take(Math.max(65_536, expected));
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    if (length + chunk.length > buffer.length && length + chunk.length <= limit) {
      const larger = take(2 * (length + chunk.length));
      buffer.copy(larger, 0, 0, length);
      give(buffer);
      buffer = larger;
    }
    if (length + chunk.length <= buffer.length) chunk.copy(buffer, length);
    length += chunk.length;
  }
  if (length > limit) {
    give(buffer);
    throw new Rejected(`The request has ${length} bytes, at most ${limit}.`, null, 'request_too_large', 413);
  }
  return { bytes: buffer.subarray(0, length), release: () => give(buffer) };
}

function take(size: number): Buffer {
  const place = free.findIndex((buffer) => buffer.length >= size);
  return place < 0 ? Buffer.allocUnsafe(Math.ceil(size / 262_144) * 262_144) : free.splice(place, 1)[0]!;
}

function give(buffer: Buffer): void {
  if (free.length < KEPT_BUFFERS) free.push(buffer);
}
