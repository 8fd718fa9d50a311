/** A request that the provider would not take; each protocol says so in its own form. */
export class Rejected extends Error {
  override readonly name = 'Rejected';
  constructor(
    message: string,
    /** Path of the field, such as `input[0].content[1].image_url`; null: none in particular. */
    readonly param: string | null = null,
    readonly code = 'invalid_value',
    readonly status = 400,
  ) {
    super(message);
  }
}

/** `input[0].content[1]` from its parts. */
export function fieldPath(parts: readonly PropertyKey[]): string {
  return parts
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`))
    .join('');
}
