/** Name under which providers see the answer's schema. */
export const ANSWER_SCHEMA_NAME = 'mcq_answer';

/**
 * The JSON schema of a reply, in the part of JSON Schema that every provider takes: an object with all keys required,
 * no additional ones, and no length, uniqueness or per-item constraint (each of those is a 400 somewhere). How many
 * evidence ids there are and which is checked when the reply is read.
 *
 * @param letters - of the choices, in the order shown
 */
export function answerSchema(letters: readonly string[]): {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
} {
  return {
    name: ANSWER_SCHEMA_NAME,
    schema: {
      type: 'object',
      properties: {
        answer: { type: 'string', enum: [...letters] },
        evidence: { type: 'array', items: { type: 'string' } },
      },
      required: ['answer', 'evidence'],
      additionalProperties: false,
    },
  };
}
