import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import dcmjs from 'dcmjs';
import { describe, expect, it } from 'vitest';
import { dictionaryEntry } from '../../../../src/adapters/dicom/deid/dictionary.js';
import { loadProfile, parseProfile } from '../../../../src/adapters/dicom/deid/profile.js';
import { readDataText } from '../../../../src/adapters/store/index.js';

const hexOf = (tag: string): string => tag.replace(/[(),]/gu, '').toLowerCase();

describe('data/deid-profile.tsv', () => {
  it('has as many rows of every action as edition 2024b, counted in a list that another project took from it', async () => {
    const { rows } = await loadProfile();
    const counts: Record<string, number> = {};
    for (const { basicProfile, source } of rows) {
      if (source === 'E.1-1') counts[basicProfile] = (counts[basicProfile] ?? 0) + 1;
    }
    expect(counts).toEqual({
      ...{ X: 384, Z: 42, D: 92, U: 54 },
      ...{ 'Z/D': 6, 'X/Z': 11, 'X/D': 22, 'X/Z/D': 8, 'X/Z/U*': 2 },
    });
  });

  it('names every attribute by the keyword that the dictionary has for its tag', async () => {
    const { rows } = await loadProfile();
    const wrong = rows.filter(
      ({ tag, keyword }) => !/[gx]/u.test(tag) && dictionaryEntry(hexOf(tag))?.keyword !== keyword,
    );
    expect(wrong.map(({ tag }) => tag)).toEqual([]);
  });

  it('holds every attribute that dcmjs empties', async () => {
    const profile = await loadProfile();
    const { anonymizer, data } = dcmjs as unknown as {
      anonymizer: { getTagsNameToEmpty(): string[] };
      data: {
        DicomMetaDictionary: { nameMap: Record<string, { tag: string; version: string } | undefined> };
      };
    };
    const known = anonymizer
      .getTagsNameToEmpty()
      .map((name) => data.DicomMetaDictionary.nameMap[name])
      .filter((entry) => entry !== undefined && entry.version !== 'PrivateTag');
    expect(known.length).toBeGreaterThan(100);
    expect(known.filter((entry) => profile.rowOf(hexOf(entry!.tag)) === null)).toEqual([]);
  });

  const python = '/usr/bin/python3';
  const hasGdcm = existsSync(python) && spawnSync(python, ['-c', 'import gdcm']).status === 0;
  it.skipIf(!hasGdcm)('holds every attribute of the Basic Profile as gdcm has it', async () => {
    const profile = await loadProfile();
    const script =
      'import gdcm; print("\\n".join(str(t) for t in gdcm.Anonymizer.GetBasicApplicationLevelConfidentialityProfileAttributes()))';
    const tags = spawnSync(python, ['-c', script], { encoding: 'utf8' }).stdout.trim().split('\n');
    expect(tags.length).toBe(48);
    expect(tags.filter((tag) => profile.rowOf(hexOf(tag)) === null)).toEqual([]);
  });

  it.each([
    ['50021234', 'CurveData'],
    ['60043000', 'OverlayData'],
    ['601e4000', 'OverlayComments'],
    ['00291010', 'PrivateAttributes'],
    ['60040010', null],
    ['00280010', null],
  ])('takes %s for %s', async (tag, keyword) => {
    expect((await loadProfile()).rowOf(tag)?.keyword ?? null).toBe(keyword);
  });

  it.each([
    ['an action that is none', (text: string) => text.replace('\tX/Z/U*\t', '\tX/Q\t'), 'basicProfile'],
    ['a cell too few', (text: string) => text.replace('PatientID\t', 'PatientID'), 'line'],
    ['a row twice', (text: string) => text + text.split('\n').at(-2)! + '\n', 'twice'],
  ])('is refused whole for %s', async (_, spoil, says) => {
    const text = await readDataText('deid-profile.tsv');
    expect(() => parseProfile(spoil(text))).toThrow(says);
  });
});
