import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COPY_FOLDER_FILE } from '../../../../src/adapters/dicom/deid/index.js';
import { walkFiles } from '../../../../src/adapters/dicom/index.js';
import type { KeepName } from '../../../../src/adapters/dicom/deid/index.js';
import { runDeid, type DeidSummary } from '../../../../src/extract/deid/index.js';
import { testDeps } from '../../../helpers/deps.js';
import { element, partTen, sequence } from './build-file.js';

/** Invented. The Chinese name is that of no one: GB18030 bytes by hand from the table of GB 2312. */
const GIVEN = 'Zephyrine';
const FAMILY = 'Oxbloodov';
const NUMBER = 'MRN-5580-ZQ31';
const GB_NAME = Buffer.from([0xcd, 0xf5, 0x5e, 0xd0, 0xa1, 0xb6, 0xab]); // Wang^XiaoDong
const GB_JOINED = Buffer.from([0xcd, 0xf5, 0xd0, 0xa1, 0xb6, 0xab]);
const UID = '1.2.840.99999.31.5580';
const EXPLICIT = '1.2.840.10008.1.2.1';
const JPEG = '1.2.840.10008.1.2.4.70';
const KEY = Buffer.alloc(32, 9);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'groundmark-planted-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Elements of a file by tag: those given take the place of the usual ones. */
function fileOf(more: readonly Buffer[], transferSyntax = EXPLICIT, instance = '1'): Buffer {
  const all = [
    element(0x00080016, 'UI', '1.2.840.10008.5.1.4.1.1.2'),
    element(0x00080018, 'UI', `${UID}.${instance}`),
    element(0x00080060, 'CS', 'CT'),
    element(0x00100010, 'PN', `${FAMILY}^${GIVEN}`),
    element(0x00100020, 'LO', NUMBER),
    element(0x0020000d, 'UI', `${UID}.0`),
    element(0x0020000e, 'UI', `${UID}.00`),
  ];
  const byTag = new Map<number, Buffer>();
  for (const one of [...all, ...more]) byTag.set(one.readUInt16LE(0) * 0x10000 + one.readUInt16LE(2), one);
  const sorted = [...byTag].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
  return partTen(transferSyntax, sorted);
}

async function run(
  files: Readonly<Record<string, Buffer>>,
  { keep = [], allowBurnedIn = false }: { keep?: readonly KeepName[]; allowBurnedIn?: boolean } = {},
): Promise<{ summary: DeidSummary; copies: Buffer[] }> {
  for (const [name, bytes] of Object.entries(files)) {
    const file = path.join(folder, 'in', name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }
  const out = path.join(folder, 'out');
  const input = { sources: [path.join(folder, 'in')], out, key: KEY, keep, allowBurnedIn };
  const summary = await runDeid(input, testDeps());
  const found = await walkFiles(out);
  for (const { relative } of found) {
    expect(relative).toMatch(/^(?:2\.25\.\d+\/2\.25\.\d+\/2\.25\.\d+\.dcm|\.groundmark-deid\.json)$/u);
  }
  const copies = found.filter(({ relative }) => relative !== COPY_FOLDER_FILE);
  return { summary, copies: await Promise.all(copies.map(({ path: file }) => readFile(file))) };
}

/** Every writing of the planted words: as stored, case aside, as UTF-8 and UTF-16 of both orders. */
function expectNothingOf(bytes: Buffer, words: readonly string[] = [FAMILY, GIVEN, NUMBER, UID]): void {
  const folded = bytes.toString('latin1').toLowerCase();
  for (const word of words) {
    const wide = Buffer.from(word, 'utf16le');
    expect(folded.includes(word.toLowerCase()), word).toBe(false);
    expect(bytes.includes(Buffer.from(word, 'utf8')), word).toBe(false);
    expect(bytes.includes(wide) || bytes.includes(Buffer.from(wide).swap16()), word).toBe(false);
  }
}

describe('A name planted where the profile does not look', () => {
  const wide = Buffer.from(FAMILY, 'utf16le').swap16();
  it.each<[string, Buffer[]]>([
    ['free text that the table leaves', [element(0x00281055, 'LO', `given to ${FAMILY} at 10:15`)]],
    ['a word that it is joined to', [element(0x00281055, 'LO', `oral_${FAMILY.toLowerCase()}2`)]],
    [
      'the meaning of a code, two levels down',
      [
        sequence(0x00082218, 'SQ', [
          element(0x00080100, 'SH', 'T-D3000'),
          sequence(0x00082220, 'SQ', [element(0x00080104, 'LO', `Chest of ${GIVEN} ${FAMILY}`)]),
        ]),
      ],
    ],
    ['bytes of a colour profile', [element(0x00282000, 'OB', Buffer.concat([Buffer.alloc(40, 1), wide]))]],
    ['a sequence stored as bytes', [element(0x00400440, 'OB', `....${FAMILY}....`)]],
    ['a person stored as a short text', [element(0x00081048, 'LO', 'Someone^Else')]],
    [
      'values that are none of their kind',
      [
        element(0x00080030, 'TM', `10:15 ${FAMILY}`),
        element(0x00180015, 'CS', `Knee ${FAMILY}`),
        element(0x00180050, 'DS', `${FAMILY} 2.5`),
      ],
    ],
    ['an unknown attribute of a known group', [element(0x00180ff1, 'LT', FAMILY)]],
    [
      'private groups, a sequence of known length in one',
      [
        element(0x00110010, 'LO', `${FAMILY} LABS`),
        sequence(0x00111001, 'SQ', [element(0x00100010, 'PN', FAMILY)]),
        element(0x00111002, 'UN', `xx${FAMILY}`),
      ],
    ],
    [
      'an overlay',
      [
        element(0x60000010, 'US', Buffer.from([8, 0])),
        element(0x60000022, 'LO', `seen by ${FAMILY}`),
        element(0x60001500, 'LO', FAMILY),
        element(0x60003000, 'OB', `${FAMILY}${GIVEN}`),
      ],
    ],
    ['a UID that is none', [element(0x0008001a, 'UI', `1.2.${FAMILY}`), element(0x00080016, 'UI', FAMILY)]],
    ['padding at the end', [element(0xfffcfffc, 'OB', FAMILY)]],
    ['structured text in bytes', [element(0x00420011, 'OB', `%PDF-1.4 (${FAMILY}) endobj`)]],
    [
      'a report',
      [
        sequence(0x0040a730, 'SQ', [
          element(0x0040a123, 'PN', `${FAMILY}^${GIVEN}`),
          element(0x0040a160, 'UT', `${FAMILY} has a cough`),
        ]),
      ],
    ],
  ])('is gone from %s', async (_, more) => {
    const file = fileOf(more);
    expect(file.toString('latin1').toLowerCase().includes(FAMILY.toLowerCase())).toBe(true);
    const { summary, copies } = await run({ [`${FAMILY}/${NUMBER}.dcm`]: file }, { allowBurnedIn: true });
    expect(summary).toMatchObject({ files: 1, written: 1, skipped: [] });
    expectNothingOf(copies[0]!, [FAMILY, GIVEN, NUMBER, UID, 'Someone']);
  });

  it('leaves free text alone that holds no name', async () => {
    const { copies } = await run({ 'a.dcm': fileOf([element(0x00281055, 'LO', 'Iopamidol 300, oral')]) });
    expect(copies[0]!.includes('Iopamidol 300, oral')).toBe(true);
  });

  it.each([
    ['UTF-8', 'ISO_IR 192', Buffer.from('Ødegård^Sjöfn', 'utf8'), Buffer.from('für SJOFN Ødegård', 'utf8')],
    [
      'GB18030',
      'GB18030',
      GB_NAME,
      Buffer.concat([Buffer.from('CT '), GB_JOINED, Buffer.from([0xd0, 0xd8])]),
    ],
  ])('is gone from descriptions that are kept, in %s', async (_, set, name, text) => {
    const more = [
      element(0x00080005, 'CS', set),
      element(0x00081030, 'LO', text),
      element(0x00100010, 'PN', name),
      element(0x00281055, 'LO', text),
    ];
    const { copies } = await run({ 'a.dcm': fileOf(more) }, { keep: ['descriptors'] });
    expect(copies[0]!.includes(name.subarray(0, 2))).toBe(false);
    expect(copies[0]!.includes(GB_JOINED.subarray(2))).toBe(false);
    expectNothingOf(copies[0]!, ['sjofn', 'Sjöfn', 'Ødegård', 'degard']);
  });

  it('is seen in a comment of the codec or after the last pixel, and then there is no copy', async () => {
    const comment = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xfe, 0, 12]), Buffer.from(FAMILY)]);
    const item = (bytes: Buffer): Buffer => {
      const head = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0]);
      head.writeUInt32LE(bytes.length, 4);
      return Buffer.concat([head, bytes]);
    };
    const fragments = [item(Buffer.alloc(0)), item(Buffer.concat([comment, Buffer.from([0])]))];
    const end = Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0]);
    const start = Buffer.from([0xe0, 0x7f, 0x10, 0x00, 0x4f, 0x42, 0, 0, 0xff, 0xff, 0xff, 0xff]);
    const size = [0x00280010, 0x00280011].map((tag) => element(tag, 'US', Buffer.from([8, 0])));
    const encapsulated = Buffer.concat([fileOf(size, JPEG), start, ...fragments, end]);
    const native = fileOf(
      [...size, element(0x7fe00010, 'OW', `${'\0'.repeat(128)}${NUMBER}`)],
      EXPLICIT,
      '2',
    );
    const { summary, copies } = await run(
      { 'a.dcm': encapsulated, 'b.dcm': native },
      { allowBurnedIn: true },
    );
    expect(summary.skipped.map(({ reason }) => reason)).toEqual([
      'identifier-in-pixel-data',
      'identifier-in-pixel-data',
    ]);
    expect(copies).toEqual([]);
  });

  it('is not seen in a ramp of grey levels, though the number of the patient is one', async () => {
    const ramp = Buffer.from(Array.from({ length: 256 }, (_, i) => i));
    const wide = Buffer.from(ramp.toString('latin1'), 'utf16le');
    const more = [
      element(0x00100020, 'LO', '0123456789'),
      element(0x7fe00010, 'OW', Buffer.concat([ramp, wide])),
    ];
    // Without rows and columns nothing can look at the pixels, and that is allowed here.
    const { summary } = await run({ 'a.dcm': fileOf(more) }, { allowBurnedIn: true });
    expect(summary).toMatchObject({ written: 1, skipped: [] });
  });

  it('is not copied with a DICOMDIR', async () => {
    const records = sequence(0x00041220, 'SQ', [element(0x00100010, 'PN', FAMILY)]);
    const { summary } = await run({ DICOMDIR: fileOf([records]) });
    expect(summary.skipped.map(({ reason }) => reason)).toEqual(['dicomdir']);
  });

  it('is not missed in fifty thousand items', async () => {
    const items = Array.from({ length: 50_000 }, (_, i) =>
      element(0x00081155, 'UI', `${UID}.${i}.${FAMILY.length}`),
    );
    const heads = items.map((bytes) => {
      const head = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0]);
      head.writeUInt32LE(bytes.length, 4);
      return Buffer.concat([head, bytes]);
    });
    const began = performance.now();
    const { copies } = await run({ 'a.dcm': fileOf([element(0x00081140, 'SQ', Buffer.concat(heads))]) });
    expect(performance.now() - began).toBeLessThan(20_000);
    expectNothingOf(copies[0]!);
  });
});

describe('A burned-in flag inside a sequence', () => {
  it.each([
    ['YES', ['burned-in-annotation']],
    ['NO', []],
  ])('%s is taken at its word', async (value, reasons) => {
    const nested = sequence(0x00081140, 'SQ', [
      sequence(0x00081115, 'SQ', [element(0x00280301, 'CS', value)]),
    ]);
    const { summary } = await run({ 'a.dcm': fileOf([nested]) });
    expect(summary.skipped.map(({ reason }) => reason)).toEqual(reasons);
  });
});
