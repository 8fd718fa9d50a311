import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { BufferPool } from '../../../src/adapters/llm/buffer-pool.js';
import { WireImages } from '../../../src/adapters/llm/wire-images.js';
import { smallFileBytes } from '../../../src/adapters/store/index.js';
import { aRequest, imagePart, png } from './helpers.js';

describe('BufferPool', () => {
  it('gives the same memory again, where it is large enough and not much too large', () => {
    const pool = new BufferPool(1_000_000);
    const first = pool.take(100_000);
    // Two grains of 65,536 bytes.
    expect(first.length).toBe(131_072);
    const second = pool.take(100_000);
    expect(second.buffer).not.toBe(first.buffer);
    pool.give(first);
    expect(pool.take(140_000)).not.toBe(first);
    expect(pool.take(20_000)).not.toBe(first);
    expect(pool.take(130_000)).toBe(first);
  });

  it('keeps no more than it may, and gives at least a byte', () => {
    const pool = new BufferPool(100_000);
    const [small, large] = [pool.take(0), pool.take(70_000)];
    expect(small.length).toBeGreaterThan(0);
    pool.give(large);
    expect(pool.take(70_000)).not.toBe(large);
    pool.give(small);
    expect(pool.take(1)).toBe(small);
  });
});

describe('images of calls', () => {
  let folder = '';
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('stay what they are while their call lasts, and their memory is used again after it', async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gm-pool-'));
    const files = [1, 2, 3].map((seed) => ({
      file: path.join(folder, `${seed}.png`),
      bytes: png(9, 9, seed),
    }));
    for (const { file, bytes } of files) await writeFile(file, bytes);
    const wire = new WireImages(async () => new Response());
    const hold = async (n: number) => {
      const { file } = files[n]!;
      const part = {
        ...imagePart(9, 9),
        bytes: async (take?: (length: number) => Buffer) => smallFileBytes(file, take),
      };
      const held = await wire.hold(aRequest({ parts: [part] }));
      return { held, bytes: held.bytesOf(held.encoded[0]!)! };
    };
    const [first, second] = [await hold(0), await hold(1)];
    expect([Buffer.from(first.bytes), Buffer.from(second.bytes)]).toEqual([files[0]!.bytes, files[1]!.bytes]);
    const memory = first.bytes.buffer;
    first.held.release();
    first.held.release();
    expect(first.held.bytesOf(first.held.encoded[0]!)).toBeNull();
    const third = await hold(2);
    expect(third.bytes.buffer).toBe(memory);
    expect([Buffer.from(third.bytes), Buffer.from(second.bytes)]).toEqual([files[2]!.bytes, files[1]!.bytes]);
    // Given back twice it would be two calls' at the same time.
    const fourth = await hold(0);
    expect(fourth.bytes.buffer).not.toBe(memory);
  });
});
