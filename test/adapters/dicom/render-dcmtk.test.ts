import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyWindow, modalityValues, readFramePixels } from '../../../src/adapters/dicom/index.js';
import { sharedPath } from '../../helpers/shared.js';

const TOOLS = ['/usr/bin/dcm2pnm', '/usr/bin/dcmj2pnm'];
const present = TOOLS.every(existsSync) && existsSync(sharedPath('dicom'));
const title = 'Windowed pictures beside those of dcmtk';

/** Kinds: modality and transfer syntax, signed and unsigned, MONOCHROME1 and 2, single and multi-frame. */
const KINDS: readonly {
  kind: string;
  file: string;
  frame?: number;
  window: readonly [number, number];
}[] = JSON.parse(readFileSync(new URL('./render-kinds.json', import.meta.url), 'utf8')) as never;

describe.skipIf(!present && process.env.CI !== 'true')(
  present ? title : `${title} [skipped: dcmtk is not installed, or the shared data is not here]`,
  () => {
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'groundmark-dcmtk-'));
    });
    afterAll(() => rm(folder, { recursive: true, force: true }));

    it.each(KINDS)(
      'differ by at most one grey level in the mean: $kind',
      async ({ file, frame = 0, window }) => {
        const [center, width] = window;
        const source = sharedPath('dicom', ...file.split('/'));
        const out = path.join(folder, 'dcmtk.pgm');
        const options = ['+F', String(frame + 1), '+Ww', String(center), String(width), '+op'];
        const run = spawnSync('dcmj2pnm', [...options, source, out], { encoding: 'utf8' });
        expect(run.status, run.stderr).toBe(0);
        const theirs = readPgm(readFileSync(out));
        const pixels = await readFramePixels(source, frame);
        const ours = applyWindow(modalityValues(pixels), { center, width }, { invert: pixels.inverted });
        expect(theirs.length).toBe(ours.length);
        let sum = 0;
        for (let i = 0; i < ours.length; i++) sum += Math.abs(ours[i]! - theirs[i]!);
        expect(sum / ours.length).toBeLessThanOrEqual(1);
        // A picture of one grey level would agree by chance.
        expect(new Set(ours).size).toBeGreaterThan(20);
      },
    );
  },
);

/** Binary PGM of 8 bits. */
function readPgm(file: Buffer): Uint8Array {
  const head = /^P5\s+(?:#[^\n]*\n)*(\d+)\s+(\d+)\s+(\d+)\s/u.exec(file.subarray(0, 200).toString('latin1'));
  if (head?.[3] !== '255') throw new Error('not an 8-bit PGM');
  return file.subarray(head[0].length);
}
