import path from 'node:path';
import { GroundmarkError } from '../../domain/error.js';
import { LETTERS, type Item, type KeyEntry, type Letter } from '../../domain/item.js';
import type { Condition } from '../../domain/response.js';
import { BlankImages } from './blank-images.js';
import { shuffledOrder } from './choice-order.js';
import { shownUnder } from './conditions.js';
import { planSwaps, type SwapPlan } from './swap-images.js';

/** An image as it is shown: under the item's id, with the content that the condition gives it. */
export interface ShownImage {
  readonly id: string;
  readonly sha256: string;
  readonly width: number;
  readonly height: number;
  readonly mediaType: 'image/png' | 'image/jpeg';
  /** A file to be read when the request is built, or bytes that are there. */
  readonly source: { readonly file: string } | { readonly bytes: Uint8Array };
}

/** One item as a model sees it in one epoch. */
export interface ShownItem {
  readonly itemId: string;
  readonly epoch: number;
  /** null: not shown. */
  readonly question: string | null;
  readonly choices: readonly { readonly letter: Letter; readonly text: string }[];
  readonly images: readonly ShownImage[];
  /** The item's own letters in the order shown; null: in its own order. */
  readonly order: readonly Letter[] | null;
  /** The item whose images are shown, when it is another one; where it has too few, more of its case follow. */
  readonly imagesOf: string | null;
}

export interface ShowOptions {
  readonly condition: Condition;
  readonly shuffleChoices: boolean;
  readonly seed: number;
  /** The folder that image files are relative to; absolute. */
  readonly folder: string;
}

/** Makes what models see of the items of a run. */
export class Show {
  readonly #blanks = new BlankImages();
  readonly #swaps: SwapPlan;

  /** @throws {GroundmarkError} `no-swap-partner`, `bad-image-path` */
  constructor(
    items: readonly Item[],
    key: readonly KeyEntry[] | null,
    private readonly options: ShowOptions,
  ) {
    const { condition, seed, folder } = options;
    this.#swaps =
      shownUnder(condition).images === 'swapped' ? planSwaps(items, key, seed) : new Map<string, Item>();
    for (const item of items) item.images.forEach(({ file }) => checkInside(folder, file, item.id));
  }

  async item(item: Item, epoch: number): Promise<ShownItem> {
    const { condition, shuffleChoices, seed } = this.options;
    const order = shuffleChoices ? shuffledOrder(item, epoch, seed) : null;
    const textOf = new Map(item.choices.map(({ letter, text }) => [letter, text]));
    const imagesOf = this.#swaps.get(item.id)?.id ?? null;
    return {
      itemId: item.id,
      epoch,
      question: shownUnder(condition).question ? item.question : null,
      choices:
        order?.map((own, place) => ({ letter: LETTERS[place]!, text: textOf.get(own)! })) ??
        item.choices.map(({ letter, text }) => ({ letter, text })),
      images: await this.#images(item),
      order,
      imagesOf,
    };
  }

  async #images(item: Item): Promise<ShownImage[]> {
    const kind = shownUnder(this.options.condition).images;
    if (kind === 'none') return [];
    if (kind === 'blank') {
      return Promise.all(
        item.images.map(async ({ id, width, height }) => {
          const { bytes, sha256 } = await this.#blanks.get(width, height);
          return { id, sha256, width, height, mediaType: 'image/png' as const, source: { bytes } };
        }),
      );
    }
    const donors = this.#swaps.get(item.id)?.images ?? item.images;
    return item.images.map(({ id }, i) => {
      const { file, sha256, width, height } = donors[i]!;
      const source = { file: path.join(this.options.folder, file) };
      return { id, sha256, width, height, mediaType: mediaTypeOf(file), source };
    });
  }
}

function mediaTypeOf(file: string): ShownImage['mediaType'] {
  return /\.jpe?g$/iu.test(file) ? 'image/jpeg' : 'image/png';
}

/** A bundle from elsewhere must not make us send files that are none of its. */
function checkInside(folder: string, file: string, itemId: string): void {
  const relative = path.relative(folder, path.resolve(folder, file));
  if (!path.isAbsolute(file) && relative !== '' && relative.split(path.sep)[0] !== '..') return;
  throw new GroundmarkError(
    'bad-image-path',
    `Item ${itemId} names the image ${file}, which does not lie in the folder of items.jsonl. Use an unchanged bundle.`,
    { itemId, file },
  );
}
