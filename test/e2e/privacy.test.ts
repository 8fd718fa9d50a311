import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoRun, filesBelow, groundmark, oneJson, temporaryFolder, type DemoRun } from '../helpers/e2e.js';
import { chunksOf, pngOf, search, secretsOf, type Chunk, type Secret } from './bundle-search.js';

const MINUTES = 60_000;

let run: DemoRun;
let secrets: Secret[] = [];
let bundle = new Map<string, Buffer>();
const folder = temporaryFolder();

beforeAll(async () => {
  run = await demoRun('seed-0');
  secrets = await secretsOf(run.folder);
  const root = path.join(run.folder, 'release/public');
  const files = await filesBelow(root);
  bundle = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(path.join(root, file))] as const)),
  );
}, 15 * MINUTES);

const PHANTOM_FAMILIES =
  /^(?:Phantomsen|Testperson|Synthmann|Mockridge|Fictiva|Madeupsky|Specimenov|Simulacrum|Dummett|Notrealova)$/u;
const ofKind = (kind: Secret['kind'], like = /^/u): string => {
  const found = secrets.find((secret) => secret.kind === kind && like.test(secret.text));
  if (found === undefined) throw new Error(`no secret of kind ${kind}`);
  return found.text;
};
const aPng = (): string => [...bundle.keys()].find((file) => file.endsWith('.png'))!;

describe('the public bundle of the demo', () => {
  it('is searched for a real number of secrets of every kind', () => {
    const counts: Record<string, number> = {};
    for (const { kind } of secrets) counts[kind] = (counts[kind] ?? 0) + 1;
    // 18 cases of 17 patients; 1332 instances, 72 series, 18 studies, 18 frames of reference.
    expect(counts['case-id']).toBe(18);
    expect(counts['patient-id']).toBe(17);
    expect(counts['accession']).toBe(18);
    expect(counts['uid']).toBeGreaterThanOrEqual(1332 + 72 + 18);
    expect(counts['birth-date']).toBeGreaterThanOrEqual(15);
    expect(counts['name']).toBeGreaterThanOrEqual(10);
    expect(counts['institution']).toBeGreaterThanOrEqual(1);
    expect(counts['sentence']).toBeGreaterThan(200);
    expect(counts['shingle']).toBeGreaterThan(1500);
    expect(counts['series']).toBeGreaterThanOrEqual(18);
    expect(counts['case-group']).toBeGreaterThanOrEqual(15);
  });

  it('holds none of them in any byte, nor a private JSON field', () => {
    expect(bundle.size).toBeGreaterThan(400);
    expect(search(bundle, secrets)).toEqual([]);
  }, 120_000);

  it('has PNGs of a picture and zeros only', () => {
    for (const [file, bytes] of bundle) {
      if (!file.endsWith('.png')) continue;
      const chunks = chunksOf(bytes);
      expect(pngOf(chunks).equals(bytes)).toBe(true);
      for (const { type, data } of chunks) {
        expect(['IHDR', 'IDAT', 'gmPd', 'IEND']).toContain(type);
        if (type === 'gmPd') expect(data.every((byte) => byte === 0)).toBe(true);
      }
    }
  });

  it('passes the product’s own verification', async () => {
    const { code, stdout } = await groundmark(['verify', path.join(run.folder, 'release/public'), '--json']);
    expect([code, oneJson(stdout)['ok']]).toEqual([0, true]);
  }, 120_000);
});

describe('the search', () => {
  const inText = (file: string, text: string): Map<string, Uint8Array> =>
    new Map([[file, Buffer.concat([bundle.get(file)!, Buffer.from(text)])]]);
  const inFirstItem = (change: (item: Item) => unknown): Map<string, Uint8Array> => {
    const [first] = bundle.get('items.jsonl')!.toString('utf8').split('\n');
    const item = JSON.parse(first!) as Item;
    change(item);
    return new Map([['items.jsonl', Buffer.from(JSON.stringify(item))]]);
  };
  const inPng = (extra: Chunk): Map<string, Uint8Array> => {
    const chunks = chunksOf(bundle.get(aPng())!);
    return new Map([[aPng(), pngOf([...chunks.slice(0, -1), extra, chunks.at(-1)!])]]);
  };
  const planted: readonly [string, string, () => Map<string, Uint8Array>][] = [
    ['a family name in the card', 'name', () => inText('README.md', ` by ${ofKind('name', PHANTOM_FAMILIES).toUpperCase()}.`)],
    ['a given name in the card', 'name', () => inText('README.md', ` (${ofKind('name', /^\w{3,5}$/u)}) `)],
    ['a full DICOM name in the prompt', 'name', () => inText('prompt.md', ofKind('name', /\^/u))],
    ['a patient id in a tEXt chunk', 'patient-id', () =>
      inPng({ type: 'tEXt', data: Buffer.from(`Comment\0${ofKind('patient-id')}`) })],
    ['a birth date in a compressed text chunk', 'birth-date', () =>
      inPng({ type: 'zTXt', data: Buffer.concat([Buffer.from('Note\0\0'), deflateSync(ofKind('birth-date'))]) })],
    ['an institution in the pixels', 'institution', () => {
      const chunks = chunksOf(bundle.get(aPng())!);
      const rows = inflateSync(Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)));
      rows.write(ofKind('institution'), 5000, 'latin1');
      const [head] = chunks;
      return new Map([[aPng(), pngOf([head!, { type: 'IDAT', data: deflateSync(rows) }, chunks.at(-1)!])]]);
    }],
    ['an accession number after the end of a PNG', 'accession', () => inText(aPng(), ofKind('accession'))],
    ['an accession number in two-byte characters', 'accession', () =>
      new Map([['x.bin', Buffer.from(ofKind('accession'), 'utf16le')]])],
    ['a UID in the padding', 'uid', () => inPng({ type: 'gmPd', data: Buffer.from(`\0\0${ofKind('uid')}\0\0`) })],
    ['a UID in a file name', 'uid', () => new Map([[`images/${ofKind('uid')}.png`, bundle.get(aPng())!]])],
    ['a report sentence in a question', 'sentence', () =>
      inFirstItem((item) => (item.question = `${ofKind('sentence', /^There is/u)} Where?`))],
    ['a report sentence broken over lines in the card', 'sentence', () =>
      inText('README.md', ofKind('sentence', /^There is/u).replaceAll(' ', '\n  '))],
    ['six words of a report, differently punctuated, in a choice', 'shingle', () =>
      inFirstItem((item) => (item.choices[2]!.text = `A: ${ofKind('shingle', /mass in/u).replaceAll(' ', ', ')}!`))],
    ['a case id in the manifest', 'case-id', () => inText('manifest.json', '').set('manifest.json', Buffer.from(`{"note":"${ofKind('case-id')}"}`))],
    ['a series id of the key as a value', 'series', () => inFirstItem((item) => (item.note = ofKind('series')))],
    ['a case group of the key as a value', 'case-group', () => inFirstItem((item) => (item.note = ofKind('case-group')))],
    ['a role', 'field:role', () => inFirstItem((item) => (item.images[0]!['role'] = 'reference'))],
    ['an answer', 'field:answer', () => inFirstItem((item) => (item.answer = 'A'))],
    ['a position', 'field:position', () => inFirstItem((item) => (item.images[3]!['position'] = 7))],
    ['a series', 'field:series', () => inFirstItem((item) => (item.images[3]!['series'] = 'x'))],
  ]; // prettier-ignore

  it.each(planted)('finds %s', (_what, kind, plant) => {
    expect(search(plant(), secrets).map((hit) => hit.kind)).toContain(kind);
  });

  it('finds nothing in a harmless sentence', () => {
    const harmless = 'Where is the mass? Left frontal lobe. There is no more to say about it.';
    expect(search(new Map([['README.md', Buffer.from(harmless)]]), secrets)).toEqual([]);
  });
});

describe('groundmark verify', () => {
  it.each([
    ['patient id in a PNG', (): Secret['kind'] => 'patient-id'],
    ['UID in a PNG', (): Secret['kind'] => 'uid'],
  ])(
    'refuses a bundle with a planted %s, without repeating it',
    async (_what, kind) => {
      const copy = path.join(folder, `planted-${kind()}`);
      await cp(path.join(run.folder, 'release/public'), copy, { recursive: true });
      const text = ofKind(kind());
      const png = path.join(copy, aPng());
      const chunks = chunksOf(await readFile(png));
      const extra = { type: 'tEXt', data: Buffer.from(`Comment\0${text}`) };
      await writeFile(png, pngOf([chunks[0]!, extra, ...chunks.slice(1)]));
      const { code, stdout, stderr } = await groundmark(['verify', copy, '-w', run.folder, '--json']);
      expect(code).toBe(1);
      const report = oneJson(stdout) as {
        ok: boolean;
        checks: { name: string; ok: boolean; detail: string }[];
      };
      expect(report.ok).toBe(false);
      const failed = report.checks.filter(({ ok }) => !ok);
      expect(failed.some(({ name }) => /leak|private/iu.test(name))).toBe(true);
      expect(failed.some(({ detail }) => detail.includes(aPng()))).toBe(true);
      expect(stdout + stderr).not.toContain(text);
    },
    120_000,
  );
});

describe('what the demo prints', () => {
  it('names no patient, no UID, no report text and no key id', () => {
    const told = `${run.stdout}\n${run.stderr}`.replaceAll(run.folder, 'WORKSPACE');
    // Case ids are the user's own names for cases; messages need them.
    const wanted = secrets.filter(({ kind }) => kind !== 'case-id');
    expect(search(new Map([['printed', Buffer.from(told)]]), wanted)).toEqual([]);
  });
});

interface Item {
  question: string;
  note?: string;
  answer?: string;
  choices: { text: string }[];
  images: Record<string, unknown>[];
}
