import { describe, expect, it } from 'vitest';
import { fileName, planSheets } from '../../src/retrieve/plan-sheets.js';
import { rng } from '../../src/util/rng.js';
import { aVolume } from '../helpers/volumes.js';

const window = () => ({ center: 40, width: 400 });

describe('contact sheets', () => {
  it('show every slice once in spatial order, twelve to a sheet', () => {
    const sheets = planSheets('case-1', [aVolume(30)], rng(1), window);
    expect(sheets.map(({ tiles }) => tiles.length)).toEqual([12, 12, 6]);
    expect(sheets.flatMap(({ tiles }) => tiles.map(({ position }) => position))).toEqual(
      Array.from({ length: 30 }, (_, i) => i),
    );
  });

  it('have labels that are unique in the case and tell neither place nor InstanceNumber', () => {
    const second = aVolume(20, { seriesInstanceUid: '1.2.3.2', volumeId: 'vol-2' });
    const labels = planSheets('case-1', [aVolume(30), second], rng(1), window).flatMap(({ tiles }) =>
      tiles.map(({ label }) => label),
    );
    expect(new Set(labels).size).toBe(50);
    for (const label of labels) expect(label).toMatch(/^[A-HJ-NP-Z]\d\d$/);
    expect([...labels].sort()).not.toEqual(labels);
    const other = planSheets('case-1', [aVolume(30)], rng(2), window).flatMap(({ tiles }) =>
      tiles.map(({ label }) => label),
    );
    expect(other).not.toEqual(labels.slice(0, 30));
  });

  it('have enough labels for a case of 5,000 slices', () => {
    const labels = planSheets('case-1', [aVolume(5000)], rng(1), window).flatMap(({ tiles }) =>
      tiles.map(({ label }) => label),
    );
    expect(new Set(labels).size).toBe(5000);
  });

  it.each(['case-1', 'a_b', 'ct.head-2'])('a plain case id %s is its folder', (caseId) => {
    expect(fileName(caseId)).toBe(caseId);
  });

  it('keeps the folders of unlike case ids apart, inside the folder of the sheets, and short', () => {
    const ids = ['a/b', 'a_b', 'a\nb', 'A_B', '../x', '..', '', ' ', 'ä_b', 'x'.repeat(300), 'x'.repeat(301)];
    const folders = ids.map(fileName);
    expect(new Set(folders.map((name) => name.toLowerCase())).size).toBe(ids.length);
    for (const name of folders) {
      expect(name).toMatch(/^[a-z0-9_][a-z0-9._-]*$/);
      expect(name.length).toBeLessThan(80);
    }
  });
});
