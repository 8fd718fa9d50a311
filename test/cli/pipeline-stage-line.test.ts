import { describe, expect, it } from 'vitest';
import { stageLine } from '../../src/cli/pipeline/stage-line.js';

const report = { stage: 'index', skipped: false, seconds: 1.6 } as const;

describe('stageLine', () => {
  it('says in one word that nothing changed', () => {
    expect(stageLine('Index', { ...report, skipped: true, summary: { files: 3 } })).toBe('Index: unchanged');
  });

  it.each([
    [{ files: 3, frames: 12 }, 'Index: files 3, frames 12 (1.6 s)'],
    [{ wordingChanged: 2 }, 'Index: wording changed 2 (1.6 s)'],
    [
      { dropped: { uncertain: 1, 'needs-measurement': 4 } },
      'Index: dropped (uncertain 1, needs-measurement 4) (1.6 s)',
    ],
    [{ dropped: {}, kept: 2 }, 'Index: kept 2 (1.6 s)'],
    [{ unused: { 'reader-1': { 'unknown-label': 2 } } }, 'Index: unused (reader-1 unknown-label 2) (1.6 s)'],
    [{ words: { gold: 2.3518518, distractor: 2 } }, 'Index: words (gold 2.352, distractor 2) (1.6 s)'],
    [{ nothing: null }, 'Index: done (1.6 s)'],
    [{}, 'Index: done (1.6 s)'],
  ])('tells the counts of %j', (summary, line) => {
    expect(stageLine('Index', { ...report, summary })).toBe(line);
  });
});
