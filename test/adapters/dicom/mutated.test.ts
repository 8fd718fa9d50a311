import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { oneOfEachKind } from '../../../bench/make-dicom-tree.mjs';
import { mutate, random } from '../../../bench/mutate.mjs';
import { readFramePixels, scanHeader, walkFiles } from '../../../src/adapters/dicom/index.js';
import { parseHeader } from '../../../src/adapters/dicom/scan-header.js';
import { GroundmarkError } from '../../../src/domain/error.js';
import { dicomFile, encapsulated, head, mark, type Element } from '../../helpers/dicom-bytes.js';
import { CT_ELEMENTS, changed } from '../../helpers/header-files.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';

/** Every reason that a broken DICOM file may be refused for. */
const REASONS: ReadonlySet<string> = new Set([
  'not-dicom',
  'empty-file',
  'cut-off-header',
  'bad-header',
  'dicomdir',
  'no-pixel-data',
  'bad-pixel-module',
  'truncated-pixels',
  'too-many-frames',
  'unsupported-pixels',
]);
const LONGEST_MS = 2000;
const MOST_BYTES = 200e6;
/** Larger sources make the suite slow and are mutated in `bench/fuzz-dicom.mjs`. */
const LARGEST_SOURCE = 300_000;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'groundmark-mutated-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What reading gave, as text that can be compared: `rows`, or the code of a refusal. */
async function attempt(faults: string[], name: string, read: () => Promise<unknown>) {
  const before = process.memoryUsage().arrayBuffers;
  const began = performance.now();
  let outcome: { code: string } | { value: unknown };
  try {
    outcome = { value: await read() };
  } catch (error) {
    const code = error instanceof GroundmarkError ? error.code : `crash: ${String(error)}`;
    if (!REASONS.has(code)) faults.push(`${name}: ${code}`);
    outcome = { code };
  }
  if (performance.now() - began > LONGEST_MS) faults.push(`${name}: longer than ${LONGEST_MS} ms`);
  const taken = process.memoryUsage().arrayBuffers - before;
  if (taken > MOST_BYTES) faults.push(`${name}: took ${taken} bytes`);
  return outcome;
}

/** Mutates the sources in turn; gives what must not happen, and how many files became rows. */
async function readMutated(sources: readonly Uint8Array[], count: number) {
  const file = path.join(folder, 'mutated.dcm');
  const faults: string[] = [];
  let parsed = 0;
  for (let n = 0; n < count; n++) {
    writeFileSync(file, mutate(sources[n % sources.length]!, random(n)));
    const scanned = await attempt(faults, `header of ${n}`, () => scanHeader(file));
    const byParser = await attempt(faults, `header of ${n} by dicom-parser`, () => parseHeader(file));
    // Damage in a sequence that no row needs is stepped over by the scanner alone.
    const same = JSON.stringify(scanned) === JSON.stringify(byParser);
    if (!same && 'value' in byParser) faults.push(`${n}: the scanner and dicom-parser differ`);
    if ('value' in scanned) parsed++;
    await attempt(faults, `pixels of ${n}`, () => readFramePixels(file, 0));
  }
  return { faults, parsed };
}

it('Broken files of every made kind are parsed alike by both readers, or refused with a reason', async () => {
  const { faults, parsed } = await readMutated(oneOfEachKind(), 300);
  expect(faults).toEqual([]);
  // Some faults fall into values that mean nothing to a row; most do harm.
  expect(parsed).toBeGreaterThan(60);
  expect(parsed).toBeLessThan(240);
});

describeShared('Broken copies of real files', 'dicom', () => {
  it('are parsed alike by both readers, or refused with a reason, whatever the kind', async () => {
    const kinds = new Map<string, string>();
    for (const { path: file } of await walkFiles(sharedPath('dicom'))) {
      if (statSync(file).size > LARGEST_SOURCE) continue;
      const kind = await scanHeader(file).then(
        ([row]) =>
          [
            row!.transferSyntaxUid,
            row!.sopClassUid,
            row!.photometricInterpretation,
            row!.bitsAllocated,
          ].join(),
        (error: GroundmarkError) => error.code,
      );
      if (!kinds.has(kind)) kinds.set(kind, file);
    }
    expect(kinds.size).toBeGreaterThan(60);
    const sources = [...kinds.values()].map((file) => readFileSync(file));
    const { faults, parsed } = await readMutated(sources, 400);
    expect(faults).toEqual([]);
    expect(parsed).toBeGreaterThan(80);
    expect(parsed).toBeLessThan(320);
  });
});

const FRAMES: Element = [0x00280008, 'IS', '4000000000'];
const HUGE_SIDES: readonly Element[] = [
  [0x00280010, 'US', 0xffff],
  [0x00280011, 'US', 0xffff],
];
const JPEG_LOSSLESS = '1.2.840.10008.1.2.4.70';
const withoutPixels = (...changes: Element[]): Element[] =>
  changed(CT_ELEMENTS, [0x7fe00010, null], ...changes);

it.each([
  ['4 billion frames', dicomFile(changed(CT_ELEMENTS, FRAMES))],
  ['4 billion pixels', dicomFile(changed(CT_ELEMENTS, ...HUGE_SIDES))],
  [
    '4 billion compressed frames',
    Buffer.concat([
      dicomFile(withoutPixels(FRAMES), { syntax: JPEG_LOSSLESS }),
      encapsulated(0x7fe00010, Uint8Array.of(0xff, 0xd8, 0xff, 0xd9)),
    ]),
  ],
  [
    'a fragment of 2 GB',
    Buffer.concat([
      dicomFile(withoutPixels(), { syntax: JPEG_LOSSLESS }),
      head(0x7fe00010, 'OB', 0xffffffff),
      mark(0xfffee000, 0),
      mark(0xfffee000, 0x7ffffffe),
      Buffer.alloc(100),
    ]),
  ],
  [
    'an offset table of 4 GB',
    Buffer.concat([
      dicomFile(withoutPixels(), { syntax: JPEG_LOSSLESS }),
      head(0x7fe00010, 'OB', 0xffffffff),
      mark(0xfffee000, 0xfffffffc),
      Buffer.alloc(100),
    ]),
  ],
])('%s that only the header announces are refused without memory for them', async (_, bytes) => {
  const file = path.join(folder, 'huge.dcm');
  writeFileSync(file, bytes);
  const faults: string[] = [];
  for (const read of [scanHeader, parseHeader]) {
    expect(await attempt(faults, read.name, () => read(file))).toEqual({ code: 'truncated-pixels' });
  }
  // The first frame may be there.
  await attempt(faults, 'pixels', () => readFramePixels(file, 0));
  expect(faults).toEqual([]);
});
