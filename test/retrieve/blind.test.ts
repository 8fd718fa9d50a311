import { describe, expect, it } from 'vitest';
import type { Sheet } from '../../src/domain/retrieve.js';
import { blind } from '../../src/retrieve/reviewer.js';
import { aRow } from '../helpers/volumes.js';

describe('what a blinded reviewer gets', () => {
  it('names no case, series, volume, file of the sheet, window or position of a tile', () => {
    const sheet: Sheet = {
      schemaVersion: 1,
      sheetId: 'v1-001',
      caseId: 'case-secret',
      volumeId: 'vol-secret',
      seriesInstanceUid: '1.2.3.1',
      modality: 'CT',
      file: 'retrieve/sheets/case-secret/v1-001.png',
      window: { center: 40, width: 400 },
      tiles: [{ label: 'Q17', position: 3, sopInstanceUid: '1.2.3.1.3', frame: 0 }],
    };
    const seen = blind(sheet, () => aRow(3), 'stack-1');
    expect(Object.keys(seen).sort()).toEqual(['modality', 'stack', 'tiles']);
    expect(Object.keys(seen.tiles[0]!).sort()).toEqual(['label', 'pixels']);
    expect(Object.keys(seen.tiles[0]!.pixels).sort()).toEqual(['frame', 'imageOrientationPatient', 'path']);
  });
});
