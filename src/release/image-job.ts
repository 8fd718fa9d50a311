import { readFile } from 'node:fs/promises';
import { loadSharp } from '../adapters/load-packages.js';
import { chunkProblem, pngChunks } from '../adapters/image/png-chunks.js';
import { sha256 } from '../util/hash.js';

/** What one image file of a bundle is. `width` and `height` are null when it does not decode. */
export interface ImageFacts {
  readonly bytes: number;
  readonly sha256: string;
  readonly width: number | null;
  readonly height: number | null;
  /** Why the file is no clean PNG; [] when it is. */
  readonly chunkProblems: readonly string[];
}

/** Reads and decodes one image; null when there is no such file. */
export async function run(file: string): Promise<ImageFacts | null> {
  let content: Buffer;
  try {
    content = await readFile(file);
  } catch {
    return null;
  }
  const size = await loadSharp()(content, { failOn: 'warning' })
    .raw()
    .toBuffer({ resolveWithObject: true })
    .then(
      ({ info }) => ({ width: info.width, height: info.height }),
      () => ({ width: null, height: null }),
    );
  return { bytes: content.length, sha256: sha256(content), ...size, chunkProblems: problemsOf(content) };
}

function problemsOf(content: Buffer): string[] {
  try {
    return pngChunks(content)
      .map(chunkProblem)
      .filter((problem) => problem !== null);
  } catch (cause) {
    return [(cause as Error).message];
  }
}

export const job = { module: import.meta.url };
