import { expect, it } from 'vitest';
import { parseHeader, scanHeader } from '../../../src/adapters/dicom/scan-header.js';
import { scanFile } from '../../../src/adapters/dicom/header/scan-file.js';
import { walkFiles } from '../../../src/adapters/dicom/index.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';

/** Rows, or the code of the refusal. */
async function outcome(read: (file: string) => Promise<unknown>, file: string): Promise<unknown> {
  return read(file).catch((error: unknown) => (error as { code?: string }).code ?? String(error));
}

describeShared('The header scanner beside dicom-parser', 'dicom', () => {
  it('gives the rows, or the refusal, that dicom-parser gives, for every file', async () => {
    const files = (await walkFiles(sharedPath('dicom'))).map(({ path }) => path);
    const different: string[] = [];
    const fallbacks: string[] = [];
    for (const file of files) {
      const [scanned, parsed] = [await outcome(scanHeader, file), await outcome(parseHeader, file)];
      if (JSON.stringify(scanned) !== JSON.stringify(parsed)) different.push(file);
      if (scanFile(file) === null && Array.isArray(scanned)) fallbacks.push(file);
    }
    expect(different).toEqual([]);
    expect(files.length).toBeGreaterThan(660);
    process.stdout.write(`${files.length} files, ${fallbacks.length} readable ones left to dicom-parser\n`);
    expect(fallbacks.length).toBeLessThan(12);
  });
});
