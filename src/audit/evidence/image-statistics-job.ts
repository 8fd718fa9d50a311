import { readFile } from 'node:fs/promises';
import { loadSharp } from '../../adapters/load-packages.js';
import type { Job } from '../../adapters/queue/index.js';

/** What the file of one shown image says without being understood; or why it could not be read. */
export type ImageStatistics =
  | {
      readonly ok: true;
      readonly bytes: number;
      /** Width × height. */
      readonly pixels: number;
      /** Mean grey value, 0 to 255. */
      readonly brightness: number;
      /** Shannon entropy of the 256 grey values, bits. */
      readonly entropy: number;
    }
  | { readonly ok: false; readonly reason: 'missing' | 'not-an-image' };

export const imageStatisticsJob: Job = { module: import.meta.url };

/** Statistics of one image file. */
export async function run({ file }: { readonly file: string }): Promise<ImageStatistics> {
  let encoded: Buffer;
  try {
    encoded = await readFile(file);
  } catch {
    return { ok: false, reason: 'missing' };
  }
  try {
    const { data, info } = await loadSharp()(encoded)
      .flatten()
      .toColourspace('b-w')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return {
      ok: true,
      bytes: encoded.length,
      pixels: info.width * info.height,
      ...greyStatistics(data, info.channels),
    };
  } catch {
    return { ok: false, reason: 'not-an-image' };
  }
}

function greyStatistics(data: Buffer, channels: number): { brightness: number; entropy: number } {
  const histogram = new Float64Array(256);
  for (let i = 0; i < data.length; i += channels) histogram[data[i]!]! += 1;
  const n = data.length / channels;
  let sum = 0;
  let entropy = 0;
  histogram.forEach((count, grey) => {
    sum += count * grey;
    if (count > 0) entropy -= (count / n) * Math.log2(count / n);
  });
  return { brightness: sum / n, entropy };
}
