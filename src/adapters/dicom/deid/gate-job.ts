import { GroundmarkError } from '../../../domain/error.js';
import type { PixelRule } from '../../../domain/pixel-rules.js';
import type { Job } from '../../queue/index.js';
import { readFramePixels } from '../read-frame-pixels.js';
import { withFileParts } from './file-parts.js';
import { headerView } from './header-view.js';
import { loadPixelRules, pixelFlags } from './pixel-rules.js';
import { textInFrame } from './text-in-frame.js';

/** A DICOM file, and the frames of it that are shown. */
export interface GateInput {
  readonly file: string;
  readonly frames: readonly number[];
}

/** Rules that keep a file out; `unreadable` when it could not be judged. */
export type GateResult = { readonly rules: readonly PixelRule[] } | { readonly unreadable: string };

/** Judges the header and the shown frames of each file of a batch; one result a file, in order. */
export async function run(files: readonly GateInput[]): Promise<GateResult[]> {
  const results: GateResult[] = [];
  for (const input of files) {
    try {
      results.push({ rules: await rulesOf(input) });
    } catch (error) {
      results.push({ unreadable: error instanceof GroundmarkError ? error.code : 'unreadable-file' });
    }
  }
  return results;
}

/** The job, for a queue. */
export const gateJob: Job = { module: import.meta.url };

/** Text is looked for in stored values: a window saturates noise, and saturated noise looks like print. */
async function rulesOf({ file, frames }: GateInput): Promise<PixelRule[]> {
  const rules = await loadPixelRules();
  const { flagged, hasPixels } = await withFileParts(file, async (parts) => {
    const header = headerView(parts);
    const flags = pixelFlags(header, rules);
    return {
      flagged: flags.flatMap(({ rule, refuse }) => (refuse ? [rule] : [])),
      hasPixels: header.hasPixels,
    };
  });
  for (const frame of hasPixels ? frames : []) {
    if (textInFrame(await readFramePixels(file, frame))) return [...flagged, 'burned-in-text'];
  }
  return flagged;
}
