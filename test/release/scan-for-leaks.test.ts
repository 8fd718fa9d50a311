import { describe, expect, it } from 'vitest';
import { scanForLeaks, type BundleFile, type Needle } from '../../src/release/index.js';
import { compressedTextChunk, internationalTextChunk, noisePng, textChunk } from './png-fixture.js';
import { SECRETS } from './workspace-fixture.js';

const NEEDLES: Needle[] = [
  { kind: 'patient', value: SECRETS.name },
  { kind: 'patient', value: SECRETS.family },
  { kind: 'patient', value: SECRETS.patientId },
  { kind: 'case-id', value: SECRETS.caseId },
  { kind: 'uid', value: SECRETS.sop },
  { kind: 'path', value: 'archive/ward7/slice-0001.dcm' },
  { kind: 'report', value: `FINDINGS:\n${SECRETS.sentence}.\nStable.\n` },
  { kind: 'key-id', value: SECRETS.opaqueSeries },
  { kind: 'item-id', value: 'q7c1' },
];
const PLANTED: Record<string, string> = {
  patient: SECRETS.family,
  'case-id': SECRETS.caseId,
  uid: SECRETS.sop,
  path: 'archive/ward7/slice-0001.dcm',
  report: SECRETS.sentence,
  'key-id': SECRETS.opaqueSeries,
};

const png = await noisePng('clean');
const text = (path: string, content: string): BundleFile => ({ path, bytes: Buffer.from(content) });

/** Every place a secret can be in, as a file that holds it there. */
const PLACES: Record<string, (secret: string) => BundleFile> = {
  'a field of items.jsonl': (s) =>
    text('items.jsonl', `${JSON.stringify({ id: 'q1', question: `Is it ${s}?` })}\n`),
  'a key of JSON': (s) => text('notes.json', JSON.stringify({ [s]: 1 })),
  'an escaped JSON string': (s) =>
    text(
      'a.json',
      `{"x":"${[...s].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}`,
    ),
  'README.md': (s) => text('README.md', `# Card\n\nSee (${s}).\n`),
  'README.md in capitals': (s) => text('README.md', `See ${s.toUpperCase()} there`),
  'UTF-16 text': (s) => ({ path: 'notes.txt', bytes: Buffer.from(`\ufeffsee ${s} there`, 'utf16le') }),
  'a PNG tEXt chunk': (s) => ({ path: 'images/q1/img01.png', bytes: textChunk(png, s) }),
  'a PNG zTXt chunk': (s) => ({ path: 'images/q1/img01.png', bytes: compressedTextChunk(png, s) }),
  'a PNG iTXt chunk': (s) => ({ path: 'images/q1/img01.png', bytes: internationalTextChunk(png, s) }),
  'bytes after the PNG': (s) => ({
    path: 'images/q1/img01.png',
    bytes: Buffer.concat([png, Buffer.from(s)]),
  }),
  'the middle of binary data': (s) => ({
    path: 'blob.bin',
    bytes: Buffer.concat([
      Buffer.from([0xff, 0xfe, 0x80, 0x03]),
      Buffer.from(`:${s}:`),
      Buffer.alloc(9, 0x90),
    ]),
  }),
  'a file name': (s) => text(`images/${s}.png`, 'x'),
  'base64 text': (s) => text('README.md', `data: ${Buffer.from(s).toString('base64')}`),
  'base64 after one byte': (s) => text('README.md', Buffer.from(`?${s}!!`).toString('base64')),
  'base64 after two bytes': (s) => text('README.md', Buffer.from(`??${s}!`).toString('base64')),
  'base64 in short lines': (s) =>
    text(
      'README.md',
      Buffer.from(s)
        .toString('base64')
        .replace(/(.{5})/g, '$1\n'),
    ),
  'hexadecimal text': (s) => text('README.md', Buffer.from(s).toString('hex').toUpperCase()),
};

const GRID = Object.keys(PLACES).flatMap((place) => Object.keys(PLANTED).map((kind) => ({ place, kind })));

describe('scanForLeaks', () => {
  it.each(GRID)('finds a planted $kind in $place', ({ place, kind }) => {
    const file = PLACES[place]!(PLANTED[kind]!);
    const hits = scanForLeaks([text('README.md', 'clean'), file], NEEDLES);
    expect(hits.map((hit) => hit.kind)).toContain(kind);
    expect(hits.filter((hit) => hit.kind === kind).every((hit) => hit.file === file.path)).toBe(true);
  });

  it('says what and where, never the value', () => {
    const [hit] = scanForLeaks([text('README.md', `by ${SECRETS.family}`)], NEEDLES);
    expect(hit).toEqual({ file: 'README.md', kind: 'patient', form: 'plain', place: 'bytes' });
  });

  it.each([
    {
      written: 'a spiculated  mass of\n23 mm abuts the LEFT major fissure, with pleural retraction',
      why: 'spacing, case and punctuation',
    },
    { written: 'we saw mass of 23 mm abuts the left major and more', why: 'eight words of a sentence' },
  ])('finds a report sentence written with other $why', ({ written }) => {
    expect(scanForLeaks([text('README.md', written)], NEEDLES).map((hit) => hit.kind)).toContain('report');
  });

  it('finds a name without its accents and with them decomposed', () => {
    const needles: Needle[] = [{ kind: 'patient', value: 'Müllerström' }];
    for (const written of ['Mullerstrom', 'Mu\u0308llerstro\u0308m', 'MÜLLERSTRÖM']) {
      expect(scanForLeaks([text('README.md', written)], needles), written).not.toEqual([]);
    }
    expect(
      scanForLeaks([{ path: 'a.txt', bytes: Buffer.from('Müllerström', 'latin1') }], needles),
    ).not.toEqual([]);
  });

  it.each([
    { kind: 'uid-pattern', content: 'series 1.3.12.2.1107.5.1.4 of' },
    { kind: 'uid-pattern', content: '2.25.329800735698586629295641978511506172918' },
    { kind: 'date-pattern', content: 'scanned 20190304' },
    { kind: 'date-pattern', content: 'scanned 2019-03-04' },
    { kind: 'e-mail', content: 'ask jo.doe@clinic.example.org' },
    { kind: 'absolute-path', content: 'from /mnt/pacs/7/1.dcm' },
    { kind: 'absolute-path', content: 'from C:\\pacs\\one' },
    { kind: 'answer-letter', content: '{"answer":"C"}' },
    { kind: 'answer-letter', content: 'q7c1,B' },
    { kind: 'role-word', content: 'role: reference' },
    { kind: 'secret-key', content: 'AGE-SECRET-KEY-1QQQ' },
  ])('needs no needle for $kind: $content', ({ kind, content }) => {
    expect(scanForLeaks([text('notes.md', content)], NEEDLES).map((hit) => hit.kind)).toContain(kind);
  });

  it.each([
    { record: { id: 'q1', role: 'x' }, kind: 'key-field' },
    { record: { id: 'q1', images: [{ id: 'img01', position: 4 }] }, kind: 'key-field' },
    { record: { id: 'q1', correct_answer: 2 }, kind: 'key-field' },
    { record: { q7c1: 'D' }, kind: 'answer-letter' },
    { record: { item: 'q7c1', x: 'D' }, kind: 'answer-letter' },
    { record: [['q7c1', 'd']], kind: 'answer-letter' },
  ])('finds a field of the key: $record', ({ record, kind }) => {
    expect(scanForLeaks([text('a.json', JSON.stringify(record))], NEEDLES).map((hit) => hit.kind)).toContain(
      kind,
    );
  });

  it('passes a clean bundle, also where hashes, sizes and words come near a needle', () => {
    const needles: Needle[] = [
      ...NEEDLES,
      { kind: 'patient', value: '4821' },
      { kind: 'patient', value: 'Lee' },
      { kind: 'patient', value: '19480312' },
      { kind: 'patient', value: 'ab12' },
    ];
    const files = [
      text(
        'items.jsonl',
        `${JSON.stringify({ id: 'q7c1', question: 'Sleep apnoea?', choices: [{ letter: 'A', text: 'upper' }], sha256: `00${'4821ab12'.repeat(7)}194803120`.slice(0, 64) })}\n`,
      ),
      text('manifest.json', JSON.stringify({ files: [{ path: 'README.md', bytes: 4821 }] })),
      text(
        'README.md',
        'Fleece, 1.2.3, 48210 images, and/or. Stable. https://example.org/draft/2020-12/schema\n',
      ),
      { path: 'images/q7c1/img01.png', bytes: png },
    ];
    expect(scanForLeaks(files, needles)).toEqual([]);
  });

  it.each(['Lee', '4821', 'ab12'])('finds the short value %s as a word of its own', (value) => {
    const hits = scanForLeaks(
      [text('README.md', `seen (${value.toUpperCase()}).`)],
      [{ kind: 'patient', value }],
    );
    expect(hits.map((hit) => hit.form)).toEqual(['word']);
  });
});
