import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createHash } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { command } from '../../src/cli/commands/inspect.js';
import type { DicomInspection } from '../../src/adapters/dicom/index.js';
import { testDeps } from '../helpers/deps.js';
import type { Element } from '../helpers/dicom-bytes.js';
import { imageFile, words, type ImageParts } from '../helpers/dicom-image.js';

const COMMON = { workspace: '/nowhere', json: true, seedGiven: false };

let folder: string;
const at = (name: string): string => path.join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'groundmark-inspect-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const RESCALED: readonly Element[] = [
  [0x00281050, 'DS', '0\\40'],
  [0x00281051, 'DS', '100\\400'],
  [0x00281052, 'DS', '-1024'],
  [0x00281053, 'DS', '1'],
  [0x00281055, 'LO', 'WIDE\\SOFT'],
];

/** Two frames of 1 × 2 pixels: 974 and 1023, then 1024 and 1074 (-50, -1, 0 and 50 HU). */
function write(name: string, parts: Partial<ImageParts> = {}): string {
  const image = { rows: 1, columns: 2, frames: 2, modality: 'CT', pixels: words(974, 1023, 1024, 1074) };
  writeFileSync(at(name), imageFile({ ...image, more: RESCALED, ...parts }));
  return at(name);
}

async function inspect(file: string, options: Record<string, string> = {}, deps = testDeps()) {
  const { json } = await command.run([file], options, COMMON, deps);
  return json as DicomInspection & { rendered?: { window: unknown; width: number; height: number } };
}

describe('inspect', () => {
  it('says what the stored values are, what they mean, and which windows there are', async () => {
    const found = await inspect(write('ct.dcm'));
    expect(found).toMatchObject({
      format: 'dicom',
      kind: 'volume',
      axes: ['frame', 'row', 'column'],
      shape: [2, 1, 2],
      dtype: 'uint16',
      min: 974,
      max: 1074,
      mean: 1023.75,
      rescaled: false,
      value: { unit: 'HU', min: -50, max: 50, noSuv: null },
      windows: [
        { number: 1, center: 0, width: 100, shape: 'LINEAR', explanation: 'WIDE' },
        { number: 2, center: 40, width: 400, shape: 'LINEAR', explanation: 'SOFT' },
      ],
      voiTables: [],
    });
    const bytes = words(974, 1023, 1024, 1074);
    expect(found.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
  });

  it('gives one frame, and writes its stored values', async () => {
    const found = await inspect(write('ct.dcm'), { frame: '1', pixels: at('frame.raw') });
    expect([found.kind, found.shape, found.min, found.max]).toEqual(['image', [1, 2], 1024, 1074]);
    expect(readFileSync(at('frame.raw'))).toEqual(Buffer.from(words(1024, 1074)));
    await inspect(at('ct.dcm'), { pixels: at('all.raw') });
    expect(readFileSync(at('all.raw'))).toEqual(Buffer.from(words(974, 1023, 1024, 1074)));
  });

  it('draws by the file’s window, by its number, its explanation, a preset, or auto', async () => {
    const file = write('ct.dcm');
    const drawn = async (window: string) => {
      const { rendered } = await inspect(file, { frame: '1', render: at('out.png'), window });
      const { data } = await sharp(at('out.png'))
        .toColourspace('b-w')
        .raw()
        .toBuffer({ resolveWithObject: true });
      return { levels: [...data], window: rendered!.window };
    };
    // C.11.2.1.2.1 with centre 0 and width 100: 0 HU is ((0 + 0.5) / 99 + 0.5) × 255 = 128.79; 50 HU is over the end.
    const wide = { center: 0, width: 100, shape: 'LINEAR', explanation: 'WIDE' };
    expect(await drawn('file')).toEqual({ levels: [129, 255], window: wide });
    // Centre 40, width 400: 0 HU is (−39.5 / 399 + 0.5) × 255 = 102.26, 50 HU (10.5 / 399 + 0.5) × 255 = 134.21.
    const soft = { center: 40, width: 400, shape: 'LINEAR', explanation: 'SOFT' };
    expect(await drawn('2')).toEqual({ levels: [102, 134], window: soft });
    expect(await drawn('soft')).toEqual({ levels: [102, 134], window: soft });
    // brain, 40 and 80: 0 HU is (−39.5 / 79 + 0.5) × 255 = 0, 50 HU (10.5 / 79 + 0.5) × 255 = 161.39.
    expect((await drawn('brain')).levels).toEqual([0, 161]);
    expect((await drawn('auto')).levels).toEqual([0, 255]);
  });

  it('counts frames as progress', async () => {
    const said: string[] = [];
    const progress = {
      start: (label: string, total: number) => {
        said.push(`${label} ${total}`);
        return { tick: () => void said.push('tick'), done: () => void said.push('done') };
      },
    };
    await inspect(write('ct.dcm'), {}, testDeps({ progress }));
    expect(said).toEqual(['Frames 2', 'tick', 'tick', 'done']);
    said.length = 0;
    await inspect(write('one.dcm', { frames: 1, pixels: words(1, 2) }), {}, testDeps({ progress }));
    expect(said).toEqual([]);
  });

  it('refuses a window that does not fit the file, even when nothing is drawn', async () => {
    const mr = write('mr.dcm', { modality: 'MR' });
    await expect(inspect(mr, { window: 'lung' })).rejects.toMatchObject({ code: 'bad-option', exit: 2 });
    await expect(inspect(mr, { window: '3' })).rejects.toMatchObject({ code: 'bad-option', exit: 2 });
  });

  it.each([
    ['a frame that is not there', { frame: '2' }, 'no-such-frame'],
    ['a frame that is no number', { frame: '-1' }, 'bad-option'],
    ['a window that is none', { window: '5,' }, 'bad-option'],
  ])('refuses %s', async (_, options, code) => {
    await expect(inspect(write('ct.dcm'), options)).rejects.toMatchObject({ code });
  });

  it.each([
    ['a folder', () => folder, 'not-a-file'],
    ['nothing', () => at('absent.dcm'), 'no-such-file'],
    ['an empty file', () => (writeFileSync(at('empty.dcm'), ''), at('empty.dcm')), 'empty-file'],
    ['no DICOM', () => (writeFileSync(at('x.txt'), 'words '.repeat(100)), at('x.txt')), 'not-built'],
    ['pixels that are cut off', () => write('cut.dcm', { pixels: words(1) }), 'truncated-pixels'],
  ])('says what is wrong with %s', async (_, file, code) => {
    await expect(inspect(file())).rejects.toMatchObject({ code });
  });
});
