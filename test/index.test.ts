import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  acceptableImages,
  fileStore,
  GroundmarkError,
  inProcessQueue,
  keyEntrySchema,
  parseJsonl,
  parseReply,
  readCases,
  readConfig,
  responseSchema,
  runAudit,
  scoreItem,
  scoreResponses,
  toJsonl,
  type Deps,
  type KeyEntry,
} from '../src/index.js';

/** The worked example of docs/guide.md: three references in one series, seven images. */
const KEY_LINE = JSON.stringify({
  schemaVersion: 1,
  id: 'gm-1',
  answer: 'D',
  images: [
    { id: 'img01', series: 's1', position: 12, role: 'comparison' },
    { id: 'img02', series: 's1', position: 24, role: 'reference' },
    { id: 'img03', series: 's1', position: 30, role: 'comparison' },
    { id: 'img04', series: 's1', position: 25, role: 'reference' },
    { id: 'img05', series: 's1', position: 28, role: 'comparison' },
    { id: 'img06', series: 's1', position: 26, role: 'reference' },
    { id: 'img07', series: 's2', position: 25, role: 'comparison' },
  ],
  caseGroup: 'c1',
  strata: { modality: 'CT' },
});

const SHOWN = ['img01', 'img02', 'img03', 'img04', 'img05', 'img06', 'img07'];

function theKey(): KeyEntry {
  const [entry] = parseJsonl(KEY_LINE, keyEntrySchema, 'key.jsonl');
  return entry!;
}

describe('the library', () => {
  it('names the acceptable images of an item: references and what lies at most two slices away', () => {
    // img05 lies at 28, two from the reference at 26; img07 lies at 25 in another series.
    expect(acceptableImages(theKey().images)).toEqual(['img02', 'img04', 'img05', 'img06']);
  });

  it.each([
    { reply: '{"answer": "D", "evidence": ["img02", "img05"]}', answer: true, evidence: true, hits: 2 },
    { reply: '{"answer": "D", "evidence": ["img02"]}', answer: true, evidence: false, hits: 1 },
    {
      reply: '{"answer": "A", "evidence": ["img02", "img04", "img01"]}',
      answer: false,
      evidence: true,
      hits: 2,
    },
    { reply: 'The answer is D.', answer: false, evidence: false, hits: 0 },
  ])('scores the raw reply $reply', ({ reply, answer, evidence, hits }) => {
    const response = responseSchema.parse({ itemId: 'gm-1', model: 'm', ...parseReply(reply, SHOWN) });
    expect(scoreItem(theKey(), response)).toMatchObject({
      answer,
      evidence,
      joint: answer && evidence,
      hits,
      needed: 2,
    });
  });

  it('puts every item of the key in the denominator', () => {
    const key = [theKey(), { ...theKey(), id: 'gm-2', caseGroup: 'c2' }];
    const response = responseSchema.parse({
      itemId: 'gm-1',
      model: 'm',
      answer: 'D',
      evidence: ['img04', 'img06'],
      outcome: 'ok',
    });
    const report = scoreResponses(key, [{ response, file: 'responses.jsonl', line: 1 }], 0);
    expect(report.models[0]).toMatchObject({ n: 2, answer: { rate: 0.5 }, joint: { rate: 0.5 } });
    expect(report.models[0]!.outcomes).toMatchObject({ ok: 1, missing: 1 });
  });

  it('reads a configuration and cases, and says what is wrong in a GroundmarkError', () => {
    const text =
      'cases: cases.csv\nreviewers: [{ id: a, model: file, ratings: r.jsonl }, { id: b, model: file }]\n';
    expect(readConfig(text, 'groundmark.yaml').splits.ratios).toEqual({ dev: 64, validation: 19, test: 17 });
    const [only] = readCases(
      'case_id,patient_id,dicom_path,report_path\nc1,p1,ct,c1.txt\n',
      '/data/cases.csv',
    );
    expect(only).toEqual({
      caseId: 'c1',
      patientId: 'p1',
      imagePath: path.resolve('/data/ct'),
      reportPath: path.resolve('/data/c1.txt'),
    });
    expect(() => readConfig(`${text}sed: 1\n`, 'groundmark.yaml')).toThrow(GroundmarkError);
    expect(() => readConfig(`${text}sed: 1\n`, 'groundmark.yaml')).toThrow(
      /unknown key sed.*Did you mean seed/,
    );
  });

  it('audits a file with dependencies made from its own parts', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'groundmark-index-'));
    try {
      const file = path.join(folder, 'set.jsonl');
      const item = (question: string, answer_idx: string): unknown => ({
        question,
        options: { A: 'one', B: 'two three', C: 'four', D: 'five' },
        answer: '',
        answer_idx,
      });
      await writeFile(file, toJsonl([item('First?', 'B'), item('Second?', 'A')]));
      const deps: Deps = {
        store: fileStore(),
        queue: inProcessQueue(1),
        clock: () => new Date(0),
        environment: () => undefined,
        seed: 0,
        log: { info: () => undefined, warn: () => undefined },
        progress: { start: () => ({ tick: () => undefined, done: () => undefined }) },
        signal: new AbortController().signal,
      };
      const audit = await runAudit({ files: [file] }, deps);
      // The longest option is B in both items, and the key once.
      expect(audit.dataset).toMatchObject({ format: 'medqa', items: 2, scored: 2, chance: 0.25 });
      expect(audit.picks.longestChars).toMatchObject({ acc: 0.5, itemsWithUniqueExtreme: 2 });
      expect(audit.length).toMatchObject({ goldMeanWords: 1.5 });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
