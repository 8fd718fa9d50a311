import { describe, expect, it } from 'vitest';
import { conditions, type Condition } from '../../../src/domain/response.js';
import { buildRequest } from '../../../src/score/run/build-request.js';
import { shownUnder } from '../../../src/score/run/conditions.js';
import { anItem, FOLDER, hash, partsOf, showOf } from './an-item.js';

const PROMPT = 'PROMPT';
const IDS = ['img01', 'img02', 'img03', 'img04', 'img05', 'img06', 'img07'];
const CHOICES = 'A. apex\nB. base\nC. hilum\nD. lingula\nE. pleura';
const QUESTION = `Where is one?\n\n${CHOICES}`;

/** sha256 of the grey PNG of 20 × 10 pixels; blank-images.test.ts looks at its pixels. */
const GREY = /^<[0-9a-f]{64}>$/u;

async function requestOf(condition: Condition) {
  const items = [anItem('one'), anItem('two')];
  const shown = await showOf(items, condition).item(items[0]!, 1);
  const readFile = async (file: string): Promise<Uint8Array> => Buffer.from(file);
  return buildRequest(shown, 'key', { prompt: PROMPT, readFile });
}

/** Labels and images in turn. */
function interleaved(images: readonly string[]): string[] {
  return images.flatMap((image, i) => [`Image ${IDS[i]}:`, image]);
}

const OWN = interleaved(IDS.map((_, i) => `<${hash(`one-${i + 1}`)}>`));
const OTHER = interleaved(IDS.map((_, i) => `<${hash(`two-${i + 1}`)}>`));

describe('what a condition shows', () => {
  it.each<{ condition: Condition; parts: string[] }>([
    { condition: 'real', parts: [PROMPT, ...OWN, QUESTION] },
    { condition: 'swapped', parts: [PROMPT, ...OTHER, QUESTION] },
    { condition: 'no-images', parts: [PROMPT, QUESTION] },
    { condition: 'choices-only', parts: [PROMPT, CHOICES] },
    { condition: 'no-question', parts: [PROMPT, ...OWN, CHOICES] },
  ])('$condition: exactly these parts in this order', async ({ condition, parts }) => {
    expect(partsOf(await requestOf(condition))).toEqual(parts);
  });

  it('blank: the item’s labels and question, and one grey picture behind every label', async () => {
    const parts = partsOf(await requestOf('blank'));
    expect(parts.filter((_, i) => i % 2 === 1)).toEqual([...IDS.map((id) => `Image ${id}:`), QUESTION]);
    const pictures = parts.filter((_, i) => i % 2 === 0).slice(1);
    expect(pictures).toHaveLength(7);
    expect(new Set(pictures).size).toBe(1);
    expect(pictures[0]).toMatch(GREY);
    expect(OWN).not.toContain(pictures[0]);
  });

  it('reads the files of the case that is shown, from the folder of items.jsonl', async () => {
    const bytesOf = async (condition: Condition): Promise<string> => {
      const image = (await requestOf(condition)).parts[2]!;
      return image.type === 'image' ? Buffer.from(await image.bytes()).toString() : '';
    };
    expect(await bytesOf('real')).toBe(`${FOLDER}/images/one-1.png`);
    expect(await bytesOf('swapped')).toBe(`${FOLDER}/images/two-1.png`);
  });

  it('every condition has its row', () => {
    expect(conditions.map((condition) => [condition, shownUnder(condition)])).toEqual([
      ['real', { images: 'own', question: true }],
      ['blank', { images: 'blank', question: true }],
      ['swapped', { images: 'swapped', question: true }],
      ['no-images', { images: 'none', question: true }],
      ['choices-only', { images: 'none', question: false }],
      ['no-question', { images: 'own', question: false }],
    ]);
  });
});
