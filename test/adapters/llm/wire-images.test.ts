import { expect, it } from 'vitest';
import type { ChatPart } from '../../../src/adapters/llm/chat-model.js';
import { WireImages } from '../../../src/adapters/llm/wire-images.js';
import { aRequest, fakeFetch, imagePart, json } from './helpers.js';

const ofBytes = (bytes: Uint8Array): ChatPart =>
  ({ ...imagePart(1, 1), bytes: async () => bytes }) as ChatPart;

it.each([0, 1, 2, 3, 24_575, 24_576, 24_577, 49_152, 100_001])(
  'sends %i bytes as their base64',
  async (length) => {
    const bytes = Buffer.from(Array.from({ length }, (_, i) => (i * 31) & 255));
    const wire = new WireImages(fakeFetch(() => json({})));
    const held = await wire.hold(aRequest({ parts: [ofBytes(bytes)] }));
    const body = JSON.stringify({ text: 'ä€𝄞', image: `data:${held.encoded[0]!}`, more: 'ü' });
    expect(JSON.parse(wire.fill(body).toString('utf8'))).toEqual({
      text: 'ä€𝄞',
      image: `data:${bytes.toString('base64')}`,
      more: 'ü',
    });
  },
);

it('keeps calls at the same time apart, and lets images go with their call', async () => {
  const fetch = fakeFetch(() => json({}));
  const wire = new WireImages(fetch);
  const one = await wire.hold(
    aRequest({ parts: [ofBytes(Buffer.from('one')), { type: 'text', text: 'x' }] }),
  );
  const two = await wire.hold(aRequest({ parts: [ofBytes(Buffer.from('two'))] }));
  const send = async (body: string): Promise<string> => {
    await wire.fetch('http://x.test', { method: 'POST', body });
    return fetch.calls.at(-1)!.body;
  };
  expect(one.encoded[1]).toBeNull();
  expect(await send(two.encoded[0]! + one.encoded[0]!)).toBe('dHdvb25l');
  expect(Buffer.from(one.bytesOf(one.encoded[0]!)!).toString()).toBe('one');
  // The other call's stand-in is none of this call's images.
  expect(one.bytesOf(two.encoded[0]!)).toBeNull();
  one.release();
  expect(one.bytesOf(one.encoded[0]!)).toBeNull();
  expect(await send(`${two.encoded[0]!}|${one.encoded[0]!}`)).toBe(`dHdv|${one.encoded[0]!}`);
});

it('leaves every other body as it is', async () => {
  const fetch = fakeFetch(() => json({}));
  const wire = new WireImages(fetch);
  await wire.fetch('http://x.test', { method: 'POST', body: 'groundmark-image-0; ä' });
  await wire.fetch('http://x.test');
  expect(fetch.calls.map(({ body }) => body)).toEqual(['groundmark-image-0; ä', '']);
});

it('holds nothing when an image cannot be read', async () => {
  const wire = new WireImages(fakeFetch(() => json({})));
  const broken = { ...imagePart(1, 1), bytes: () => Promise.reject(new Error('ENOENT')) } as ChatPart;
  await expect(wire.hold(aRequest({ parts: [ofBytes(Buffer.from('x')), broken] }))).rejects.toThrow('ENOENT');
});
