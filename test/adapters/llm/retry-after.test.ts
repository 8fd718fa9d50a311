import { describe, expect, it } from 'vitest';
import { retryAfterMs, retryInfoMs } from '../../../src/adapters/llm/retry-after.js';

const NOW = new Date('2026-01-02T03:04:05Z');

it.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': ' 1.5 ' }, 1500],
  [{ 'retry-after': 'Fri, 02 Jan 2026 03:04:35 GMT' }, 30_000],
  [{ 'retry-after': 'Fri, 02 Jan 2026 03:00:00 GMT' }, 0],
  [{ 'retry-after-ms': '250' }, 250],
  [{ 'retry-after-ms': '250', 'retry-after': '9' }, 250],
  [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '1e3' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{}, undefined],
])('the headers %o ask to wait %s ms', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers), NOW)).toBe(expected);
});

it('no headers ask for nothing', () => {
  expect(retryAfterMs(undefined, NOW)).toBeUndefined();
  expect(retryAfterMs(null, NOW)).toBeUndefined();
});

describe('RetryInfo', () => {
  const type = 'type.googleapis.com/google.rpc.RetryInfo';
  it.each([
    [[{ '@type': type, retryDelay: '34.074824224s' }], 34_075],
    [
      [
        { '@type': 'other', retryDelay: '1s' },
        { '@type': type, retryDelay: '3s' },
      ],
      3000,
    ],
    [[{ '@type': type, retryDelay: '34' }], undefined],
    [[{ '@type': type }], undefined],
    [[null, 'x', 3], undefined],
    ['x', undefined],
    [undefined, undefined],
  ])('%j asks to wait %s ms', (details, expected) => {
    expect(retryInfoMs(details)).toBe(expected);
  });
});
