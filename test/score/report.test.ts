import { describe, expect, it } from 'vitest';
import { scoreResponses } from '../../src/score/aggregate/index.js';
import { renderReport, type ReportData } from '../../src/score/report/index.js';
import { toMarkdown } from '../../src/score/markdown.js';
import { toCsv } from '../../src/score/csv.js';
import { aResponse } from './helpers/an-item.js';
import { madeUpBenchmark } from './helpers/made-up.js';

const { items, key } = madeUpBenchmark(24);
const PICTURE = 'data:image/png;base64,iVBORw0KGgo=';

const scores = scoreResponses(
  key,
  ['baseline/random', '<script>alert(1)</script>', '=HYPERLINK("x")'].flatMap((model, m) =>
    items.map((item, i) => ({
      response: aResponse([item.images[(i * 3 + m) % 7]!.id], 'ABCDE'[(i + m) % 5], 'ok', {
        itemId: item.id,
        model,
      }),
      file: 'r.jsonl',
      line: i + 1,
    })),
  ),
  0,
);

const FULL: ReportData = {
  title: 'A "report" & more',
  subtitle: 'made up',
  scores,
  dataset: { items: 24, cases: 8, splits: { dev: 15, validation: 5, test: 4 }, letters: { A: 24 } },
  audit: {
    summary: [{ name: 'Mean words', value: '3.1' }],
    flags: [
      {
        rule: 'length-outlier',
        itemId: 'item-007',
        value: 1.6,
        threshold: 1.5,
        message: 'Item item-007 is long',
      },
      {
        rule: 'length-outlier',
        itemId: 'item-009',
        value: 1.7,
        threshold: 1.5,
        message: 'Item item-009 is long',
      },
    ],
  },
  gallery: [
    { dataUri: PICTURE, caption: 'A contact sheet' },
    { dataUri: PICTURE, caption: 'The evidence of item-003', isPrivate: true },
    { dataUri: 'https://example.org/x.png', caption: 'From elsewhere' },
  ],
  figures: [{ name: 'Items', value: '24', bar: '≥ 40', ok: false }],
  footer: 'groundmark',
};

describe('renderReport', () => {
  const page = renderReport(FULL);

  it('needs nothing from outside: no script, no link, no address', () => {
    expect(page).not.toMatch(/<script|<link|<iframe|@import|url\(/i);
    expect(page).not.toMatch(/(src|href)="(?!data:|#)/);
    expect(page.replaceAll('http://www.w3.org/', '')).not.toMatch(/https?:\/\//);
  });

  it('escapes whatever came from outside', () => {
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&#60;script&#62;alert(1)&#60;');
    expect(page).toContain('<title>A &#34;report&#34; &#38; more</title>');
  });

  it('shows every section once and links to it', () => {
    const ids = [...page.matchAll(/<section id="([^"]+)"/g)].map((match) => match[1]);
    expect(ids).toEqual([
      'scores',
      'intervals',
      'cells',
      'outcomes',
      'dataset',
      'audit',
      'gallery',
      'strata',
      'pairs',
      'baselines',
      'figures',
    ]);
    for (const id of ids) expect(page).toContain(`href="#${id}"`);
  });

  it('prints chance beside the scores and draws two charts', () => {
    expect(page).toMatch(/<tfoot><tr><th scope="row">Chance<\/th><td class="number">20\.0 %/);
    expect(page.match(/<svg /g)).toHaveLength(2);
    expect(page).toMatch(/chance 20\.0 %/);
  });

  it('is the same, byte for byte, each time', () => {
    expect(renderReport(FULL)).toBe(page);
  });

  it('holds no reply and no item id from the scores', () => {
    expect(renderReport({ title: 'x', scores })).not.toMatch(/item-\d|img\d/);
  });

  it('leaves a public page without anything about single items', () => {
    const shown = renderReport({ ...FULL, audience: 'public' });
    expect(shown).not.toMatch(/item-\d/);
    expect(shown).not.toContain('The evidence of');
    expect(shown).not.toContain('Right answers by letter');
    expect(shown).toContain('raised 2 times');
    expect(page).toContain('item-007');
  });

  it('leaves small groups out of a public page', () => {
    const lone = key.map((entry, i) => ({ ...entry, strata: { modality: i === 0 ? 'PT' : 'CT' } }));
    const few = scoreResponses(
      lone,
      [{ response: aResponse(['img01'], 'A', 'ok', { itemId: lone[0]!.id }), file: 'r', line: 1 }],
      0,
    );
    expect(renderReport({ title: 'x', scores: few })).toContain('>PT</th>');
    // Left out with CT: what is missing from the whole would be the one PT item.
    expect(renderReport({ title: 'x', scores: few, audience: 'public' })).not.toMatch(/>(PT|CT)<\/th>/);
  });

  it('is a page even without data', () => {
    expect(renderReport({ title: 'Empty' })).toContain('<h1>Empty</h1>');
    expect(renderReport({ title: 'Empty', audit: { summary: [], flags: [] } })).toContain(
      'No flag was raised.',
    );
  });
});

describe('tables', () => {
  it('escapes formulas in the CSV, so that a spreadsheet runs none', () => {
    const lines = toCsv(scores).trim().split('\n');
    expect(lines[0]).toBe('model,id,epoch,answer,evidence,joint,hits,needed,selected,outcome');
    expect(lines).toHaveLength(1 + 72);
    expect(lines.some((line) => /^"?=/.test(line))).toBe(false);
  });

  it('gives the Markdown headline with chance', () => {
    expect(toMarkdown(scores)).toMatch(/\| chance \| {2}\| 20\.0 % \|/);
  });
});
