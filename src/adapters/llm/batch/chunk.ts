/**
 * Divides a stream of sized things into groups within two limits, keeping their order.
 *
 * @yields groups that are never empty; one thing above the byte limit makes a group of its own
 */
export async function* inChunks<T extends { readonly bytes: number }>(
  things: AsyncIterable<T>,
  limits: { readonly requests: number; readonly bytes: number },
): AsyncGenerator<T[]> {
  let group: T[] = [];
  let bytes = 0;
  for await (const thing of things) {
    if (group.length > 0 && (group.length >= limits.requests || bytes + thing.bytes > limits.bytes)) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(thing);
    bytes += thing.bytes;
  }
  if (group.length > 0) yield group;
}
