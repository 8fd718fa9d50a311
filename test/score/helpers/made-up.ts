import { LETTERS, type Item, type KeyEntry } from '../../../src/domain/item.js';
import { rng } from '../../../src/util/rng.js';

const WORDS = ['left', 'right', 'upper', 'lower', 'lobe', 'mass', 'small', 'basal', 'hilar', 'apex'];
const MODALITIES = ['CT', 'MR', 'PT'];
const AXES = ['location', 'extent', 'pattern', 'relationship'];

/** A made-up benchmark of `count` items, three items a case, every image a series-and-position of its own. */
export function madeUpBenchmark(count: number, seed = 0): { items: Item[]; key: KeyEntry[] } {
  const random = rng(seed, 'made-up');
  const items: Item[] = [];
  const key: KeyEntry[] = [];
  for (let i = 0; i < count; i++) {
    const id = `item-${String(i + 1).padStart(3, '0')}`;
    const shown = 7 + random.int(6);
    const ids = Array.from({ length: shown }, (_, n) => `img${String(n + 1).padStart(2, '0')}`);
    const references = new Set(random.shuffle(ids).slice(0, 1 + random.int(3)));
    items.push({
      schemaVersion: 1,
      id,
      question: `Where does the ${random.pick(WORDS)} finding lie?`,
      choices: LETTERS.map((letter) => ({
        letter,
        text: random
          .shuffle(WORDS)
          .slice(0, 2 + random.int(3))
          .join(' '),
      })),
      images: ids.map((image) => ({
        id: image,
        file: `images/${id}-${image}.png`,
        sha256: '0'.repeat(64),
        width: 512,
        height: 512,
      })),
      split: i % 5 < 3 ? 'dev' : i % 5 === 3 ? 'validation' : 'test',
    });
    key.push({
      schemaVersion: 1,
      id,
      answer: LETTERS[random.int(5)]!,
      images: ids.map((image, n) => ({
        id: image,
        series: references.has(image) ? 's1' : 's2',
        position: n * 10,
        role: references.has(image) ? 'reference' : 'comparison',
      })),
      caseGroup: `case-${Math.floor(i / 3)}`,
      strata: { modality: random.pick(MODALITIES), axis: random.pick(AXES) },
    });
  }
  return { items, key };
}
