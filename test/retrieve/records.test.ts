import { describe, expect, it } from 'vitest';
import { caseRows } from '../../src/retrieve/stages/records.js';
import { volumesOf } from '../../src/retrieve/volumes.js';
import { aRow } from '../helpers/volumes.js';

describe('a copied file', () => {
  const rows = [
    aRow(0),
    aRow(0, { path: 'copy.dcm', volumeId: 'vol-copies', duplicateOf: 'cases/case-1/0.dcm' }),
  ];

  it('stands in no stack, and its instance is found in the stack of the first file', () => {
    expect(volumesOf(rows).map(({ volumeId }) => volumeId)).toEqual(['vol-1']);
    expect(caseRows(rows).get('case-1\u00001.2.3.1.0#0')!.volumeId).toBe('vol-1');
  });
});
