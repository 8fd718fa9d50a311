import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readFramePixels, scanHeader } from '../../../src/adapters/dicom/index.js';
import { csaNumbers, readCsaHeader } from '../../../src/adapters/dicom/mosaic-csa.js';
import { mosaicOf, type MosaicInput } from '../../../src/adapters/dicom/mosaic.js';
import { mosaicGeometry, unpackMosaic } from '../../../src/domain/geometry-mosaic.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';

/** A CSA header of named values in either form. In the older one an item's length stands in its first word, made larger by the item count of the first element. */
function csaHeader(elements: Record<string, string[]>, form: 'SV10' | 'older'): Uint8Array {
  const parts: Buffer[] = [];
  const uint32 = (...values: number[]): void => {
    const bytes = Buffer.alloc(values.length * 4);
    values.forEach((value, i) => bytes.writeUInt32LE(value, i * 4));
    parts.push(bytes);
  };
  const fixed = (text: string, length: number): void => {
    const bytes = Buffer.alloc(length);
    bytes.write(text, 'latin1');
    parts.push(bytes);
  };
  if (form === 'SV10') parts.push(Buffer.from('SV10\u0004\u0003\u0002\u0001', 'latin1'));
  const all = Object.entries(elements);
  uint32(all.length, 77);
  const firstItems = all[0]?.[1].length ?? 0;
  for (const [name, values] of all) {
    fixed(name, 64);
    uint32(values.length);
    fixed('FD', 4);
    uint32(4, values.length, 77);
    for (const value of values) {
      const length = value.length + 1;
      if (form === 'SV10') uint32(length, length, 77, length);
      else uint32(length + firstItems, length, 77, length);
      fixed(value, Math.ceil(length / 4) * 4);
    }
  }
  return Buffer.concat(parts);
}

const VALUES = {
  EchoLinePosition: ['32', '1'],
  NumberOfImagesInMosaic: ['9'],
  SliceNormalVector: ['0.0', '0.6', '-0.8'],
  Empty: [''],
};

describe('readCsaHeader', () => {
  it.each(['SV10', 'older'] as const)('reads the %s form', (form) => {
    const read = readCsaHeader(csaHeader(VALUES, form));
    expect([...read]).toEqual([
      ['EchoLinePosition', ['32', '1']],
      ['NumberOfImagesInMosaic', ['9']],
      ['SliceNormalVector', ['0.0', '0.6', '-0.8']],
    ]);
    expect(csaNumbers(read, 'SliceNormalVector', 3)).toEqual([0, 0.6, -0.8]);
    expect(csaNumbers(read, 'SliceNormalVector', 4)).toBeNull();
    expect(csaNumbers(read, 'Absent', 1)).toBeNull();
  });

  it('gives what a header cut at any byte still holds, and never throws', () => {
    const whole = csaHeader(VALUES, 'SV10');
    let most = 0;
    for (let length = 0; length <= whole.length; length++) {
      const { size } = readCsaHeader(whole.subarray(0, length));
      expect(size).toBeGreaterThanOrEqual(most);
      most = size;
    }
    expect(most).toBe(3);
  });

  it('gives nothing for bytes that are no header', () => {
    expect(readCsaHeader(new Uint8Array(200).fill(255)).size).toBe(0);
  });
});

describe('mosaicOf', () => {
  const input: MosaicInput = {
    imageType: ['ORIGINAL', 'PRIMARY', 'M', 'MOSAIC'],
    csaImageHeader: csaHeader(VALUES, 'SV10'),
    siemensImageCount: null,
    rows: 12,
    columns: 30,
    imagePositionPatient: [0, 0, 0],
    imageOrientationPatient: [1, 0, 0, 0, 0.8, 0.6],
    pixelSpacingMm: [2, 3],
    spacingBetweenSlicesMm: 4.5,
  };

  it('is nine tiles of 4 × 10, the first moved in by half of what the picture is larger', () => {
    // Across (30 - 10) / 2 · 3 = 30 mm; down (12 - 4) / 2 · 2 = 8 mm along (0, 0.8, 0.6).
    const mosaic = mosaicOf(input)!;
    expect(mosaic).toMatchObject({ images: 9, rows: 4, columns: 10, spacingMm: 4.5 });
    expect(mosaic.imagePositionPatient!.map((mm) => Number(mm.toFixed(9)))).toEqual([30, 6.4, 4.8]);
    expect(mosaic.sliceNormal).toEqual([0, 0.6, -0.8]);
  });

  it('takes row × column for the normal, and the private count, where there is no CSA header', () => {
    const mosaic = mosaicOf({ ...input, csaImageHeader: null, siemensImageCount: 7 })!;
    expect(mosaic.images).toBe(7);
    expect(mosaic.sliceNormal!.map((x) => Number(x.toFixed(9)))).toEqual([0, -0.6, 0.8]);
  });

  it.each([
    { more: { imageType: ['ORIGINAL', 'PRIMARY', 'M'] }, why: 'nothing says mosaic' },
    { more: { csaImageHeader: null }, why: 'the number of images is unknown' },
    { more: { columns: 31 }, why: '31 columns are not three tiles' },
    { more: { rows: null }, why: 'no size' },
    { more: { siemensImageCount: 0.5 }, why: 'half an image' },
  ])('is null when $why', ({ more }) => {
    expect(mosaicOf({ ...input, ...more })).toBeNull();
  });

  it('has tiles but no place without a position', () => {
    expect(mosaicOf({ ...input, imagePositionPatient: null })).toMatchObject({
      images: 9,
      imagePositionPatient: null,
    });
  });
});

const STC = 'dicom/cases/mr-siemens-mosaic-orient';

/**
 * Positions are the protocol's own: the centre of each slice stands in the text of (0029,1020) as
 * sSliceArray.asSlice[i].sPosition; half a field of view back along row and column is the corner. Tiles were cut by
 * pydicom and Python slices; their SHA-256, first 16 digits.
 */
describeShared('Siemens mosaics of the shared set', 'dicom', () => {
  it.each([
    {
      file: `${STC}/ax_axasc35/MR.1.3.12.2.1107.5.2.32.35131.2014031012493950715786673`,
      images: 35,
      corners: [
        [-104, -144.8681, -62.6852],
        [-104, -144.4793, -59.1062],
        [-104, -131.649, 58.9989],
      ],
      tiles: ['dc586fb5ab970395', '035c1e8082da7dda'],
    },
    {
      file: `${STC}/cor_corint36/MR.1.3.12.2.1107.5.2.32.35131.2014031012563584014288694`,
      images: 36,
      corners: [
        [-104, -118.9871, 110.2347],
        [-104, -115.4295, 109.6839],
        [-104, 5.5297, 90.9585],
      ],
      tiles: ['d96fe4248dd658ea', 'e96fcf9f1a513674'],
    },
    {
      // Its tiles go to the left, against row × column.
      file: `${STC}/sag_sagdesc35/MR.1.3.12.2.1107.5.2.32.35131.2014031013003590507090477`,
      images: 35,
      corners: [
        [-61.2, -140.3196, 78.5763],
        [-57.6, -140.3196, 78.5763],
        [61.2, -140.3196, 78.5763],
      ],
      tiles: ['f8a2508e0358d8ac', 'addb1ae269e8a772'],
    },
    {
      file: 'dicom/cases/mr-decubitus-hfdl/3_ep2d_diff/0001_1.3.12.2.1107.5.2.43.67060.2022040715261982085769019.dcm',
      images: 25,
      corners: [
        [-123.9225, -120.007, -83.8769],
        [-123.9225, -118.8373, -78.8102],
        [-123.9225, -91.9331, 37.7245],
      ],
      tiles: ['d71abc042ed01723', 'ebf5010c18e6f355'],
    },
  ])('$file: $images tiles lie where its protocol says', async ({ file, images, corners, tiles }) => {
    const [row] = await scanHeader(sharedPath(file));
    const mosaic = row!.mosaic!;
    expect(mosaic.images).toBe(images);
    const found = mosaicGeometry(mosaic)!;
    [found[0]!, found[1]!, found.at(-1)!].forEach((corner, i) =>
      corner.forEach((mm, axis) => expect(Math.abs(mm - corners[i]![axis]!)).toBeLessThan(0.001)),
    );
    const { samples } = await readFramePixels(sharedPath(file), 0);
    const cut = unpackMosaic(samples as Uint16Array, row!.rows!, row!.columns!, mosaic.images);
    expect([cut[0]!, cut.at(-1)!].map(digest)).toEqual(tiles);
  });

  it('is none where the picture was made smaller afterwards: 256 is not seven tiles', async () => {
    const [row] = await scanHeader(sharedPath('dicom/singles/nibabel/0.dcm'));
    expect([row!.imageType?.includes('MOSAIC'), row!.mosaic]).toEqual([true, null]);
  });

  it('is none where the file is a slice of its own', async () => {
    const slice =
      'dicom/cases/mr-decubitus-hfdl/2_t1_fl2d_sag/0013_1.3.12.2.1107.5.2.43.67060.2022040715254365853868506.dcm';
    const [row] = await scanHeader(sharedPath(slice));
    expect(row!.mosaic).toBeNull();
  });
});

function digest(samples: { buffer: ArrayBufferLike; byteOffset: number; byteLength: number }): string {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
  return createHash('sha256').update(bytes).digest('hex').slice(0, 16);
}
