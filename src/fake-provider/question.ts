import { createHash } from 'node:crypto';
import type { Blobs } from './blobs.js';
import type { ImageChecker } from './images.js';
import type { ModelRequest } from './protocol.js';
import type { FakeQuestion, Provider, SeenImage } from './types.js';

/**
 * What a request asks, after its images were checked.
 *
 * @param callsOf - how often a key was asked before; counts this one
 * @throws {Rejected}
 */
export async function readQuestion(
  request: ModelRequest,
  provider: Provider,
  checker: ImageChecker,
  callsOf: (key: string) => number,
  blobs: Blobs | null,
): Promise<FakeQuestion> {
  const texts: string[] = [];
  const images: SeenImage[] = [];
  const hash = createHash('sha256');
  let before: string | null = null;
  for (const part of request.parts) {
    if (typeof part === 'string') {
      texts.push(part);
      hash.update(`text ${part.length} ${part}\n`);
      before = part.trim();
      continue;
    }
    const image = await checker.check(part, before, blobs);
    images.push(image);
    hash.update(`image ${image.sha256}\n`);
    before = null;
  }
  const key = hash.digest('hex').slice(0, 24);
  return {
    key,
    call: callsOf(key),
    provider,
    model: request.model,
    texts,
    images,
    letters: lettersOf(texts.at(-1) ?? ''),
    imageIds: images.flatMap(({ label }) => idOf(label)),
  };
}

/** Letters that begin a line as a choice does: `B. text`, `B) text`. */
function lettersOf(text: string): string[] {
  return [...text.matchAll(/^\(?([A-Z])[.):] /gmu)].map(([, letter]) => letter!);
}

function idOf(label: string | null): string[] {
  const found = /^Image (\S+):$/u.exec(label ?? '');
  return found ? [found[1]!] : [];
}
