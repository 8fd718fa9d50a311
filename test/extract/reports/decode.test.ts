import { describe, expect, it } from 'vitest';
import { decodeReport } from '../../../src/extract/reports/index.js';

describe('decodeReport', () => {
  it('reads UTF-8 with its line ends as they are', () => {
    const bytes = Buffer.from('Mass 3 µm.\r\nNo “hidden” lesion.', 'utf8');
    expect(decodeReport(bytes)).toEqual({ text: 'Mass 3 µm.\r\nNo “hidden” lesion.', encoding: 'utf-8' });
  });

  it('keeps a byte order mark as one character, so offsets equal those of a plain UTF-8 reader', () => {
    const { text, encoding } = decodeReport(Buffer.from([0xef, 0xbb, 0xbf, 0x41]));
    expect([...text]).toEqual(['\uFEFF', 'A']);
    expect(encoding).toBe('utf-8');
  });

  it('reads bytes that are not UTF-8 as windows-1252', () => {
    // 0xB5 is the micro sign in Latin-1, 0x92 the right quote that windows-1252 adds.
    const { text, encoding } = decodeReport(Buffer.from([0x35, 0xb5, 0x6d, 0x20, 0x49, 0x92, 0x6d]));
    expect(text).toBe('5µm I’m');
    expect(encoding).toBe('windows-1252');
  });

  it('reads an empty file as an empty text', () => {
    expect(decodeReport(new Uint8Array())).toEqual({ text: '', encoding: 'utf-8' });
  });
});
