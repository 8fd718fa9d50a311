import { describe, expect, it } from 'vitest';
import { anItem, FOLDER, hash, showOf, thrownBy } from './an-item.js';

function withFile(file: string) {
  const item = anItem('one');
  return { ...item, images: item.images.map((image, i) => (i === 6 ? { ...image, file } : image)) };
}

describe('Show', () => {
  it.each(['../secret.png', 'images/../../secret.png', '/etc/passwd', '.', '', '..', 'images/..'])(
    'refuses the image file %j before anything is shown',
    (file) => {
      expect(thrownBy(() => showOf([withFile(file)], 'real'))).toMatchObject({
        code: 'bad-image-path',
        context: { itemId: 'one', file },
        message: expect.stringMatching(/^Item one names the image .* Use an unchanged bundle\.$/u) as string,
      });
    },
  );

  it('refuses it also where no image is shown, and in an item that comes later', () => {
    const items = [anItem('zero'), withFile('../secret.png')];
    expect(thrownBy(() => showOf(items, 'no-images'))).toMatchObject({ code: 'bad-image-path' });
  });

  it.each(['a.png', 'images/deep/a.png', './images/a.png', 'images/../a.png', '..images/a.png'])(
    'takes %j, which lies in the folder',
    async (file) => {
      const item = withFile(file);
      const { images } = await showOf([item], 'real').item(item, 1);
      expect(images[6]!.source).toEqual({
        file: `${FOLDER}/${file.replace('images/../', '').replace('./images', 'images')}`,
      });
    },
  );

  it.each([
    { file: 'images/a.jpg', mediaType: 'image/jpeg' },
    { file: 'images/a.JPEG', mediaType: 'image/jpeg' },
    { file: 'images/a.png', mediaType: 'image/png' },
    { file: 'images/a.jpg.png', mediaType: 'image/png' },
  ])('$file is sent as $mediaType', async ({ file, mediaType }) => {
    const item = withFile(file);
    expect((await showOf([item], 'real').item(item, 1)).images[6]!.mediaType).toBe(mediaType);
  });

  it('keeps the item’s ids and tells whose images they are, when they are another’s', async () => {
    const items = [anItem('one'), anItem('two')];
    const swapped = await showOf(items, 'swapped').item(items[0]!, 1);
    expect(swapped).toMatchObject({ itemId: 'one', imagesOf: 'two', order: null });
    expect(swapped.images[0]).toMatchObject({ id: 'img01', sha256: hash('two-1') });
    expect(await showOf(items, 'real').item(items[0]!, 2)).toMatchObject({ imagesOf: null, epoch: 2 });
  });

  it('calls the choices A to E in the order shown, and keeps the item’s own letters beside them', async () => {
    const item = anItem('one');
    const own = { A: 'apex', B: 'base', C: 'hilum', D: 'lingula', E: 'pleura' };
    for (let epoch = 1; epoch <= 20; epoch++) {
      const { choices, order } = await showOf([item], 'real', true).item(item, epoch);
      expect(choices.map(({ letter }) => letter).join('')).toBe('ABCDE');
      expect(choices.map(({ text }) => text)).toEqual(order!.map((letter) => own[letter]));
    }
  });
});
