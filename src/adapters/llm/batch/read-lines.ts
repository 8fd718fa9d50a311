/**
 * The JSON objects of a JSONL body, one after another. A line that is no JSON object is left out: what it was about then
 * has no result, and the caller sees that.
 *
 * @throws what reading the body throws
 */
export async function* jsonLines(
  body: AsyncIterable<Uint8Array> | null | undefined,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  if (!body) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield* jsonObject(line);
  }
  yield* jsonObject(rest + decoder.decode());
}

function* jsonObject(line: string): Generator<Readonly<Record<string, unknown>>> {
  if (line.trim() === '') return;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return;
  }
  if (isObject(value)) yield value;
}

/** Whether a value is an object with keys. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
