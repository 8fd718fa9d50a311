import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Sentence } from '../../../src/domain/finding.js';
import {
  extractFindings,
  mentionPolarity,
  quoteCheck,
  targetsOf,
} from '../../../src/extract/reports/index.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';
import { lexicon } from './helpers.js';

interface GoldSentence {
  readonly start: number;
  readonly end: number;
  readonly is_finding: boolean;
  readonly polarity: string | null;
  readonly visual: boolean | null;
  readonly temporal: string | null;
}
interface Gold {
  readonly id: string;
  readonly file: string;
  readonly sentences: readonly GoldSentence[];
}

const read = (...parts: string[]): string => readFileSync(sharedPath(...parts), 'utf8');
const f1 = (hit: number, extra: number, missed: number): number => (2 * hit) / (2 * hit + extra + missed);
const span = ({ start, end }: { start: number; end: number }): string => `${start}-${end}`;
const isAsked = (s: GoldSentence | Sentence): boolean =>
  s.polarity === 'positive' && s.visual === true && s.temporal === 'current';

// The figures of shared/checks/gold_findings.py and mentions.py, computed here again.
describeShared('on the 40 annotated reports', 'reports', () => {
  const gold = read('reports', 'GOLD.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Gold);
  const pairs = gold.map((one) => {
    const text = read('reports', one.file);
    return { one, text, got: extractFindings(one.id, text, lexicon) };
  });

  it('sentence spans agree with the annotation: F1 at least 0.97', () => {
    let [hit, extra, missed] = [0, 0, 0];
    for (const { one, got } of pairs) {
      const want = new Set(one.sentences.map(span));
      const have = new Set(got.sentences.map(span));
      hit += [...have].filter((key) => want.has(key)).length;
      extra += [...have].filter((key) => !want.has(key)).length;
      missed += [...want].filter((key) => !have.has(key)).length;
    }
    process.stdout.write(`sentence F1 ${f1(hit, extra, missed).toFixed(3)}\n`);
    expect(f1(hit, extra, missed)).toBeGreaterThanOrEqual(0.97);
  });

  it('positive, visual, current sentences agree: F1 at least 0.95', () => {
    let [hit, extra, missed] = [0, 0, 0];
    const overlaps = (
      a: { start: number; end: number },
      all: readonly { start: number; end: number }[],
    ): boolean =>
      all.some((b) => Math.min(a.end, b.end) - Math.max(a.start, b.start) > 0.5 * (a.end - a.start));
    for (const { one, got } of pairs) {
      const want = one.sentences.filter(isAsked);
      const have = got.sentences.filter(isAsked);
      hit += have.filter((s) => overlaps(s, want)).length;
      extra += have.filter((s) => !overlaps(s, want)).length;
      missed += want.filter((s) => !overlaps(s, have)).length;
    }
    process.stdout.write(`positive-visual-current F1 ${f1(hit, extra, missed).toFixed(3)}\n`);
    expect(f1(hit, extra, missed)).toBeGreaterThanOrEqual(0.95);
  });

  it('the polarity of finding sentences agrees in at least 95 %', () => {
    let [right, all] = [0, 0];
    for (const { one, got } of pairs) {
      const have = new Map(got.sentences.map((s) => [span(s), s]));
      for (const want of one.sentences.filter((s) => s.is_finding)) {
        const found = have.get(span(want));
        if (found === undefined) continue;
        all++;
        if (found.polarity === want.polarity) right++;
      }
    }
    process.stdout.write(`polarity ${(right / all).toFixed(3)} of ${all}\n`);
    expect(all).toBeGreaterThan(550);
    expect(right / all).toBeGreaterThanOrEqual(0.95);
  });

  it('every quote is exact', () => {
    const quotes = pairs.reduce((n, { text, got }) => n + quoteCheck(text, got), 0);
    process.stdout.write(`quotes exact ${quotes}/${quotes}\n`);
    expect(quotes).toBeGreaterThan(1000);
  });
});

describeShared('on the NegEx sentences', 'reports', () => {
  it('negated mentions are found: F1 at least 0.98', () => {
    const [head, ...lines] = read('reports', 'negex', 'negex_annotations.tsv').split('\n').filter(Boolean);
    const at = (name: string): number => head!.split('\t').indexOf(name);
    let [hit, extra, missed] = [0, 0, 0];
    for (const line of lines) {
      const cells = line.split('\t');
      const want = cells[at('negation')] === 'Negated';
      const got = mentionPolarity(cells[at('sentence')]!, cells[at('concept')]!, lexicon) === 'negated';
      hit += Number(want && got);
      extra += Number(got && !want);
      missed += Number(want && !got);
    }
    process.stdout.write(`NegEx F1 ${f1(hit, extra, missed).toFixed(3)} of ${lines.length}\n`);
    expect(lines).toHaveLength(1508);
    expect(f1(hit, extra, missed)).toBeGreaterThanOrEqual(0.98);
  });
});

describeShared('on the three real cases', 'cases', () => {
  const asked = (caseId: string): string[] => {
    const report = extractFindings(caseId, read('cases', caseId, 'report.txt'), lexicon);
    return targetsOf(caseId, report, { modality: null, region: null })
      .filter((target) => target.dropped === null)
      .map((target) => target.finding.key);
  };

  it.each([
    ['chest-01', ['mass/lower-lobe/right', 'volume-loss/hemithorax/right', 'distension/stomach/no-side']],
    [
      'head-01',
      [
        'low-attenuation/temporo-occipital-region/left',
        'calcification/choroid-plexus/bilateral',
        'low-attenuation/periventricular-white-matter/no-side',
      ],
    ],
    ['abdomen-01', ['distension/gallbladder/no-side', 'distension/stomach/no-side']],
  ])('%s gives the findings its README names, and nothing denied or normal', (caseId, keys) => {
    expect(asked(caseId)).toEqual(keys);
  });
});

describe('a long report', () => {
  it('of a megabyte is read in seconds', () => {
    const text = `FINDINGS: ${'There is a 2 cm nodule in the left upper lobe. No effusion. '.repeat(4000)}`;
    const started = performance.now();
    expect(extractFindings('long', text, lexicon).sentences).toHaveLength(8000);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
