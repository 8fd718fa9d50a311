import { describe, expect, it } from 'vitest';
import { targetSchema } from '../../src/domain/finding.js';
import {
  fileNominations,
  fileNominationSchema,
  fileRatings,
  fileRatingSchema,
} from '../../src/retrieve/file-reviewer.js';
import { aRow } from '../helpers/volumes.js';

const rows = new Map([3, 4].map((position) => [`case-1\u00001.2.3.1.${position}#0`, aRow(position)]));
const place = { caseId: 'case-1', seriesInstanceUid: '1.2.3.1', sopInstanceUid: '1.2.3.1.3' };

const target = (targetId: string, sentence: string) =>
  targetSchema.parse({
    schemaVersion: 1,
    targetId,
    caseId: 'case-1',
    reportId: 'r',
    finding: {
      start: 0,
      end: 1,
      text: sentence[0]!,
      concept: 'mass',
      anatomy: null,
      laterality: null,
      key: targetId,
      polarity: 'positive',
      temporal: 'current',
      visual: true,
      needsMeasurement: false,
    },
    sentence: { start: 0, end: sentence.length, text: sentence },
    modality: 'CT',
    region: 'chest',
    dropped: null,
  });

describe('a file reviewer', () => {
  it('gives only its own lines, with the position of the index', () => {
    const lines = [
      { ...place, reviewer: 'reader-1', position: 99, description: 'mass' },
      { ...place, reviewer: 'reader-2', description: 'mass' },
    ].map((line) => fileNominationSchema.parse(line));
    const { nominations, unused } = fileNominations(lines, 'reader-1', rows);
    expect(nominations.map(({ slice }) => slice!.position)).toEqual([3]);
    expect(unused).toEqual({});
  });

  it('counts a slice that the index does not have', () => {
    const lines = [
      fileNominationSchema.parse({ ...place, sopInstanceUid: '9.9', reviewer: 'reader-1', description: 'x' }),
    ];
    expect(fileNominations(lines, 'reader-1', rows)).toEqual({
      nominations: [],
      unused: { 'unknown-slice': 1 },
    });
  });

  it('gives a rating to the target whose sentence contains the words of its finding, over a line break too', () => {
    const targets = [
      target('t1', 'The stomach is distended with food.'),
      target('t2', 'There is a large\nspiculated mass in the right lower lobe.'),
    ];
    const line = (finding: string) =>
      fileRatingSchema.parse({ ...place, reviewer: 'reader-1', finding, rating: 'direct' });
    const { ratings, unused } = fileRatings(
      [line('large spiculated mass'), line('a pleural effusion')],
      'reader-1',
      rows,
      targets,
    );
    expect(ratings.map(({ targetId, rating }) => [targetId, rating])).toEqual([['t2', 'direct']]);
    expect(unused).toEqual({ 'no-target-for-finding': 1 });
  });
});
