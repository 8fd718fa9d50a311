import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  csvRows,
  exists,
  expectRefusal,
  filesBelow,
  groundmark,
  hashesBelow,
  jsonLines,
  oneJson,
  smallWorkspace,
  temporaryFolder,
  type Ended,
} from '../helpers/e2e.js';

const MINUTES = 60_000;

const folder = temporaryFolder();
let copies = 0;

beforeAll(async () => {
  await smallWorkspace(path.join(folder, 'pattern'), 1);
}, 3 * MINUTES);

/** A fresh workspace with one good case, `case-001`, to spoil. */
async function workspace(): Promise<string> {
  const copy = path.join(folder, `ws-${copies++}`);
  await cp(path.join(folder, 'pattern'), copy, { recursive: true });
  return copy;
}

const HEADER = 'case_id,patient_id,dicom_path,report_path';
const GOOD = 'case-001,P-1,cases/case-001/dicom,cases/case-001/report.txt';
const writeCases = (root: string, ...lines: readonly string[]): Promise<void> =>
  writeFile(path.join(root, 'cases.csv'), `${[HEADER, ...lines].join('\n')}\n`);
const build = (root: string, ...more: readonly string[]): Promise<Ended> =>
  groundmark(['build', '-w', root, '--json', ...more]);
/** Up to the reports, which is all that most of these need. */
async function buildTwoStages(root: string): Promise<Ended> {
  const index = await build(root, '--only', 'index');
  return index.code === 0 ? build(root, '--only', 'findings') : index;
}

interface Skipped {
  readonly path: string;
  readonly reason: string;
  readonly caseId: string;
}
const skippedIn = (root: string): Promise<Skipped[]> =>
  jsonLines<Skipped>(root, 'extract/index-skipped.jsonl');
const succeeded = (run: Ended): void =>
  expect({ code: run.code, stderr: run.stderr }).toEqual({ code: 0, stderr: run.stderr });

/** No personal value of the phantom in what was printed. */
async function expectDiscreet(root: string, run: Ended): Promise<void> {
  const told = run.stdout + run.stderr;
  const report = await readFile(path.join(root, 'cases/case-001/report.txt'), 'latin1').catch(() => '');
  for (const [row] of [await csvRows(path.join(folder, 'pattern/cases.csv'))])
    expect(told).not.toContain(row!['patient_id']!);
  for (const word of [
    'Phantomsen',
    'well-circumscribed',
    ...report.split('\n').filter((line) => line.length > 20),
  ])
    expect(told).not.toContain(word);
}

describe.concurrent('images that are none', () => {
  it('stops at a case whose folder is empty, when it is the only one', async () => {
    const root = await workspace();
    const empty = path.join(root, 'cases/case-001/dicom');
    await rm(empty, { recursive: true });
    await mkdir(empty);
    const run = await build(root);
    expectRefusal(run, {
      code: 'empty-source',
      says: ['cases/case-001/dicom', 'holds no file', 'Name the folder'],
    });
    await expectDiscreet(root, run);
    expectRefusal(await groundmark(['index', empty, '--json']), {
      code: 'empty-source',
      says: [empty, 'holds no file'],
    });
  });

  it('stops at a folder of files that are not DICOM, when it is the only one', async () => {
    const root = await workspace();
    const other = path.join(root, 'cases/case-001/dicom');
    await rm(other, { recursive: true });
    await mkdir(other);
    await writeFile(path.join(other, 'notes.txt'), 'Synthetic Phantomsen, no image at all. '.repeat(20));
    await writeFile(path.join(other, 'page.html'), '<html></html>');
    await writeFile(path.join(other, 'empty.dcm'), '');
    await writeFile(
      path.join(other, 'DICM-only.dcm'),
      Buffer.concat([Buffer.alloc(128), Buffer.from('DICM')]),
    );
    const run = await build(root);
    expectRefusal(run, {
      code: 'no-dicom',
      says: ['cases/case-001/dicom', '4 files', 'not-dicom', 'Name the folder'],
    });
    await expectDiscreet(root, run);
    const index = await groundmark(['index', other, '--json']);
    expectRefusal(index, { code: 'no-dicom', says: [other, '4 files'] });
  });

  it('counts such cases as skipped, by file, when another case is good', async () => {
    const root = await workspace();
    await mkdir(path.join(root, 'empty'));
    await mkdir(path.join(root, 'texts'));
    for (const name of ['a.txt', 'b.dcm'])
      await writeFile(path.join(root, 'texts', name), 'nothing to see '.repeat(40));
    await writeCases(
      root,
      'void,P-2,empty,cases/case-001/report.txt',
      GOOD,
      'words,P-3,texts,',
      'gone,P-4,nowhere,',
      'bare,P-5,,',
    );
    const run = await buildTwoStages(root);
    succeeded(run);
    expect((await skippedIn(root)).map(({ path: file, reason, caseId }) => [caseId, reason, file])).toEqual([
      ['void', 'empty-source', 'empty'],
      ['gone', 'no-such-folder', 'nowhere'],
      ['words', 'not-dicom', 'texts/a.txt'],
      ['words', 'not-dicom', 'texts/b.dcm'],
      ['bare', 'no-image-path', ''],
    ]);
    expect(await jsonLines(root, 'extract/index.jsonl')).toHaveLength(66);
    expect(
      (await jsonLines<{ caseId: string }>(root, 'extract/cases.jsonl')).map(({ caseId }) => caseId),
    ).toEqual(['void', 'case-001', 'words', 'gone', 'bare']);
  });

  it(
    'counts a DICOM file that is cut off, in the header or in the pixels, and uses the others',
    async () => {
      const root = await workspace();
      const dicom = path.join(root, 'cases/case-001/dicom');
      const [inPixels, inHeader, toNothing] = await filesBelow(dicom);
      const size = (await readFile(path.join(dicom, inPixels!))).length;
      await truncate(path.join(dicom, inPixels!), size - 1000);
      await truncate(path.join(dicom, inHeader!), 700);
      await truncate(path.join(dicom, toNothing!), 0);
      const run = await build(root);
      succeeded(run);
      const skipped = await skippedIn(root);
      expect(skipped.map(({ path: file, reason }) => [file, reason]).sort()).toEqual(
        [
          [`cases/case-001/dicom/${inPixels}`, 'truncated-pixels'],
          [`cases/case-001/dicom/${inHeader}`, 'cut-off-header'],
          [`cases/case-001/dicom/${toNothing}`, 'empty-file'],
        ].sort(),
      );
      const [stage] = oneJson(run.stdout)['stages'] as { summary: { frames: number; skipped: object } }[];
      expect(stage!.summary).toMatchObject({
        frames: 63,
        skipped: { 'truncated-pixels': 1, 'cut-off-header': 1, 'empty-file': 1 },
      });
      expect((await jsonLines(root, 'mcq/items.jsonl')).length).toBeGreaterThanOrEqual(1);
      await expectDiscreet(root, run);
    },
    MINUTES,
  );

  it(
    'leaves out a case that holds a study of an earlier case, counted and said',
    async () => {
      const root = await workspace();
      await writeCases(root, GOOD, 'again,P-2,cases/case-001/dicom,cases/case-001/report.txt');
      const run = await build(root);
      succeeded(run);
      expect(await skippedIn(root)).toMatchObject([
        { caseId: 'again', reason: 'study-of-another-case', keptBy: 'case-001', frames: 66 },
      ]);
      expect(run.stderr).toContain('warning: case again holds a study of case case-001 and is left out');
      const kept = (
        await jsonLines<{ caseId: string; dropped: string | null }>(root, 'retrieve/evidence.jsonl')
      ).filter(({ dropped }) => dropped === null);
      expect(new Set(kept.map(({ caseId }) => caseId))).toEqual(new Set(['case-001']));
      const sets = await jsonLines<{ caseId: string; dropped: string | null }>(
        root,
        'mcq/contrast-sets.jsonl',
      );
      expect(sets.filter(({ caseId, dropped }) => caseId === 'again' && dropped === null)).toEqual([]);
    },
    MINUTES,
  );
});

describe.concurrent('reports', () => {
  it('reads a Latin-1 report as windows-1252, and says so', async () => {
    const root = await workspace();
    const file = path.join(root, 'cases/case-001/report.txt');
    const report = await readFile(file, 'utf8');
    const changed = report.replace('FINDINGS: ', 'FINDINGS: Café-au-lait coloured phantom, 5 µm. ');
    expect(changed).not.toBe(report);
    await writeFile(file, Buffer.from(changed, 'latin1'));
    const run = await buildTwoStages(root);
    succeeded(run);
    expect(await jsonLines(root, 'extract/cases.jsonl')).toMatchObject([
      { status: 'ok', encoding: 'windows-1252' },
    ]);
    expect(run.stderr).toContain('not UTF-8 and were read as windows-1252');
    const [found] = await jsonLines<{ sentences: { text: string }[] }>(root, 'extract/findings.jsonl');
    expect(found!.sentences.some(({ text }) => text.includes('Café-au-lait coloured phantom, 5 µm.'))).toBe(
      true,
    );
    await expectDiscreet(root, run);
  });

  it('counts cases without a report, with a missing one and with an empty one', async () => {
    const root = await smallWorkspace(path.join(folder, 'three-cases'), 2);
    const rows = await csvRows(path.join(root, 'cases.csv'));
    const line = (i: number, report: string): string =>
      `${rows[i]!['case_id']},${rows[i]!['patient_id']},${rows[i]!['dicom_path']},${report}`;
    await writeCases(root, line(0, ''), line(1, 'lost.txt'), line(2, 'blank.txt'));
    await writeFile(path.join(root, 'blank.txt'), ' \n\n');
    const run = await buildTwoStages(root);
    succeeded(run);
    expect(
      (await jsonLines<{ caseId: string; status: string }>(root, 'extract/cases.jsonl')).map(
        ({ caseId, status }) => [caseId, status],
      ),
    ).toEqual([
      ['case-001', 'no-report'],
      ['case-002', 'unreadable-report'],
      ['case-018', 'empty-report'],
    ]);
    expect(run.stderr).toContain('3 of 3 cases have no usable report');
  });

  it(
    'ends well with no item when the only case has no report, and says where to look',
    async () => {
      const root = await workspace();
      await writeCases(root, 'case-001,P-1,cases/case-001/dicom,');
      const run = await build(root);
      succeeded(run);
      expect(await jsonLines(root, 'mcq/items.jsonl')).toEqual([]);
      expect(run.stderr).toContain(
        'No item came out: retrieve/evidence.jsonl and mcq/contrast-sets.jsonl say why',
      );
      expectRefusal(await groundmark(['release', '-w', root, '--json']), {
        code: 'no-items',
        says: ['has no item'],
      });
    },
    MINUTES,
  );
});

describe.concurrent('cases.csv', () => {
  // What else can be wrong in it: test/cli/read-cases.test.ts.
  const refusals: readonly [string, string | null, string, readonly string[]][] = [
    ['missing', null, 'not-found', ['cases.csv', 'does not exist', 'Check the path']],
    ['empty', '', 'no-cases', ['cases.csv lists no case', HEADER]],
    [
      'with a case_id that stands twice',
      `${HEADER}\n${GOOD}\n\n${GOOD}\n`,
      'duplicate-case',
      ['line 4', 'case_id case-001 stands twice'],
    ],
    [
      'with a column that is missing',
      'case_id,dicom_path,report_path\na,b,c\n',
      'bad-cases',
      ['line 2', 'column patient_id is missing or empty', 'Columns: '],
    ],
  ];

  it.each(refusals)('%s is refused, before anything is written', async (_what, text, code, says) => {
    const root = path.join(folder, `csv-${copies++}`);
    await mkdir(root);
    await cp(path.join(folder, 'pattern/groundmark.yaml'), path.join(root, 'groundmark.yaml'));
    if (text !== null) await writeFile(path.join(root, 'cases.csv'), text);
    expectRefusal(await build(root), { code, says: [...says, root] });
    expect(await exists(path.join(root, 'extract'))).toBe(false);
  });

  it('may have a byte order mark, quotes, CR LF and image_path for dicom_path', async () => {
    const root = await workspace();
    await writeFile(
      path.join(root, 'cases.csv'),
      '\uFEFFcase_id,patient_id,dicom_path,image_path,report_path\r\n"case-001","P,1",,cases/case-001/dicom,cases/case-001/report.txt\r\n',
    );
    succeeded(await buildTwoStages(root));
    expect(await jsonLines(root, 'extract/index.jsonl')).toHaveLength(66);
  });
});

const READER = (file: string): string =>
  `cases: cases.csv
reviewers:
  - { id: s, model: offline/saliency }
  - { id: r, model: file, nominations: ${file}, ratings: ${file} }
`;

describe.concurrent('groundmark.yaml', () => {
  const REVIEWERS = 'reviewers: [{ id: a, model: offline/saliency }, { id: b, model: offline/saliency }]\n';
  // What else can be wrong in it: test/cli/read-config.test.ts.
  const refusals: readonly [string, string, string, readonly (string | RegExp)[]][] = [
    [
      'with an unknown key',
      `cases: cases.csv\nreveiwers: []\n${REVIEWERS}`,
      'bad-config',
      ['unknown key reveiwers', 'Did you mean reviewers?'],
    ],
    ['with broken YAML', 'cases: [cases.csv\nseed: 0\n', 'bad-config', ['not valid YAML', /line \d/u]],
    [
      'that names a folder for cases.csv',
      `cases: cases\n${REVIEWERS}`,
      'not-a-file',
      ['cases is a folder where a file is needed'],
    ],
  ];

  it.each(refusals)('%s is refused', async (_what, text, code, says) => {
    const root = path.join(folder, `yaml-${copies++}`);
    await mkdir(path.join(root, 'cases'), { recursive: true });
    await writeFile(path.join(root, 'groundmark.yaml'), text);
    await writeFile(path.join(root, 'cases.csv'), `${HEADER}\n${GOOD}\n`);
    expectRefusal(await build(root), { code, says: [...says, root] });
  });

  it('is missing: says so and how a workspace is made', async () => {
    const root = path.join(folder, 'no-such-workspace');
    for (const command of ['build', 'release']) {
      expectRefusal(await groundmark([command, '-w', root, '--json']), {
        code: 'no-workspace',
        says: [root, 'has no groundmark.yaml', 'groundmark init'],
      });
    }
    expect(await exists(root)).toBe(false);
  });

  it('that names a reader’s file which is not there is refused before anything ran', async () => {
    const root = await workspace();
    await writeFile(path.join(root, 'groundmark.yaml'), READER('missing.jsonl'));
    for (const more of [[], ['--dry-run']]) {
      expectRefusal(await build(root, ...more), {
        code: 'not-found',
        says: [path.join(root, 'missing.jsonl'), 'does not exist', 'nominations', 'reviewer r'],
      });
    }
    expect(await exists(path.join(root, 'extract/index.jsonl'))).toBe(false);
  });

  it(
    'whose reader’s file has a bad line is refused with file and line, and the line is not repeated',
    async () => {
      const root = await workspace();
      await writeFile(path.join(root, 'groundmark.yaml'), READER('bad.jsonl'));
      await writeFile(path.join(root, 'bad.jsonl'), '\n{"reviewer": "r", "Patient": "Phantomsen"\n');
      const run = await build(root);
      expectRefusal(run, { code: 'bad-line', says: [path.join(root, 'bad.jsonl'), 'line 2', 'not JSON'] });
      await expectDiscreet(root, run);
    },
    MINUTES,
  );

  it.each([
    [
      'reviewers',
      'reviewers: [{ id: a, model: openai/gpt-x }, { id: b, model: offline/saliency }]\n',
      'openai/gpt-x',
    ],
    ['findings', `${REVIEWERS}findings: { engine: openai/gpt-x }\n`, 'openai/gpt-x'],
    ['questions', `${REVIEWERS}questions: { generator: openai/gpt-x }\n`, 'openai/gpt-x'],
  ])('asks in %s for a model that is not built: refused before anything ran', async (_key, text, model) => {
    const root = await workspace();
    await writeFile(path.join(root, 'groundmark.yaml'), `cases: cases.csv\n${text}`);
    const run = await build(root);
    expect(run.code === 2 || run.code === 3).toBe(true);
    const { error } = oneJson(run.stdout) as { error: { message: string } };
    expect(error.message).toContain(model);
    expect(await exists(path.join(root, 'extract/index.jsonl'))).toBe(false);
  });
});

describe.concurrent('a place that cannot be written', () => {
  it('has a file where a folder is needed', async () => {
    const root = await workspace();
    await writeFile(path.join(root, 'extract'), 'in the way');
    expectRefusal(await build(root), {
      code: 'not-a-folder',
      says: [path.join(root, 'extract'), 'has a file where a folder is needed'],
    });
    expectRefusal(await groundmark(['demo', '--out', path.join(root, 'extract'), '--json']), {
      code: 'not-a-folder',
      says: ['extract', 'has a file where a folder is needed'],
    });
    expect(await readFile(path.join(root, 'extract'), 'utf8')).toBe('in the way');
  });

  it('is a folder that takes no files at all: ends at once, with a message', async () => {
    expectRefusal(await groundmark(['demo', '--out', '/proc/groundmark-demo', '--json']), {
      code: 'not-found',
      says: ['/proc/groundmark-demo'],
    });
    expectRefusal(await groundmark(['init', '/proc/groundmark-demo', '--json']), {
      code: 'not-found',
      says: ['/proc/groundmark-demo'],
    });
  }, 20_000);

  it('holds cases that no demo made: they are not overwritten', async () => {
    const root = path.join(folder, 'own-cases');
    await mkdir(root);
    await writeFile(path.join(root, 'cases.csv'), `${HEADER}\n${GOOD}\n`);
    expectRefusal(await groundmark(['demo', '--out', root, '--json']), {
      code: 'folder-in-use',
      says: [root, 'Choose another folder'],
    });
    expect(await readFile(path.join(root, 'cases.csv'), 'utf8')).toBe(`${HEADER}\n${GOOD}\n`);
  });
});

/** Mounts a small file system in memory and gives the way to unmount it. */
function mountTmpfs(place: string, size: string): () => void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place], { stdio: 'ignore' });
  return () => execFileSync('umount', [place], { stdio: 'ignore' });
}

/** Mounting needs root and, in a container, the right to. */
function canMount(): boolean {
  const place = mkdtempSync(path.join(tmpdir(), 'gm-mount-'));
  try {
    mountTmpfs(place, '1m')();
    return true;
  } catch {
    return false;
  } finally {
    rmdirSync(place);
  }
}

/** No skipped suite: under CI=true a skip counts as a failure, and the other file covers the same errors. */
function noSuite(_title: string, _body: () => void): void {}

// Where mounting is not allowed failing-store.test.ts alone stands for full and read-only disks.
(canMount() ? describe : noSuite)('a file system that', () => {
  it(
    'is read-only gives a clear message and changes nothing',
    async () => {
      const place = path.join(folder, 'read-only');
      await mkdir(place);
      const unmount = mountTmpfs(place, '20m');
      try {
        await cp(path.join(folder, 'pattern'), path.join(place, 'ws'), { recursive: true });
        execFileSync('mount', ['-o', 'remount,ro', place]);
        const before = await hashesBelow(place);
        for (const args of [
          ['build', '-w', path.join(place, 'ws')],
          ['demo', '--out', path.join(place, 'demo')],
          ['demo', '--out', path.join(place, 'ws'), '--seed', '5'],
          ['init', path.join(place, 'new')],
          ['index', path.join(place, 'ws/cases'), '--out', path.join(place, 'index.jsonl')],
        ]) {
          expectRefusal(await groundmark([...args, '--json']), {
            code: 'read-only',
            says: [place, 'read-only file system', 'Choose a folder that can be written'],
          });
        }
        expect(await hashesBelow(place)).toEqual(before);
      } finally {
        unmount();
      }
    },
    2 * MINUTES,
  );

  it(
    'is full gives a clear message, and with space freed the same command goes on',
    async () => {
      const place = path.join(folder, 'full');
      await mkdir(place);
      const unmount = mountTmpfs(place, '14m');
      try {
        const root = path.join(place, 'ws');
        await cp(path.join(folder, 'pattern'), root, { recursive: true });
        succeeded(await buildTwoStages(root));
        // Fill the rest but for a little.
        const ballast = path.join(place, 'ballast');
        await writeFile(ballast, '');
        const block = Buffer.alloc(64 * 1024, 1);
        for (;;) {
          try {
            await appendFile(ballast, block);
          } catch {
            break;
          }
        }
        const run = await build(root);
        expectRefusal(run, {
          code: 'disk-full',
          says: [root, 'the disk is full', 'Free some space and run the same command again'],
        });
        await expectDiscreet(root, run);
        expect(await filesBelow(root)).not.toContainEqual(expect.stringMatching(/\.tmp$/u));
        expectRefusal(await groundmark(['demo', '--out', path.join(place, 'demo'), '--json']), {
          code: 'disk-full',
          says: ['the disk is full'],
        });
        await rm(ballast);
        await rm(path.join(place, 'demo'), { recursive: true, force: true });
        const again = await build(root);
        succeeded(again);
        expect(
          (oneJson(again.stdout)['stages'] as { skipped: boolean }[])
            .slice(0, 2)
            .map(({ skipped }) => skipped),
        ).toEqual([true, true]);
        expect((await jsonLines(root, 'mcq/items.jsonl')).length).toBe(3);
      } finally {
        unmount();
      }
    },
    2 * MINUTES,
  );
});
