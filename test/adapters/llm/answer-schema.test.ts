import { expect, it } from 'vitest';
import { answerSchema } from '../../../src/adapters/llm/answer-schema.js';

it('pain 8: has no keyword that a provider refuses', () => {
  const text = JSON.stringify(answerSchema(['A', 'B', 'C', 'D', 'E']));
  expect(text).not.toMatch(
    /uniqueItems|oneOf|allOf|"if"|patternProperties|contains|prefixItems|Items"|Length|minimum|maximum|pattern|format/u,
  );
});

it('asks for both fields and no other, and offers the letters in their order', () => {
  expect(answerSchema(['A', 'B', 'C']).schema).toEqual({
    type: 'object',
    properties: {
      answer: { type: 'string', enum: ['A', 'B', 'C'] },
      evidence: { type: 'array', items: { type: 'string' } },
    },
    required: ['answer', 'evidence'],
    additionalProperties: false,
  });
});
