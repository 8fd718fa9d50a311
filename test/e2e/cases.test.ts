import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { filesBelow, groundmark, jsonLines, oneJson, temporaryFolder, type Ended } from '../helpers/e2e.js';
import { describeShared, sharedPath } from '../helpers/shared.js';
import { acceptable, type Key, type PublicItem } from './protocol.js';

const MINUTES = 60_000;

interface Evidence {
  readonly caseId: string;
  readonly dropped: string | null;
  readonly finding: { readonly text: string; readonly start: number; readonly end: number };
  readonly references: readonly { readonly position: number }[];
  readonly candidates: readonly { readonly ratings: Record<string, string> }[];
}

const between = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, i) => first + i);

describeShared('groundmark build on three real cases with two readers', 'cases', () => {
  const root = temporaryFolder();
  let run: Ended;
  let evidence: Evidence[] = [];
  let kept: Evidence[] = [];

  beforeAll(async () => {
    const cases = sharedPath('cases');
    const reader = (id: string): string =>
      `  - { id: ${id}, model: file, nominations: ${cases}/nominations.jsonl, ratings: ${cases}/ratings.jsonl }\n`;
    await writeFile(
      path.join(root, 'groundmark.yaml'),
      `cases: ${cases}/cases.csv\nreviewers:\n${reader('reader-1')}${reader('reader-2')}questions: { sets: 2 }\n`,
    );
    run = await groundmark(['build', '-w', root, '--json']);
    evidence = run.code === 0 ? await jsonLines<Evidence>(root, 'retrieve/evidence.jsonl') : [];
    kept = evidence.filter(({ dropped }) => dropped === null);
  }, 5 * MINUTES);

  it('ends with 0', () => {
    expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: run.stderr });
    expect(oneJson(run.stdout)['stages']).toHaveLength(10);
  });

  // shared/data/cases/README.md, one position of the readers' neighbours on either side.
  it.each([
    ['chest-01', 'mass', between(7, 11)],
    ['head-01', 'temporo-occipital', between(9, 14)],
    ['head-01', 'choroid', between(13, 15)],
    ['head-01', 'periventricular', between(16, 19)],
    ['abdomen-01', 'gallbladder', between(0, 3)],
  ])('%s, %s: 1 to 3 references, all where the readers saw it', (caseId, word, allowed) => {
    const found = kept.filter(
      (one) => one.caseId === caseId && one.finding.text.toLowerCase().includes(word),
    );
    expect(found.length).toBeGreaterThanOrEqual(1);
    const positions = found[0]!.references.map(({ position }) => position);
    expect(positions.length).toBeGreaterThanOrEqual(1);
    expect(positions.length).toBeLessThanOrEqual(3);
    expect(positions.filter((position) => !allowed.includes(position))).toEqual([]);
  });

  it('asks about nothing that the reports deny or call normal', () => {
    const nonFindings =
      /no pleural effusion|left lung is clear|hemorrhage|unchanged|symmetrically|homogeneously|cisterns/iu;
    expect(evidence.length).toBeGreaterThan(0);
    expect(kept.map(({ finding }) => finding.text).filter((text) => nonFindings.test(text))).toEqual([]);
  });

  it('quotes the reports exactly, offsets in code points', async () => {
    for (const { caseId, finding } of evidence) {
      const report = await readFile(sharedPath('cases', caseId, 'report.txt'), 'utf8');
      expect([...report].slice(finding.start, finding.end).join('')).toBe(finding.text);
    }
  });

  it('keeps both readers’ ratings apart', () => {
    const readers = new Set(
      kept.flatMap(({ candidates }) => candidates.flatMap(({ ratings }) => Object.keys(ratings))),
    );
    expect([...readers].sort()).toEqual(['reader-1', 'reader-2']);
  });

  it('gives at least four items that keep to the protocol', async () => {
    const items = await jsonLines<PublicItem>(root, 'mcq/items.jsonl');
    const keys = new Map((await jsonLines<Key>(root, 'mcq/key.jsonl')).map((key) => [key.id, key]));
    expect(items.length).toBeGreaterThanOrEqual(4);
    for (const item of items) {
      const key = keys.get(item.id)!;
      expect(item.choices.map(({ letter }) => letter).join('')).toBe('ABCDE');
      expect(item.images.length).toBeGreaterThanOrEqual(7);
      expect(item.images.length).toBeLessThanOrEqual(12);
      expect([...acceptable(key)].sort()).toEqual(
        key.images
          .filter(({ role }) => role === 'reference')
          .map(({ id }) => id)
          .sort(),
      );
    }
  });

  it(
    'can be released and verified, and is not changed by it',
    async () => {
      const released = await groundmark(['release', '-w', root, '--json']);
      expect({ code: released.code, stderr: released.stderr }).toEqual({ code: 0, stderr: released.stderr });
      const verified = await groundmark(['verify', path.join(root, 'release'), '-w', root, '--json']);
      expect([verified.code, oneJson(verified.stdout)['ok']]).toEqual([0, true]);
      const bundle = path.join(root, 'release/public');
      const reports = await Promise.all(
        ['abdomen-01', 'chest-01', 'head-01'].map((id) =>
          readFile(sharedPath('cases', id, 'report.txt'), 'utf8'),
        ),
      );
      const lines = reports.flatMap((report) => report.split('\n')).filter((line) => line.length > 40);
      for (const file of (await filesBelow(bundle)).filter((name) => !name.endsWith('.png'))) {
        const text = await readFile(path.join(bundle, file), 'utf8');
        expect([...lines, 'chest-01', 'head-01', 'abdomen-01'].filter((line) => text.includes(line))).toEqual(
          [],
        );
      }
      expect((await groundmark(['build', '-w', root, '--json'])).stderr).not.toMatch(/\(\d+(?:\.\d)? s\)/u);
    },
    2 * MINUTES,
  );
});
