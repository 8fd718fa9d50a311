import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { BlankImages } from '../../../src/score/run/blank-images.js';
import { anItem, showOf } from './an-item.js';

describe('BlankImages', () => {
  it.each([
    [1, 1],
    [512, 512],
    [3, 700],
  ])('%i × %i pixels: a PNG of that size, every pixel 128', async (width, height) => {
    const { bytes, sha256 } = await new BlankImages().get(width, height);
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    const { data, info } = await sharp(bytes)
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([info.width, info.height, info.channels]).toEqual([width, height, 1]);
    expect(data).toHaveLength(width * height);
    expect(new Set(data)).toEqual(new Set([128]));
  });

  it('is made once a size: images of one size are one object, those of another size another', async () => {
    const blanks = new BlankImages();
    const [first, second, turned] = await Promise.all([
      blanks.get(20, 10),
      blanks.get(20, 10),
      blanks.get(10, 20),
    ]);
    expect(second).toBe(first);
    expect(turned.sha256).not.toBe(first.sha256);
  });

  it('stands in for each image of an item at that image’s own size, as PNG also for a JPEG', async () => {
    const item = anItem('one');
    const images = item.images.map((image, i) =>
      i === 2 ? { ...image, width: 30, file: 'images/a.jpg' } : image,
    );
    const shown = await showOf([{ ...item, images }], 'blank').item({ ...item, images }, 1);
    expect(
      shown.images.map(({ id, width, height, mediaType }) => `${id} ${width}x${height} ${mediaType}`),
    ).toEqual([
      'img01 20x10 image/png',
      'img02 20x10 image/png',
      'img03 30x10 image/png',
      'img04 20x10 image/png',
      'img05 20x10 image/png',
      'img06 20x10 image/png',
      'img07 20x10 image/png',
    ]);
    expect(new Set(shown.images.map(({ sha256 }) => sha256)).size).toBe(2);
    expect(shown.imagesOf).toBeNull();
  });
});
