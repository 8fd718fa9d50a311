import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createCanvas } from '@napi-rs/canvas';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inProcessQueue } from '../../src/adapters/queue/index.js';
import { writeDicom } from '../../src/adapters/dicom/write-dicom.js';
import { runRelease, type ReleaseInput } from '../../src/release/index.js';
import { rng } from '../../src/util/rng.js';
import { testDeps } from '../helpers/deps.js';
import { dicomFile, makeWorkspace, SECRETS, type Fixture } from './workspace-fixture.js';

let w: Fixture;
beforeEach(async () => {
  w = await makeWorkspace();
});
afterEach(() => rm(w.root, { recursive: true, force: true }));

function release(allow: NonNullable<ReleaseInput['allow']> = []) {
  const deps = { ...testDeps(), queue: inProcessQueue(1) };
  const input = { paths: w.paths, recipients: [], cases: w.cases, secret: 'a secret of the test', allow };
  return runRelease(input, deps);
}

const flagHeader = (value: string): Promise<void> =>
  writeFile(path.join(w.root, 'dicom', 'slice-0001.dcm'), dicomFile(value));

/** A CT slice of noise with a line of text drawn into its stored values. */
async function drawText(text: string): Promise<void> {
  const canvas = createCanvas(256, 256);
  const context = canvas.getContext('2d');
  context.fillStyle = '#ffffff';
  context.font = '16px sans-serif';
  context.fillText(text, 12, 30);
  const drawn = context.getImageData(0, 0, 256, 256).data;
  const noise = rng(1, 'pixel-gate');
  const pixels = Int16Array.from(
    { length: 256 * 256 },
    (_, i) => 20 + 30 * noise.next() + 4 * drawn[i * 4 + 3]!,
  );
  const bytes = writeDicom(
    {
      SOPClassUID: '1.2.840.10008.5.1.4.1.1.2',
      SOPInstanceUID: SECRETS.sop,
      Modality: 'CT',
      StudyInstanceUID: SECRETS.study,
      SeriesInstanceUID: SECRETS.series,
      Rows: 256,
      Columns: 256,
    },
    pixels,
  );
  await writeFile(path.join(w.root, 'dicom', 'slice-0001.dcm'), bytes);
}

describe('The pixel gate of a release', () => {
  it('lets clean material pass, and says how much it looked at', async () => {
    expect((await release()).pixelGate).toEqual({ files: 1, slices: 1, allowed: 0 });
    await flagHeader('NO');
    expect((await release()).pixelGate.files).toBe(1);
  });

  it('refuses a series whose header says that text is burned in, and names no patient', async () => {
    await flagHeader('YES');
    const error = await release().catch((cause: Error) => cause);
    expect(error).toMatchObject({ code: 'burned-in', exit: 1 });
    const told = `${(error as Error).message} ${JSON.stringify((error as { context?: unknown }).context)}`;
    expect(told).toContain('burned-in-annotation (1 files)');
    for (const secret of [SECRETS.name, SECRETS.patientId, SECRETS.caseId, SECRETS.series]) {
      expect(told).not.toContain(secret);
    }
    const report = JSON.parse(await readFile(w.paths.deidReport, 'utf8')) as { refused: unknown[] };
    expect(report.refused).toEqual([
      { rule: 'burned-in-annotation', seriesInstanceUid: SECRETS.series, files: 1 },
    ]);
  });

  it('passes what groundmark.yaml allows with a reason, for that rule and series alone', async () => {
    await flagHeader('YES');
    const allow = { rule: 'burned-in-annotation' as const, reason: 'a scale bar, looked at' };
    await expect(release([{ ...allow, series: '1.2.3' }])).rejects.toMatchObject({ code: 'burned-in' });
    await expect(release([{ ...allow, rule: 'screen-save' }])).rejects.toMatchObject({ code: 'burned-in' });
    expect((await release([allow])).pixelGate.allowed).toBe(1);
    expect((await release([{ ...allow, series: SECRETS.series }])).pixelGate.allowed).toBe(1);
  });

  it('refuses a slice with a line of text in it, and not the same slice without', async () => {
    await drawText('');
    expect((await release()).pixelGate.slices).toBe(1);
    await drawText('Zwartbol Iphigenia 1948-03-12');
    await expect(release()).rejects.toMatchObject({
      code: 'burned-in',
      context: { rules: { 'burned-in-text': 1 } },
    });
  });

  it('refuses when a DICOM file behind an item cannot be read', async () => {
    await writeFile(path.join(w.root, 'dicom', 'slice-0001.dcm'), 'no DICOM');
    await expect(release()).rejects.toMatchObject({ code: 'pixels-not-checked', exit: 1 });
  });
});
