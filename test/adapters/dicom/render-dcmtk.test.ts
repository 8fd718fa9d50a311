import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFramePixels, renderFrame, type Window } from '../../../src/adapters/dicom/index.js';
import { sharedPath } from '../../helpers/shared.js';

const TOOLS = ['/usr/bin/dcm2pnm', '/usr/bin/dcmj2pnm'];
const present = TOOLS.every(existsSync) && existsSync(sharedPath('dicom'));
const title = 'Windowed pictures beside those of dcmtk';

/** Kinds: modality and transfer syntax, signed and unsigned, MONOCHROME1 and 2, tables, single and multi-frame, colour. */
const KINDS: readonly {
  kind: string;
  file: string;
  frame?: number;
  /** Centre and width; absent for colour. */
  window?: readonly [number, number];
  /** The same window in the unit that we show: times 0.0002429029766 g/Bq, worked out with numpy (suv.test.ts). */
  ours?: Window;
  /** The picture itself has few grey levels. */
  fewLevels?: boolean;
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
      async ({ file, frame = 0, window, ours: own, fewLevels }) => {
        const source = sharedPath('dicom', ...file.split('/'));
        const out = path.join(folder, 'dcmtk.pnm');
        const shown = window ? ['+Ww', ...window.map(String)] : [];
        // Overlays are not drawn.
        const options = ['+F', String(frame + 1), ...shown, '-O', '+op'];
        const run = spawnSync('dcmj2pnm', [...options, source, out], { encoding: 'utf8' });
        expect(run.status, run.stderr).toBe(0);
        const theirs = readPnm(readFileSync(out));
        const choice = own ?? (window ? { center: window[0], width: window[1] } : 'file');
        // dcmtk keeps the stored orientation.
        const { bytes: ours } = renderFrame(await readFramePixels(source, frame), null, choice);
        expect(theirs.length).toBe(ours.length);
        let sum = 0;
        for (let i = 0; i < ours.length; i++) sum += Math.abs(ours[i]! - theirs[i]!);
        expect(sum / ours.length).toBeLessThanOrEqual(1);
        // A picture of one grey level would agree by chance.
        expect(new Set(ours).size).toBeGreaterThan(fewLevels === true ? 2 : 20);
      },
    );
  },
);

/** Binary PGM or PPM of 8 bits. */
function readPnm(file: Buffer): Uint8Array {
  const head = /^P[56]\s+(?:#[^\n]*\n)*(\d+)\s+(\d+)\s+(\d+)\s/u.exec(
    file.subarray(0, 200).toString('latin1'),
  );
  if (head?.[3] !== '255') throw new Error('not an 8-bit PGM or PPM');
  return file.subarray(head[0].length);
}
