import { describe, expect, it } from 'vitest';
import { callKey } from '../../../src/score/run/call-key.js';

const ODD = [
  'item 1',
  'item/1',
  'item.1',
  'item:1',
  'item_1',
  'item-1',
  'item\u00001',
  'ítem-1',
  'i\u0301tem-1',
  '項目-1',
  '🫁-1',
  '',
  'x'.repeat(500),
  `${'x'.repeat(500)}y`,
];

describe('callKey', () => {
  it('has at most 64 letters, digits, - and _, whatever the id', () => {
    for (const itemId of ODD) {
      for (const epoch of [1, 2, 999_999]) expect(callKey({ itemId, epoch })).toMatch(/^[\w-]{1,64}$/u);
    }
  });

  it('is another one for every id and epoch, also where ids differ in odd characters alone', () => {
    const keys = ODD.flatMap((itemId) => [1, 2, 12].map((epoch) => callKey({ itemId, epoch })));
    expect(new Set(keys).size).toBe(ODD.length * 3);
    // Without a hash both would read `a-e1`, `1` and `a`, `1-e1`.
    expect(callKey({ itemId: 'a-e1', epoch: 1 })).not.toBe(callKey({ itemId: 'a', epoch: 11 }));
  });

  it('begins with the id as far as it is readable, and stays the same from run to run', () => {
    // sha256 of ["gm-0014072d2e",1], first 12 digits, by coreutils' sha256sum.
    expect(callKey({ itemId: 'gm-0014072d2e', epoch: 1 })).toBe('gm-0014072d2e-e1-10609f7f404c');
    expect(callKey({ itemId: 'a b/c', epoch: 2 })).toMatch(/^a_b_c-e2-[0-9a-f]{12}$/u);
  });
});
