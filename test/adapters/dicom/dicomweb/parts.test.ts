import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorization } from '../../../../src/adapters/dicom/dicomweb/credentials.js';
import { isDicomwebUrl, parseDicomwebUrl } from '../../../../src/adapters/dicom/dicomweb/dicomweb-url.js';
import { DicomwebFailure } from '../../../../src/adapters/dicom/dicomweb/failure.js';
import { contradicts, FILTERS } from '../../../../src/adapters/dicom/dicomweb/filters.js';
import { inLanes } from '../../../../src/adapters/dicom/dicomweb/in-lanes.js';
import { retryAfterMs, withRetries } from '../../../../src/adapters/dicom/dicomweb/retry.js';

const NONE = { studies: {}, series: {}, instances: {} };

describe('parseDicomwebUrl', () => {
  it.each([
    ['dicomweb+http://pacs/dicom-web', 'http://pacs/dicom-web', NONE],
    ['dicomweb+https://pacs:8443/a/b/', 'https://pacs:8443/a/b', NONE],
    ['DICOMWEB+HTTP://PACS', 'http://pacs', NONE],
    ['dicomweb+http://pacs/x/studies', 'http://pacs/x', NONE],
    ['dicomweb+http://pacs/x#y', 'http://pacs/x', NONE],
    [
      'dicomweb+http://pacs/x/studies/1.2/series/3.4/instances/5.6',
      'http://pacs/x',
      {
        studies: { StudyInstanceUID: '1.2' },
        series: { SeriesInstanceUID: '3.4' },
        instances: { SOPInstanceUID: '5.6' },
      },
    ],
    [
      'dicomweb+http://pacs/x?PatientID=A%20B&Modality=CT',
      'http://pacs/x',
      { ...NONE, studies: { PatientID: 'A B' }, series: { Modality: 'CT' } },
    ],
  ])('takes %s apart', (source, base, filters) => {
    expect(parseDicomwebUrl(source)).toEqual({ base, filters });
  });

  it.each([
    ['dicomweb+http://', 'bad-dicomweb-url'],
    ['dicomweb+ftp://pacs/x', 'bad-dicomweb-url'],
    ['dicomweb+http://u@pacs/x', 'credentials-in-url'],
    ['dicomweb+http://u:hunter2@pacs/x', 'credentials-in-url'],
    ['dicomweb+http://pacs/x?PatientId=Sorglos', 'unknown-dicomweb-filter'],
    ['dicomweb+http://pacs/x?limit=5', 'unknown-dicomweb-filter'],
    ['dicomweb+http://pacs/x?PatientID=Sorglos&PatientID=b', 'bad-dicomweb-url'],
    ['dicomweb+http://pacs/studies/1.2?StudyInstanceUID=1.2', 'bad-dicomweb-url'],
  ])('refuses %s as %s, without its user part and values', (source, code) => {
    let message = '';
    try {
      parseDicomwebUrl(source);
    } catch (error) {
      expect(error).toMatchObject({ code, exit: 2 });
      message = (error as Error).message;
    }
    expect(message).not.toBe('');
    expect(message).not.toMatch(/hunter2|Sorglos|u@/u);
  });

  it('names the filter that was meant', () => {
    expect(() => parseDicomwebUrl('dicomweb+http://pacs/x?studyInstanceUID=1')).toThrow(
      'Did you mean StudyInstanceUID?',
    );
  });

  it.each([
    ['dicomweb+http://x', true],
    ['DICOMweb+HTTPS://x', true],
    ['http://x', false],
    ['scans/dicomweb+http', false],
  ])('tells whether %s is a DICOMweb source: %s', (source, expected) => {
    expect(isDicomwebUrl(source)).toBe(expected);
  });
});

describe('FILTERS', () => {
  it.each(Object.entries(FILTERS))(
    '%s has a tag of eight hexadecimal digits and a level',
    (_keyword, filter) => {
      expect(filter.tag).toMatch(/^[0-9A-F]{8}$/u);
      expect(['studies', 'series', 'instances']).toContain(filter.level);
    },
  );

  it.each([
    ['another study', { StudyInstanceUID: '1.2' }, { '0020000D': { Value: ['1.3'] } }, 'StudyInstanceUID'],
    ['the study', { StudyInstanceUID: '1.2' }, { '0020000D': { Value: ['1.2'] } }, null],
    ['one of two', { StudyInstanceUID: '1.1,1.2' }, { '0020000D': { Value: ['1.2'] } }, null],
    ['another patient', { PatientID: 'A1' }, { '00100020': { Value: ['A2'] } }, 'PatientID'],
    ['the patient in other letters', { PatientID: 'A1' }, { '00100020': { Value: ['a1 '] } }, null],
    ['a pattern', { PatientID: 'A*' }, { '00100020': { Value: ['B1'] } }, null],
    ['an answer that does not say', { PatientID: 'A1' }, {}, null],
    ['one modality of several', { ModalitiesInStudy: 'CT' }, { '00080061': { Value: ['PT', 'CT'] } }, null],
    ['a name, which servers match freely', { PatientName: 'A' }, { '00100010': { Value: ['B'] } }, null],
  ])('%s: contradicted filter %o', (_what, filters, answer, expected) => {
    expect(contradicts(answer, filters as unknown as Record<string, string>)).toBe(expected);
  });
});

describe('authorization', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gm-auth-'));
    await writeFile(path.join(folder, 'token'), 'Bearer abc.def-ghi\n');
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const environment = (name: string): string | undefined =>
    ({
      BASIC: 'reader:s3cret:with:colons',
      UMLAUT: 'jürgen:geheim',
      BEARER: 'bearer tok.en',
      READY: 'Basic cmVhZGVyOnMzY3JldA==',
      EMPTY: ' ',
      ODD: 'hunter2',
      LINES: 'a:hunter2\nX-Injected: 1',
    })[name];

  // Base64 by coreutils: printf 'reader:s3cret:with:colons' | base64, printf 'jürgen:geheim' | base64.
  it.each([
    ['env:BASIC', 'Basic cmVhZGVyOnMzY3JldDp3aXRoOmNvbG9ucw=='],
    ['env:UMLAUT', 'Basic asO8cmdlbjpnZWhlaW0='],
    ['env:BEARER', 'Bearer tok.en'],
    ['env:READY', 'Basic cmVhZGVyOnMzY3JldA=='],
    ['file:token', 'Bearer abc.def-ghi'],
  ])('reads %s', async (source, expected) => {
    expect(await authorization(source, environment, folder)).toBe(expected);
  });

  it.each([
    ['reader:hunter2', 'bad-dicomweb-auth'],
    ['env:', 'bad-dicomweb-auth'],
    ['env:ABSENT', 'bad-dicomweb-auth'],
    ['env:EMPTY', 'bad-dicomweb-auth'],
    ['env:ODD', 'bad-dicomweb-auth'],
    ['env:LINES', 'bad-dicomweb-auth'],
    ['file:absent', 'not-found'],
  ])('refuses %s as %s without repeating a secret', async (source, code) => {
    const error: unknown = await authorization(source, environment, folder).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code });
    expect((error as Error).message).not.toContain('hunter2');
  });
});

describe('withRetries', () => {
  const failure = (retry: boolean, retryAfter: number | null = null): DicomwebFailure =>
    new DicomwebFailure('dicomweb-500', 'x', 'http://x/', { retry, retryAfterMs: retryAfter });
  const run = async (failures: readonly Error[], attempts = 5) => {
    const waits: number[] = [];
    let tries = 0;
    const outcome = await withRetries(
      async () => {
        const error = failures[tries++];
        if (error) throw error;
        return 'done';
      },
      {
        attempts,
        firstWaitMs: 1000,
        longestWaitMs: 5000,
        random: () => 0.5,
        sleep: async (ms) => void waits.push(ms),
        signal: new AbortController().signal,
      },
    ).catch((error: unknown) => error);
    return { outcome, tries, waits };
  };

  it('waits twice as long after every failure, less a part by chance, and never longer than allowed', async () => {
    expect(await run(Array<Error>(4).fill(failure(true)))).toEqual({
      outcome: 'done',
      tries: 5,
      waits: [750, 1500, 3000, 5000],
    });
  });

  it('waits as long as the server asks, up to the longest wait', async () => {
    expect((await run([failure(true, 2000), failure(true, 0), failure(true, 9000)])).waits).toEqual([
      2000, 0, 5000,
    ]);
  });

  it('gives up after the last try, and at once when nothing can change', async () => {
    expect(await run(Array<Error>(3).fill(failure(true)), 2)).toMatchObject({ tries: 2, waits: [750] });
    expect(await run([failure(false)])).toMatchObject({
      outcome: { code: 'dicomweb-500' },
      tries: 1,
      waits: [],
    });
    expect(await run([new Error('disk')])).toMatchObject({ outcome: { message: 'disk' }, tries: 1 });
  });

  it.each([
    ['3', 3000],
    [' 0 ', 0],
    ['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
    ['Fri, 02 Jan 2026 03:04:00 GMT', 0],
    ['-3', null],
    ['soon', null],
    ['', null],
    [null, null],
  ])('reads Retry-After %o as %o ms', (header, expected) => {
    expect(retryAfterMs(header, new Date('2026-01-02T03:04:05Z'))).toBe(expected);
  });
});

describe('inLanes', () => {
  it('keeps the order of the items and never has more under way than lanes', async () => {
    let [now, most] = [0, 0];
    const results = await inLanes([5, 1, 3, 2], 2, async (ms, index) => {
      most = Math.max(most, ++now);
      await new Promise((resolve) => setTimeout(resolve, ms));
      now--;
      return `${index}:${ms}`;
    });
    expect([results, most]).toEqual([['0:5', '1:1', '2:3', '3:2'], 2]);
  });

  it('throws the first error and begins nothing after it', async () => {
    const begun: number[] = [];
    const run = inLanes([0, 1, 2, 3], 2, async (item) => {
      begun.push(item);
      if (item === 1) throw new Error('one');
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    await expect(run).rejects.toThrow('one');
    expect(begun).toEqual([0, 1]);
  });
});
