import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageSize } from '../../../src/adapters/llm/image-size.js';
import { checkSentParts, encodeParts, type ReadBackPart } from '../../../src/adapters/llm/sent-images.js';
import { aRequest, imagePart, png } from './helpers.js';

async function built(request = aRequest()): Promise<ReadBackPart[]> {
  const encoded = await encodeParts(request);
  return request.parts.map((part, i) =>
    part.type === 'text' ? part : { type: 'image', mediaType: part.mediaType, base64: encoded[i]! },
  );
}

describe('what was built', () => {
  it('is what was asked for, and its images are told', async () => {
    const sent = checkSentParts(aRequest(), await built());
    expect(sent).toHaveLength(2);
    expect(sent[0]).toMatchObject({ width: 9, height: 6, bytes: png(9, 6, 1).length });
  });

  it.each<[string, (parts: ReadBackPart[]) => ReadBackPart[]]>([
    ['a part is gone', (parts) => parts.slice(1)],
    ['a part came in', (parts) => [...parts, { type: 'text', text: 'x' }]],
    ['two images changed places', ([a, b, c, d, e, ...rest]) => [a!, b!, e!, d!, c!, ...rest]],
    ['all images went before the text', (parts) => [...parts].sort((a, b) => a.type.localeCompare(b.type))],
    [
      'a label is another',
      (parts) => parts.map((p, i) => (i === 1 ? { type: 'text', text: 'Image img2:' } : p)),
    ],
    ['an image is empty', (parts) => parts.map((p) => (p.type === 'image' ? { ...p, base64: '' } : p))],
    [
      'an image is called a JPEG',
      (parts) => parts.map((p) => (p.type === 'image' ? { ...p, mediaType: 'image/jpeg' } : p)),
    ],
  ])('is not sent when %s', async (_name, change) => {
    const parts = change(await built());
    expect(() => checkSentParts(aRequest(), parts)).toThrowError(
      expect.objectContaining({ kind: 'bad-request' }),
    );
  });

  it('is not sent when an image has other dimensions than the release says', async () => {
    const request = aRequest({ parts: [{ ...imagePart(9, 6), width: 10 } as ReturnType<typeof imagePart>] });
    const parts = await built(request);
    expect(() => checkSentParts(request, parts)).toThrowError('image 0 is 9 × 6 pixels');
  });
});

describe('the size of an image', () => {
  it('is read from its header, whatever encoder wrote it', async () => {
    const picture = sharp(Buffer.alloc(37 * 21 * 3, 90), { raw: { width: 37, height: 21, channels: 3 } });
    expect(imageSize(await picture.clone().png().toBuffer())).toEqual({ width: 37, height: 21 });
    expect(imageSize(await picture.clone().jpeg().toBuffer())).toEqual({ width: 37, height: 21 });
    expect(imageSize(await picture.clone().jpeg({ progressive: true }).toBuffer())).toEqual({
      width: 37,
      height: 21,
    });
    expect(imageSize(await picture.clone().withMetadata({ density: 72 }).jpeg().toBuffer())).toEqual({
      width: 37,
      height: 21,
    });
  });

  it.each([
    [''],
    ['89504e47'],
    ['ffd8'],
    ['ffd8ffe00004'],
    ['ffd8ffc0'],
    ['00'.repeat(40)],
    ['474946383961'],
  ])('is null for %s', (hex) => {
    expect(imageSize(Buffer.from(hex, 'hex'))).toBeNull();
  });
});
