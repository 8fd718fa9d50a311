// A folder of DICOM files of mixed kinds, made from a seed: what the index benchmarks and the fuzzer read. The pictures are
// 16 x 16 pixels; the headers are as long as those of the real files of each kind (2 KB to 150 KB).
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const IMPLICIT = '1.2.840.10008.1.2';
const EXPLICIT = '1.2.840.10008.1.2.1';
const JPEG_LOSSLESS = '1.2.840.10008.1.2.4.70';
const LONG = new Set(['OB', 'OD', 'OF', 'OL', 'OW', 'SQ', 'UN', 'UT', 'UC', 'UR']);

/** One element; `value` is text, a Buffer, or the items of a sequence (Buffers). */
function element(tag, vr, value, implicit) {
  let bytes;
  if (vr === 'SQ') {
    bytes = Buffer.concat(value.flatMap((item) => [itemHead(item.length), item]));
  } else if (typeof value === 'string') {
    bytes = Buffer.from(value.length % 2 ? value + (vr === 'UI' ? '\0' : ' ') : value, 'latin1');
  } else if (typeof value === 'number') {
    bytes = Buffer.alloc(2);
    bytes.writeUInt16LE(value);
  } else bytes = value;
  const long = !implicit && LONG.has(vr);
  const head = Buffer.alloc(long ? 12 : 8);
  head.writeUInt16LE(tag >>> 16, 0);
  head.writeUInt16LE(tag & 0xffff, 2);
  if (implicit) head.writeUInt32LE(bytes.length, 4);
  else {
    head.write(vr, 4, 'latin1');
    if (long) head.writeUInt32LE(bytes.length, 8);
    else head.writeUInt16LE(bytes.length, 6);
  }
  return Buffer.concat([head, bytes]);
}

function itemHead(length) {
  const head = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0]);
  head.writeUInt32LE(length, 4);
  return head;
}

function fd(...numbers) {
  const bytes = Buffer.alloc(numbers.length * 8);
  numbers.forEach((number, i) => bytes.writeDoubleLE(number, i * 8));
  return bytes;
}

function fileOf(syntax, sopClass, sop, elements) {
  const implicit = syntax === IMPLICIT;
  const meta = Buffer.concat([
    element(0x00020001, 'OB', Buffer.from([0, 1])),
    element(0x00020002, 'UI', sopClass),
    element(0x00020003, 'UI', sop),
    element(0x00020010, 'UI', syntax),
    element(0x00020012, 'UI', '2.25.1'),
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(meta.length);
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    element(0x00020000, 'UL', length),
    meta,
    ...elements.map(([tag, vr, value]) => element(tag, vr, value, implicit)),
  ]);
}

const PIXELS = Buffer.alloc(16 * 16 * 2, 7);

// Attributes that every scanner writes and no row needs, to the length of a real header (PS3.3 CT and General modules).
const MORE = Array.from({ length: 30 }, (_, i) => [0x00209200 + i, 'LO', `attribute ${i} of a real header`]);

/** What every image of a kind says: [tag, VR, value] in order of tag, for slice `z` of a series. */
function slice({ modality, sopClass, study, series, seriesNumber, z, description }) {
  return [
    [0x00080005, 'CS', 'ISO_IR 100'],
    [0x00080008, 'CS', 'ORIGINAL\\PRIMARY\\AXIAL'],
    [0x00080016, 'UI', sopClass],
    [0x00080018, 'UI', `${series}.${z + 1}`],
    [0x00080020, 'DA', '20200101'],
    [0x00080030, 'TM', '120000'],
    [0x00080060, 'CS', modality],
    [0x00080070, 'LO', 'MAKER'],
    [0x0008103e, 'LO', description],
    [0x00100010, 'PN', 'Phantom^Bench'],
    [0x00100020, 'LO', 'P1'],
    [0x00180015, 'CS', 'CHEST'],
    [0x00180050, 'DS', '2.5'],
    [0x00181030, 'LO', 'PROTOCOL'],
    [0x0020000d, 'UI', study],
    [0x0020000e, 'UI', series],
    [0x00200011, 'IS', String(seriesNumber)],
    [0x00200013, 'IS', String(z + 1)],
    [0x00200032, 'DS', `-120.5\\-130.25\\${(z * 2.5).toFixed(2)}`],
    [0x00200037, 'DS', '1\\0\\0\\0\\1\\0'],
    [0x00200052, 'UI', `${study}.0`],
    ...MORE,
    [0x00280002, 'US', 1],
    [0x00280004, 'CS', 'MONOCHROME2'],
    [0x00280010, 'US', 16],
    [0x00280011, 'US', 16],
    [0x00280030, 'DS', '0.7\\0.7'],
    [0x00280100, 'US', 16],
    [0x00280101, 'US', 12],
    [0x00280102, 'US', 11],
    [0x00280103, 'US', 0],
    [0x00281050, 'DS', '40'],
    [0x00281051, 'DS', '400'],
    [0x00281052, 'DS', '-1024'],
    [0x00281053, 'DS', '1'],
    [0x7fe00010, 'OW', PIXELS],
  ];
}

const withElement = (elements, ...more) => [...elements, ...more].sort((a, b) => a[0] - b[0]);

const CT = '1.2.840.10008.5.1.4.1.1.2';
const MR = '1.2.840.10008.5.1.4.1.1.4';

/** Kinds of series: their share of the files in thousandths, how many files one has, and one file's bytes. */
const KINDS = [
  {
    share: 415,
    slices: 120,
    make: (at) =>
      fileOf(
        EXPLICIT,
        CT,
        sopOf(at),
        slice({ ...at, modality: 'CT', sopClass: CT, description: 'Chest 2.5 soft' }),
      ),
  },
  {
    share: 150,
    slices: 60,
    make: (at) =>
      fileOf(IMPLICIT, CT, sopOf(at), slice({ ...at, modality: 'CT', sopClass: CT, description: 'Abdomen' })),
  },
  {
    share: 200,
    slices: 30,
    // Some hundred short private elements, as GE writes them.
    make: (at) =>
      fileOf(
        EXPLICIT,
        MR,
        sopOf(at),
        withElement(
          slice({ ...at, modality: 'MR', sopClass: MR, description: 'Ax T2' }),
          [0x00430010, 'LO', 'BENCH PRIVATE'],
          ...Array.from({ length: 300 }, (_, i) => [0x00431000 + i, 'LO', `value ${i} of the private block`]),
        ),
      ),
  },
  {
    share: 150,
    slices: 30,
    // One long private block before the pixel data, as Siemens writes it.
    make: (at) =>
      fileOf(
        EXPLICIT,
        MR,
        sopOf(at),
        withElement(
          slice({ ...at, modality: 'MR', sopClass: MR, description: 't1_mprage' }),
          [0x00290010, 'LO', 'BENCH CSA'],
          [0x00291010, 'OB', Buffer.alloc(12_000, 1)],
          [0x00291020, 'OB', Buffer.alloc(90_000, 2)],
        ),
      ),
  },
  {
    share: 55,
    slices: 20,
    // One fragment behind an empty offset table; the content is never decoded by the index.
    make: (at) => encapsulated(at),
  },
  { share: 5, slices: 1, make: (at) => enhanced(at) },
  {
    share: 20,
    slices: 1,
    make: (at) =>
      fileOf(
        EXPLICIT,
        '1.2.840.10008.5.1.4.1.1.88.11',
        sopOf(at),
        slice({
          ...at,
          modality: 'SR',
          sopClass: '1.2.840.10008.5.1.4.1.1.88.11',
          description: 'report',
        }).filter(([tag]) => tag < 0x00280000),
      ),
  },
  {
    share: 5,
    slices: 3,
    make: () => Buffer.from('no DICOM here, but a file that an archive holds all the same\n'),
  },
];

function sopOf({ series, z }) {
  return `${series}.${z + 1}`;
}

function encapsulated(at) {
  const head = fileOf(
    JPEG_LOSSLESS,
    CT,
    sopOf(at),
    slice({ ...at, modality: 'CT', sopClass: CT, description: 'compressed' }).slice(0, -1),
  );
  const tag = Buffer.from([0xe0, 0x7f, 0x10, 0x00, 0x4f, 0x42, 0, 0, 0xff, 0xff, 0xff, 0xff]);
  const code = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xc3]), Buffer.alloc(60, 3)]);
  const end = Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0]);
  return Buffer.concat([head, tag, itemHead(0), itemHead(code.length), code, end]);
}

/** 60 frames with functional groups, about 40 KB of header in sequences and 100 KB of private ones. */
function enhanced(at) {
  const sopClass = '1.2.840.10008.5.1.4.1.1.4.1';
  const sequence = (tag, ...elements) => [
    tag,
    'SQ',
    [Buffer.concat(elements.map(([t, vr, value]) => element(t, vr, value)))],
  ];
  const frames = Array.from({ length: 60 }, (_, frame) =>
    Buffer.concat(
      [
        sequence(0x00189117, [0x00189087, 'FD', fd(frame % 2 ? 1000 : 0)]),
        sequence(0x00209111, [0x00209056, 'SH', '1'], [0x00209057, 'UL', Buffer.from([frame + 1, 0, 0, 0])]),
        sequence(0x00209113, [0x00200032, 'DS', `-100\\-100\\${(frame >> 1) * 3}`]),
        sequence(0x00209116, [0x00200037, 'DS', '1\\0\\0\\0\\1\\0']),
        [
          0x2005140f,
          'SQ',
          [Buffer.concat([element(0x00180081, 'DS', '90'), element(0x00181030, 'LO', 'x'.repeat(1600))])],
        ],
      ].map(([tag, vr, value]) => element(tag, vr, value)),
    ),
  );
  const shared = Buffer.concat([
    element(...sequence(0x00289110, [0x00180050, 'DS', '3'], [0x00280030, 'DS', '1\\1'])),
  ]);
  const elements = slice({ ...at, modality: 'MR', sopClass, description: 'DWI enhanced' }).filter(
    ([tag]) => ![0x00200032, 0x00200037, 0x00280030, 0x00180050, 0x7fe00010].includes(tag),
  );
  return fileOf(
    EXPLICIT,
    sopClass,
    sopOf(at),
    withElement(
      elements,
      [0x00280008, 'IS', '60'],
      [0x52009229, 'SQ', [shared]],
      [0x52009230, 'SQ', frames],
      [0x7fe00010, 'OW', Buffer.alloc(60 * 512, 1)],
    ),
  );
}

/** A small generator of whole numbers below n; the same seed gives the same tree. */
function generator(seed) {
  let state = seed >>> 0;
  return (n) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * n);
  };
}

/**
 * Writes a tree of `count` files below `root`, study by series by file.
 *
 * @returns {{ files: number, bytes: number, kinds: number[] }}
 */
export function makeDicomTree(root, count, seed = 0) {
  const below = generator(seed + 1);
  // A series comes the more often, the fewer files it has, so that the shares are those of files.
  const often = KINDS.map(({ share, slices }) => Math.round((share * 1000) / slices));
  const total = often.reduce((sum, times) => sum + times, 0);
  const kinds = KINDS.map(() => 0);
  let files = 0;
  let bytes = 0;
  for (let s = 0; files < count; s++) {
    let pick = below(total);
    const k = often.findIndex((times) => (pick -= times) < 0);
    const study = `2.25.${1000 + (s >> 3)}`;
    const series = `${study}.${s}`;
    const folder = path.join(root, `study-${String(s >> 3).padStart(5, '0')}`, `series-${s}`);
    mkdirSync(folder, { recursive: true });
    for (let z = 0; z < KINDS[k].slices && files < count; z++) {
      const content = KINDS[k].make({ study, series, seriesNumber: s % 8, z });
      writeFileSync(path.join(folder, `IM${String(z).padStart(4, '0')}`), content);
      kinds[k]++;
      files++;
      bytes += content.length;
    }
  }
  return { files, bytes, kinds };
}

/** One file of each kind, for tests and fuzzing. */
export function oneOfEachKind() {
  return KINDS.map(({ make }, i) => make({ study: '2.25.1', series: `2.25.1.${i}`, seriesNumber: i, z: 0 }));
}
