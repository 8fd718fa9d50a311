import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import dicomParser from 'dicom-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fileStore, readJsonl } from '../../src/adapters/store/index.js';
import { plantedSchema, runPhantoms, type Planted } from '../../src/demo/index.js';
import { sha256 } from '../../src/util/hash.js';
import { normalise } from '../../src/util/text.js';
import { testDeps } from '../helpers/deps.js';

/** One file as dicom-parser, which this project did not write, reads it. */
interface Instance {
  readonly caseId: string;
  readonly series: string;
  readonly description: string;
  readonly imageType: string;
  readonly uid: string;
  readonly number: number;
  readonly along: number;
  readonly origin: number[];
  readonly cosines: number[];
  readonly spacing: number;
  readonly columns: number;
  readonly values: (row: number, column: number) => number;
  readonly file: string;
}

const store = fileStore();
const folders: string[] = [];
const freshFolder = async (): Promise<string> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gm-phantoms-'));
  folders.push(folder);
  return folder;
};

async function read(out: string, file: string): Promise<Instance> {
  const bytes = await readFile(path.join(out, 'cases', file));
  const data = dicomParser.parseDicom(bytes);
  const list = (tag: string): number[] => data.string(tag)!.split('\\').map(Number);
  const origin = list('x00200032');
  const cosines = list('x00200037');
  const [a, b, c, d, e, f] = cosines as [number, number, number, number, number, number];
  const normal = [b * f - c * e, c * d - a * f, a * e - b * d];
  const columns = data.uint16('x00280011')!;
  const pixels = data.elements.x7fe00010!;
  const slope = data.floatString('x00281053')!;
  const intercept = data.floatString('x00281052')!;
  return {
    caseId: file.split('/')[0]!,
    series: data.string('x0020000e')!,
    description: data.string('x0008103e')!,
    imageType: data.string('x00080008')!,
    uid: data.string('x00080018')!,
    number: data.intString('x00200013')!,
    along: origin[0]! * normal[0]! + origin[1]! * normal[1]! + origin[2]! * normal[2]!,
    origin,
    cosines,
    spacing: list('x00280030')[0]!,
    columns,
    values: (row, column) =>
      slope * bytes.readInt16LE(pixels.dataOffset + 2 * (row * columns + column)) + intercept,
    file,
  };
}

describe('the phantoms of the first five patients, one of each study type', () => {
  let out: string;
  let instances: Instance[];
  let planted: Planted[];
  const seriesOf = (caseId: string, description: string): Instance[] =>
    instances
      .filter((one) => one.caseId === caseId && one.description === description)
      .sort((a, b) => a.along - b.along);

  beforeAll(async () => {
    out = await freshFolder();
    const made = await runPhantoms({ out, patients: 5 }, testDeps());
    // 5 first patients; patient 2 comes back in case 18.
    expect(made).toMatchObject({ cases: 6, patients: 5 });
    const files = (await store.list(path.join(out, 'cases'))).filter((file) => file.endsWith('.dcm'));
    expect(files).toHaveLength(made.files);
    instances = await Promise.all(files.map((file) => read(out, file)));
    planted = await readJsonl(store, path.join(out, 'planted.jsonl'), plantedSchema);
  });
  afterAll(async () => {
    await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })));
  });

  it('gives two studies of one patient the same patient id and different study UIDs', async () => {
    const csv = (await readFile(path.join(out, 'cases.csv'), 'utf8')).trim().split('\n');
    expect(csv[0]).toBe('case_id,patient_id,dicom_path,report_path');
    const patient = (row: string): string => csv.find((line) => line.startsWith(row))!.split(',')[1]!;
    expect(patient('case-018')).toBe(patient('case-002'));
    expect(patient('case-001')).not.toBe(patient('case-002'));
  });

  it('stores a localizer and at least two other series in every case', () => {
    for (const caseId of new Set(instances.map((one) => one.caseId))) {
      const types = new Map(
        instances.filter((one) => one.caseId === caseId).map((one) => [one.series, one.imageType]),
      );
      const localizers = [...types.values()].filter((type) => type.includes('LOCALIZER'));
      expect(localizers).toHaveLength(1);
      expect(types.size).toBeGreaterThanOrEqual(4);
    }
  });

  it('never numbers or names the slices of a long series in their order in space', () => {
    for (const series of new Set(instances.map((one) => one.series))) {
      const inSpace = instances.filter((one) => one.series === series).sort((a, b) => a.along - b.along);
      if (inSpace.length < 6) continue;
      const numbers = inSpace.map((one) => one.number);
      expect(numbers).not.toEqual([...numbers].sort((a, b) => a - b).filter((n, i, all) => n !== all[i - 1]));
      const names = inSpace.map((one) => one.file);
      expect(names).not.toEqual([...names].sort());
    }
  });

  it('gives each planted slice the position that it has along the normal', () => {
    for (const record of planted) {
      for (const slice of record.slices) {
        const stack = instances
          .filter((one) => one.series === slice.seriesInstanceUid)
          .sort((a, b) => a.along - b.along);
        expect(stack[slice.position]!.uid).toBe(slice.sopInstanceUid);
        expect(stack[slice.position]!.imageType).not.toContain('LOCALIZER');
      }
    }
  });

  it('shows a finding on at most 7 slices of a series, next to each other', () => {
    for (const record of planted.filter((one) => one.askable)) {
      expect(record.slices.length).toBeGreaterThan(0);
      for (const series of new Set(record.slices.map((slice) => slice.seriesInstanceUid))) {
        const positions = record.slices
          .filter((slice) => slice.seriesInstanceUid === series)
          .map((slice) => slice.position);
        expect(positions.length).toBeLessThanOrEqual(7);
        expect(positions.at(-1)! - positions[0]! + 1).toBe(positions.length);
      }
    }
  });

  it('states every planted finding in its report in the words of the record', async () => {
    for (const record of planted) {
      const report = await readFile(path.join(out, 'cases', record.caseId, 'report.txt'), 'utf8');
      expect(report.split(record.sentence).length).toBeGreaterThanOrEqual(2);
      if (record.kind === 'finding' && record.laterality)
        expect(normalise(record.sentence)).toMatch(new RegExp(`\\b${record.laterality}\\b`));
    }
    expect(planted.some((record) => record.sentence.includes('\n'))).toBe(true);
  });

  // Row direction is +x, the patient's left: the patient's right is on the left of the picture.
  it('puts the opaque right maxillary sinus at negative x and leaves the left one full of air', () => {
    const bone = seriesOf('case-001', 'BONE 5.0 H60s');
    const sinus = planted.find(
      (record) => record.caseId === 'case-001' && record.concept === 'sinus-opacification',
    )!;
    const shown = sinus.slices.filter((slice) => slice.seriesInstanceUid === bone[0]!.series);
    const slice = bone[shown[Math.floor(shown.length / 2)]!.position]!;
    // y = -56 mm is the depth of the sinuses; rows run toward the back at the cosine of the tilt.
    const row = Math.round((-56 - slice.origin[1]!) / (slice.spacing * slice.cosines[4]!));
    const column = (x: number): number => Math.round((x - slice.origin[0]!) / slice.spacing);
    expect(meanAround(slice, row, column(-25))).toBeGreaterThan(-60);
    expect(meanAround(slice, row, column(25))).toBeLessThan(-900);
    expect(column(-25)).toBeLessThan(column(25));
  });

  it('keeps the liver on the right, the stomach on the left and the spine at the back', () => {
    const abdomen = seriesOf('case-003', 'ABDOMEN PORTAL VENOUS 7.5 STANDARD');
    // z = -53 mm
    const slice = abdomen.reduce((best, one) =>
      Math.abs(one.origin[2]! + 53) < Math.abs(best.origin[2]! + 53) ? one : best,
    );
    const at = (x: number, y: number): number =>
      meanAround(
        slice,
        Math.round((y - slice.origin[1]!) / slice.spacing),
        Math.round((x - slice.origin[0]!) / slice.spacing),
      );
    expect(at(-80, -30)).toBeGreaterThan(90);
    expect(at(-80, -30)).toBeLessThan(125);
    expect(at(62, -48)).toBeLessThan(-900);
    expect(at(0, 60)).toBeGreaterThan(130);
  });

  it('gives PET its units, and fluid bright on T2 and dark on FLAIR', () => {
    const pet = seriesOf('case-005', 'PET WB AC');
    expect(pet).toHaveLength(36);
    const middle = (slice: Instance, x: number, y: number): number => {
      const row = Math.round((y - slice.origin[1]!) / (slice.spacing * slice.cosines[4]!));
      return meanAround(slice, row, Math.round((x - slice.origin[0]!) / slice.spacing));
    };
    // The bladder, at z = -350 mm: about 22 SUV of 4,000 Bq/ml each.
    expect(middle(pet[1]!, 0, -20)).toBeGreaterThan(60_000);
    const near = (description: string, z: number): Instance =>
      seriesOf('case-004', description).reduce((best, one) =>
        Math.abs(one.origin[2]! - z) < Math.abs(best.origin[2]! - z) ? one : best,
      );
    // The body of the left lateral ventricle, 11 mm from the middle. The T2 stack is tilted by 10 degrees: its first
    // row lies about 20 mm higher than its centre.
    expect(middle(near('AX FLAIR', 27), 11, 2)).toBeLessThan(150);
    expect(middle(near('AX T2 TSE', 47), 11, 2)).toBeGreaterThan(700);
  });

  it('puts made-up personal data into every file and report', async () => {
    const bytes = await readFile(path.join(out, 'cases', instances[0]!.file));
    const data = dicomParser.parseDicom(bytes);
    const id = data.string('x00100020')!;
    expect(id).toMatch(/^SYN-\d{6}$/);
    expect(data.string('x00080080')).toBeTruthy();
    const report = await readFile(path.join(out, 'cases', instances[0]!.caseId, 'report.txt'), 'utf8');
    expect(report).toContain(id);
    expect(report).toContain(data.string('x00100010')!.split('^')[0]);
  });
});

describe('runPhantoms on a folder', () => {
  const hashes = async (out: string): Promise<string[]> => {
    const files = await store.list(out);
    return Promise.all(files.map(async (file) => `${file} ${sha256(await readFile(path.join(out, file)))}`));
  };

  it('gives the same bytes for the same seed, others for another seed, and keeps what is complete', async () => {
    const [first, second, third] = [await freshFolder(), await freshFolder(), await freshFolder()];
    const made = await runPhantoms({ out: first, patients: 1 }, testDeps());
    await runPhantoms({ out: second, patients: 1 }, testDeps());
    await runPhantoms({ out: third, patients: 1 }, testDeps({ seed: 1 }));
    expect(await hashes(second)).toEqual(await hashes(first));
    expect(await hashes(third)).not.toEqual(await hashes(first));

    const untouched = testDeps();
    let jobs = 0;
    const counting = {
      ...untouched,
      queue: { ...untouched.queue, map: () => Promise.reject(new Error(`job ${++jobs}`)) },
    };
    expect(await runPhantoms({ out: first, patients: 1 }, counting)).toEqual(made);
    expect(jobs).toBe(0);

    // A file is lost: the run is done again.
    const lost = (await store.list(path.join(first, 'cases'))).find((file) => file.endsWith('.dcm'))!;
    await rm(path.join(first, 'cases', lost));
    await expect(runPhantoms({ out: first, patients: 1 }, counting)).rejects.toThrow('job 1');
  });

  it('does not touch a folder with cases that no demo made', async () => {
    const out = await freshFolder();
    await writeFile(path.join(out, 'cases.csv'), 'case_id,patient_id\n');
    await expect(runPhantoms({ out, patients: 1 }, testDeps())).rejects.toThrow(/did not make/);
    expect(await store.list(out)).toEqual(['cases.csv']);
  });

  it.each([0, 18, 1.5])('refuses %s patients', async (patients) => {
    const out = await freshFolder();
    await expect(runPhantoms({ out, patients }, testDeps())).rejects.toThrow(/Ask for 1 to 17/);
  });
});

/** Mean of 5 × 5 pixels, so that grain does not matter. */
function meanAround(slice: Instance, row: number, column: number): number {
  let sum = 0;
  for (let r = row - 2; r <= row + 2; r++)
    for (let c = column - 2; c <= column + 2; c++) sum += slice.values(r, c);
  return sum / 25;
}
