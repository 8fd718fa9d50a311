import type { ChatPart, ChatReply, ChatRequest } from '../../../src/adapters/llm/index.js';
import { LETTERS, type Item, type KeyEntry, type Letter } from '../../../src/domain/item.js';
import type { Condition } from '../../../src/domain/response.js';
import { Show, type ShownItem } from '../../../src/score/run/shown-item.js';

const TEXTS = ['apex', 'base', 'hilum', 'lingula', 'pleura'];

/** An id of the right form for a made-up image: 64 hexadecimal digits. */
export function hash(name: string): string {
  return Buffer.from(name).toString('hex').padEnd(64, '0');
}

/** An item of seven images of 20 × 10 pixels, `images/<id>-1.png` …; choice A is "apex", E is "pleura". */
export function anItem(id: string, overrides: Partial<Item> = {}, images = 7): Item {
  return {
    schemaVersion: 1,
    id,
    question: `Where is ${id}?`,
    choices: LETTERS.map((letter, i) => ({ letter, text: TEXTS[i]! })),
    images: Array.from({ length: images }, (_, i) => ({
      id: `img0${i + 1}`,
      file: `images/${id}-${i + 1}.png`,
      sha256: hash(`${id}-${i + 1}`),
      width: 20,
      height: 10,
    })),
    split: 'test',
    ...overrides,
  };
}

export function aKeyOf(id: string, caseGroup: string, modality: string): KeyEntry {
  const images = [{ id: 'img01', series: 's', position: 0, role: 'reference' as const }];
  return { schemaVersion: 1, id, answer: 'A', images, caseGroup, strata: { modality } };
}

/** A folder that need not be there: nothing is read before a request is sent. */
export const FOLDER = '/bundle';

export function showOf(items: readonly Item[], condition: Condition, shuffleChoices = false, seed = 0): Show {
  return new Show(items, null, { condition, shuffleChoices, seed, folder: FOLDER });
}

/** An item as it is shown, put together by hand: two images, the choices in the item's own order. */
export function aShown(overrides: Partial<ShownItem> = {}): ShownItem {
  return {
    itemId: 'item-1',
    epoch: 1,
    question: 'Where is it?',
    choices: LETTERS.map((letter, i) => ({ letter, text: TEXTS[i]! })),
    images: ['img01', 'img02'].map((id) => ({
      id,
      sha256: hash(id),
      width: 20,
      height: 10,
      mediaType: 'image/png',
      source: { bytes: Buffer.from(`bytes of ${id}`) },
    })),
    order: null,
    imagesOf: null,
    ...overrides,
  };
}

export function lettersOf(text: string): Letter[] {
  return [...text] as Letter[];
}

/** A request's parts, short: texts as they are, images by their sha256. */
export function partsOf({ parts }: Pick<ChatRequest, 'parts'>): string[] {
  return parts.map((part: ChatPart) => (part.type === 'text' ? part.text : `<${part.sha256}>`));
}

export function aReply(text: string, overrides: Partial<ChatReply> = {}): ChatReply {
  return {
    stop: 'complete',
    text,
    usage: null,
    servedModel: null,
    providerRequestId: null,
    stopDetail: null,
    ...overrides,
  };
}

/** Runs what should throw, and gives what it threw. */
export function thrownBy(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error('expected an error');
}
