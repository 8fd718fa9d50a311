import type { PixelRule } from '../../../domain/pixel-rules.js';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { GroundmarkError } from '../../../domain/error.js';
import type { Job } from '../../queue/index.js';
import { detectBurnedInText } from './detect-burned-in-text.js';
import { withFileParts } from './file-parts.js';
import { headerView } from './header-view.js';
import { loadPixelRules, pixelFlags } from './pixel-rules.js';

/** A source file of a picture (its header is judged), or a rendered picture (its pixels are searched). */
export interface GateInput {
  readonly kind: 'header' | 'picture';
  readonly files: readonly string[];
}

/** Rules that keep a file out; `unreadable` when it could not be judged. */
export type GateResult = { readonly rules: readonly PixelRule[] } | { readonly unreadable: string };

/** Judges a batch; one result a file, in order. */
export async function run({ kind, files }: GateInput): Promise<GateResult[]> {
  const results: GateResult[] = [];
  for (const file of files) {
    try {
      results.push({ rules: await (kind === 'header' ? headerRules(file) : pictureRules(file)) });
    } catch (error) {
      results.push({ unreadable: error instanceof GroundmarkError ? error.code : 'unreadable-file' });
    }
  }
  return results;
}

/** The job, for a queue. */
export const gateJob: Job = { module: import.meta.url };

async function headerRules(file: string): Promise<PixelRule[]> {
  const rules = await loadPixelRules();
  return withFileParts(file, async (parts) =>
    pixelFlags(headerView(parts), rules).flatMap(({ rule, refuse }) => (refuse ? [rule] : [])),
  );
}

async function pictureRules(file: string): Promise<PixelRule[]> {
  const { data, info } = await sharp(await readFile(file))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { hasText } = detectBurnedInText(data, info.height, info.width, info.channels);
  return hasText ? ['burned-in-text'] : [];
}
