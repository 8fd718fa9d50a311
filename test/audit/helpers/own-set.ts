import type { OwnItem } from '../../../src/audit/audit-item.js';
import type { ImageStatistics } from '../../../src/audit/evidence/image-statistics-job.js';
import type { Item, KeyEntry } from '../../../src/domain/item.js';
import { rng, type Rng } from '../../../src/util/rng.js';

/** Nine images an item, two of them references. */
const IMAGES = 9;
const REFERENCES = 2;

export interface DraftImage {
  id: string;
  order: number;
  series: string;
  position: number;
  brightness: number;
  entropy: number;
  pixels: number;
  bytes: number;
}

export interface OwnSet {
  readonly items: OwnItem[];
  readonly statistics: ImageStatistics[][];
}

/**
 * Items whose images have random properties.
 *
 * @param choose - the two references of an item; may also move images to plant a shortcut. Default: at random.
 */
export function anOwnSet(
  count: number,
  choose: (images: DraftImage[], random: Rng) => DraftImage[] = (images, random) =>
    random.shuffle(images).slice(0, REFERENCES),
): OwnSet {
  const random = rng('own-set', count);
  const items: OwnItem[] = [];
  const statistics: ImageStatistics[][] = [];
  for (let i = 0; i < count; i++) {
    const caseGroup = `group-${Math.floor(i / 2)}`;
    const images = drawImages(random, caseGroup);
    const references = new Set(choose(images, random));
    const id = `gm-${i}`;
    items.push({
      item: itemOf(id, images),
      key: keyOf(id, caseGroup, images, references),
      folder: '/nowhere',
    });
    statistics.push(
      images.map(({ brightness, entropy, pixels, bytes }) => ({
        ok: true,
        brightness,
        entropy,
        pixels,
        bytes,
      })),
    );
  }
  return { items, statistics };
}

function drawImages(random: Rng, caseGroup: string): DraftImage[] {
  const ids = random.shuffle(Array.from({ length: IMAGES }, (_, j) => `img0${j + 1}`));
  return ids.map((id, order) => ({
    id,
    order,
    series: `${caseGroup}-${random.int(2)}`,
    position: random.int(200),
    brightness: 80 + 10 * random.normal(),
    entropy: 6 + 0.5 * random.normal(),
    pixels: 512 * (400 + random.int(200)),
    bytes: 100_000 + random.int(50_000),
  }));
}

function itemOf(id: string, images: readonly DraftImage[]): Item {
  return {
    schemaVersion: 1,
    id,
    question: 'Which statement describes what the images show?',
    choices: (['A', 'B', 'C', 'D', 'E'] as const).map((letter) => ({ letter, text: `choice ${letter}` })),
    images: images.map((image) => ({
      id: image.id,
      file: `${image.id}.png`,
      sha256: '0'.repeat(64),
      width: 512,
      height: 512,
    })),
    split: 'dev',
  };
}

function keyOf(
  id: string,
  caseGroup: string,
  images: readonly DraftImage[],
  references: ReadonlySet<DraftImage>,
): KeyEntry {
  return {
    schemaVersion: 1,
    id,
    answer: 'A',
    images: images.map((image) => ({
      id: image.id,
      series: image.series,
      position: image.position,
      role: references.has(image) ? 'reference' : 'comparison',
    })),
    caseGroup,
    strata: {},
  };
}
