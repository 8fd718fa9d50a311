import { describe, expect, it } from 'vitest';
import { codeOr, failedCall, failedTransport, isCode } from '../../../src/adapters/llm/chat-errors.js';

describe('a failed call', () => {
  it.each([
    // No credit left is a 429 too, and no waiting helps.
    [429, ['insufficient_quota'], 'auth', false],
    [429, ['rate_limit_exceeded'], 'rate-limit', true],
    [429, [], 'rate-limit', true],
    [400, ['model_not_found'], 'no-such-model', false],
    [400, ['invalid_request_error'], 'bad-request', false],
    [402, ['billing_error'], 'auth', false],
    [404, ['not_found_error'], 'no-such-model', false],
    [409, [], 'server', true],
    [413, ['request_too_large'], 'bad-request', false],
    [529, ['overloaded_error'], 'server', true],
    [418, [], 'bad-request', false],
    [undefined, ['overloaded_error'], 'server', true],
    [undefined, [], 'server', true],
  ])('with status %s and codes %j is %s (may be tried again: %s)', (status, codes, kind, retryable) => {
    const error = failedCall({ model: 'p/m', status, codes });
    expect([error.kind, error.retryable]).toEqual([kind, retryable]);
  });

  it('says model, status, code and what to do, and nothing else', () => {
    expect(
      failedCall({ model: 'p/m', status: 429, codes: ['rate_limit_exceeded', 'sk-SECRET', 'a b'] }).message,
    ).toBe(
      'p/m: rate-limit: HTTP 429, rate_limit_exceeded. ' +
        'Lower requestsPerMinute or concurrency of the provider in groundmark.yaml.',
    );
  });
});

describe('a failed connection', () => {
  const chain = (...codes: string[]): Error =>
    codes.reduceRight<Error | undefined>(
      (cause, code) => Object.assign(new TypeError('x'), { code, cause }),
      undefined,
    )!;
  it.each([
    [chain('ECONNREFUSED'), 'connection', true],
    [chain('E', 'ENOTFOUND'), 'connection', true],
    [chain('ECONNRESET'), 'connection', undefined],
    [chain('E', 'UND_ERR_SOCKET'), 'connection', undefined],
    [chain('UND_ERR_CONNECT_TIMEOUT'), 'timeout', true],
    [chain('ETIMEDOUT'), 'timeout', undefined],
    [new SyntaxError('Unexpected token'), 'bad-reply', undefined],
    [new TypeError("Cannot use 'in' operator"), 'bad-reply', undefined],
    [new TypeError('terminated'), 'connection', undefined],
    [new Error('x'), 'connection', undefined],
    ['a text', 'connection', undefined],
    [undefined, 'connection', undefined],
  ])('by %s is %s; never left: %s', (thrown, kind, unsent) => {
    expect(failedTransport(thrown, 'm')).toMatchObject({ kind, retryable: true });
    expect(failedTransport(thrown, 'm').detail.unsent).toBe(unsent);
  });
});

it.each([
  ['max_output_tokens', true],
  ['RESOURCE_EXHAUSTED', true],
  ['sk-1234', false],
  ['the patient has', false],
  ['/home/x', false],
  ['', false],
  ['a'.repeat(65), false],
  [429, false],
  [undefined, false],
])('%s is a code: %s', (value, expected) => {
  expect(isCode(value)).toBe(expected);
  expect(codeOr(value, 'other')).toBe(expected ? value : 'other');
});
