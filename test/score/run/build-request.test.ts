import { describe, expect, it } from 'vitest';
import type { SentImage } from '../../../src/adapters/llm/index.js';
import { assertSent, buildRequest, questionText } from '../../../src/score/run/build-request.js';
import { PROMPT_VERSION, readPrompt } from '../../../src/score/run/prompt.js';
import type { ShownImage } from '../../../src/score/run/shown-item.js';
import { aShown, hash, partsOf, thrownBy } from './an-item.js';

const OPTIONS = { prompt: 'PROMPT', readFile: async (file: string) => Buffer.from(`file ${file}`) };

describe('buildRequest', () => {
  it('holds the prompt, each image behind its label, then question and choices', () => {
    const request = buildRequest(aShown(), 'key-1', OPTIONS);
    expect(partsOf(request)).toEqual([
      'PROMPT',
      'Image img01:',
      `<${hash('img01')}>`,
      'Image img02:',
      `<${hash('img02')}>`,
      'Where is it?\n\nA. apex\nB. base\nC. hilum\nD. lingula\nE. pleura',
    ]);
    expect(request.parts[2]).toMatchObject({ mediaType: 'image/png', width: 20, height: 10 });
  });

  it('asks for one letter of A to E and a list of ids, by a schema that every provider takes', () => {
    expect(buildRequest(aShown(), 'key-1', OPTIONS).schema).toEqual({
      name: 'mcq_answer',
      schema: {
        type: 'object',
        properties: {
          answer: { type: 'string', enum: ['A', 'B', 'C', 'D', 'E'] },
          evidence: { type: 'array', items: { type: 'string' } },
        },
        required: ['answer', 'evidence'],
        additionalProperties: false,
      },
    });
  });

  it('sends temperature and output bound only when they are given, 0 too', () => {
    expect(Object.keys(buildRequest(aShown({ epoch: 3 }), 'key-1', OPTIONS))).toEqual([
      'key',
      'parts',
      'schema',
      'epoch',
    ]);
    const all = { ...OPTIONS, temperature: 0, maxOutputTokens: 400 };
    expect(buildRequest(aShown({ epoch: 3 }), 'key-1', all)).toMatchObject({
      key: 'key-1',
      epoch: 3,
      temperature: 0,
      maxOutputTokens: 400,
    });
  });

  it('reads a file only when the image is asked for, and bytes that are there not at all', async () => {
    const read: string[] = [];
    const readFile = async (file: string): Promise<Uint8Array> => {
      read.push(file);
      return Buffer.from('from the disk');
    };
    const [first, second] = aShown().images as [ShownImage, ShownImage];
    const images = [{ ...first, source: { file: '/b/one.png' } }, second];
    const { parts } = buildRequest(aShown({ images }), 'key-1', { ...OPTIONS, readFile });
    expect(read).toEqual([]);
    const bytes = await Promise.all(parts.flatMap((part) => (part.type === 'image' ? [part.bytes()] : [])));
    expect(bytes.map((each) => Buffer.from(each).toString())).toEqual(['from the disk', 'bytes of img02']);
    expect(read).toEqual(['/b/one.png']);
  });

  it('refuses a request whose images are not in the item’s order', () => {
    // A list that is walked in another order than it is numbered in stands for a bug in whoever builds the parts.
    const images = [...aShown().images];
    images[Symbol.iterator] = function* () {
      yield images[1]!;
      yield images[0]!;
    } as (typeof images)[typeof Symbol.iterator];
    expect(thrownBy(() => buildRequest(aShown({ images }), 'key-1', OPTIONS))).toMatchObject({
      code: 'bad-request-order',
      context: { itemId: 'item-1' },
      message: expect.stringMatching(
        /Item item-1: the request that was built .* its reply is not kept/u,
      ) as string,
    });
  });

  it('refuses one that holds an image more or less than the item', () => {
    for (const places of [[0], [0, 1, 1]]) {
      const images = [...aShown().images];
      images[Symbol.iterator] = function* () {
        for (const place of places) yield images[place]!;
      } as (typeof images)[typeof Symbol.iterator];
      expect(thrownBy(() => buildRequest(aShown({ images }), 'k', OPTIONS))).toMatchObject({
        code: 'bad-request-order',
      });
    }
  });
});

describe('questionText', () => {
  it('is the choices alone where no question is shown', () => {
    const { choices } = aShown();
    expect(questionText({ question: null, choices })).toBe(
      'A. apex\nB. base\nC. hilum\nD. lingula\nE. pleura',
    );
  });
});

describe('assertSent', () => {
  const sent = (...ids: string[]): SentImage[] =>
    ids.map((id) => ({ sha256: hash(id), width: 20, height: 10, bytes: 9 }));

  it('lets pass what is the item’s images in their order', () => {
    expect(() => assertSent(sent('img01', 'img02'), aShown())).not.toThrow();
    expect(() => assertSent([], aShown({ images: [] }))).not.toThrow();
    expect(() => assertSent(undefined, aShown({ images: [] }))).not.toThrow();
  });

  it.each([
    { what: 'swapped', images: sent('img02', 'img01') },
    { what: 'one short', images: sent('img01') },
    { what: 'one twice', images: sent('img01', 'img01') },
    { what: 'one too many', images: sent('img01', 'img02', 'img02') },
    { what: 'of something else', images: sent('img01', 'other') },
    { what: 'not told', images: undefined },
  ])('refuses images that are $what', ({ images }) => {
    expect(thrownBy(() => assertSent(images, aShown()))).toMatchObject({
      code: 'bad-request-order',
      message: expect.stringMatching(/the request that was sent/u) as string,
    });
  });
});

describe('readPrompt', () => {
  it('is short and fixed: its version is raised when the file changes', async () => {
    const { text, ...rest } = await readPrompt();
    expect(rest).toEqual({
      version: PROMPT_VERSION,
      sha256: 'd0559e3ffe9b2a1c37e18bec460999d0e333360c25c4f4ba64ece715c2af56da',
    });
    expect(PROMPT_VERSION).toBe('answer/1');
    expect(text.length).toBeLessThan(600);
    expect(text).not.toMatch(/step by step|for example|think/iu);
  });
});
