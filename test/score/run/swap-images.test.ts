import { describe, expect, it } from 'vitest';
import { planSwaps } from '../../../src/score/run/swap-images.js';
import { aKeyOf, anItem, hash, showOf, thrownBy } from './an-item.js';

/** Six cases of two items, CT and MR in turn. */
const ITEMS = Array.from({ length: 12 }, (_, i) => anItem(`item-${i}`, {}, 7 + (i % 2)));
const KEY = ITEMS.map(({ id }, i) => {
  const place = Math.floor(i / 2);
  return aKeyOf(id, `case-${place}`, place % 2 === 0 ? 'CT' : 'MR');
});
const entryOf = new Map(KEY.map((entry) => [entry.id, entry]));

function partners(items: typeof ITEMS, seed = 0): Record<string, string> {
  return Object.fromEntries([...planSwaps(items, KEY, seed)].map(([id, { id: other }]) => [id, other]));
}

describe('planSwaps', () => {
  it('gives every item one of another case and the same modality, with as many images or more', () => {
    const plan = planSwaps(ITEMS, KEY, 0);
    expect([...plan.keys()]).toEqual(ITEMS.map(({ id }) => id));
    for (const item of ITEMS) {
      const other = plan.get(item.id)!;
      const [own, its] = [entryOf.get(item.id)!, entryOf.get(other.id)!];
      expect(its.caseGroup).not.toBe(own.caseGroup);
      expect(its.strata.modality).toBe(own.strata.modality);
      expect(other.images.length).toBeGreaterThanOrEqual(item.images.length);
    }
  });

  it('takes one with as many images before one with more', () => {
    const more = ['nine', 'nine-too'].map((id) => anItem(id, {}, 9));
    const items = [anItem('a'), ...more, anItem('seven'), anItem('eight', {}, 8)];
    for (let seed = 0; seed < 20; seed++) expect(planSwaps(items, null, seed).get('a')!.id).toBe('seven');
  });

  it('shows as many images as the item has, the first of a partner that has more', async () => {
    const items = [anItem('a'), anItem('nine', {}, 9), anItem('nine-too', {}, 9)];
    const { images } = await showOf(items, 'swapped').item(items[0]!, 1);
    expect(images.map(({ id }) => id).join(' ')).toBe('img01 img02 img03 img04 img05 img06 img07');
    const donor = planSwaps(items, null, 0).get('a')!.id;
    expect(images.map(({ sha256 }) => sha256)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((n) => hash(`${donor}-${n}`)),
    );
  });

  it('takes more of the partner’s case where no item has as many images, after its own and each once', async () => {
    const needy = anItem('needy', {}, 9);
    const first = anItem('first');
    const second = anItem('second', { images: [first.images[6]!, ...anItem('second').images.slice(0, 6)] });
    const other = anItem('other', {}, 8);
    const items = [needy, first, second, other];
    const key = [
      aKeyOf('needy', 'case-1', 'PT'),
      aKeyOf('first', 'case-2', 'PT'),
      aKeyOf('second', 'case-2', 'PT'),
      aKeyOf('other', 'case-3', 'CT'),
    ];
    const plan = planSwaps(items.slice(0, 3), key, 0);
    expect(plan.get('first')!.images).toHaveLength(9);
    const donor = plan.get('needy')!;
    // 7 of the donor, and 6 of the other item of its case that are not among them.
    const own = donor.id === 'first' ? first : second;
    expect(donor.images.slice(0, 7)).toEqual(own.images);
    expect(new Set(donor.images.map(({ sha256 }) => sha256)).size).toBe(13);
    expect(thrownBy(() => planSwaps(items, null, 0))).toMatchObject({ context: { items: ['needy'] } });
    expect(thrownBy(() => planSwaps(items, key, 0))).toMatchObject({ context: { items: ['other'] } });
  });

  it('without a key, items that share an image count as of one case', () => {
    const [a, c] = [anItem('a'), anItem('c')];
    const b = anItem('b', { images: [...anItem('b').images.slice(0, 6), a.images[6]!] });
    const plan = planSwaps([a, b, c], null, 0);
    expect([plan.get('a')!.id, plan.get('b')!.id]).toEqual(['c', 'c']);
  });

  it('never takes an item of another case that shows one of its own images', () => {
    const a = anItem('item-0');
    const b = anItem('item-4', { images: [...anItem('item-4').images.slice(0, 6), a.images[6]!] });
    expect(planSwaps([a, b, anItem('item-8')], KEY, 0).get('item-0')!.id).toBe('item-8');
  });

  it('names the items that have no partner, and how many', () => {
    const lone = [anItem('item-0'), anItem('item-1'), anItem('item-2')];
    expect(thrownBy(() => planSwaps(lone, KEY, 0))).toMatchObject({
      code: 'no-swap-partner',
      exit: 3,
      context: { items: ['item-0', 'item-1', 'item-2'], count: 3 },
      message: expect.stringMatching(
        /3 of 3 items have no partner, such as item-0, item-1, item-2:/u,
      ) as string,
    });
    const largest = [anItem('a'), anItem('b', {}, 8)];
    expect(thrownBy(() => planSwaps(largest, null, 0))).toMatchObject({
      context: { items: ['b'], count: 1 },
    });
  });

  it('is the same for the same seed, whatever the order of the items, and another for another seed', () => {
    expect(partners([...ITEMS].reverse())).toEqual(partners(ITEMS));
    expect(partners(ITEMS, 1)).not.toEqual(partners(ITEMS));
  });

  it('a new item moves only those whose partner it becomes', () => {
    const before = partners(ITEMS.slice(0, 11));
    const after = partners(ITEMS);
    for (const [id, partner] of Object.entries(before)) expect([partner, 'item-11']).toContain(after[id]);
    expect(Object.keys(before).some((id) => after[id] === before[id])).toBe(true);
  });
});
