import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { workspacePaths, type WorkspacePaths } from '../../src/adapters/store/index.js';
import type { Case } from '../../src/domain/config.js';
import { sha256 } from '../../src/util/hash.js';
import { noisePng, paddedTo } from './png-fixture.js';

/** Everything private that the fixture holds. Invented. */
export const SECRETS = {
  caseId: 'ward7-case-0042',
  patientId: 'MRN-5501982',
  name: 'Zwartbol^Iphigenia',
  family: 'Zwartbol',
  birthDate: '19480312',
  study: '1.2.840.99999.1.20260102.77',
  series: '1.2.840.99999.1.20260102.77.3',
  sop: '1.2.840.99999.1.20260102.77.3.15',
  sentence: 'A spiculated mass of 23 mm abuts the left major fissure with pleural retraction',
  opaqueSeries: 's9f31c07ab2',
  caseGroup: 'g77ab01e5d3',
} as const;

export interface Fixture {
  readonly root: string;
  readonly paths: WorkspacePaths;
  readonly cases: readonly Case[];
  readonly items: Record<string, unknown>[];
  /** Writes the items again after a test changed them. */
  save(): Promise<void>;
  /** Replaces an image, keeping its record right. */
  replaceImage(item: number, image: number, png: Buffer): Promise<void>;
}

type ItemImage = { id: string; file: string; sha256: string; width: number; height: number };

/** A built workspace of three items with seven images each, one case, one DICOM file, one report. */
export async function makeWorkspace(): Promise<Fixture> {
  const root = await mkdtemp(path.join(tmpdir(), 'groundmark-release-'));
  const paths = workspacePaths(root);
  const put = async (file: string, data: string | Uint8Array): Promise<void> => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, data);
  };
  const items: Record<string, unknown>[] = [];
  const key: unknown[] = [];
  for (const [n, id] of ['q7c1', 'q2f9', 'q5d0'].entries()) {
    const images: ItemImage[] = [];
    for (let i = 1; i <= 7; i++) {
      const name = `img0${i}`;
      const png = paddedTo(await noisePng(`${id}-${i}`), 1024);
      await put(path.join(paths.itemImages, id, `${name}.png`), png);
      images.push({ id: name, file: `images/${id}/${name}.png`, sha256: sha256(png), width: 24, height: 20 });
    }
    items.push({
      schemaVersion: 1,
      id,
      question: 'Where does the abnormality lie?',
      choices: ['upper', 'middle', 'lower', 'apical', 'basal'].map((text, k) => ({
        letter: 'ABCDE'[k],
        text: `${text} part`,
      })),
      images,
      split: ['dev', 'validation', 'test'][n],
    });
    key.push({
      schemaVersion: 1,
      id,
      answer: 'ABCDE'[n],
      images: images.map((image, i) => ({
        id: image.id,
        series: SECRETS.opaqueSeries,
        position: 10 * i,
        role: i === n ? 'reference' : 'comparison',
      })),
      caseGroup: SECRETS.caseGroup,
      strata: { modality: 'CT', region: 'chest' },
    });
  }
  const save = (): Promise<void> =>
    put(paths.items, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
  await save();
  await put(paths.key, key.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  await put(paths.index, `${JSON.stringify(indexRow())}\n`);
  await put(paths.targets, '');
  const slice = {
    seriesInstanceUid: SECRETS.series,
    sopInstanceUid: SECRETS.sop,
    frame: 0,
    position: 0,
    volumeId: 'v1',
  };
  const evidence = {
    schemaVersion: 1,
    targetId: 't1',
    caseId: SECRETS.caseId,
    finding: { text: SECRETS.sentence, start: 10, end: 10 + SECRETS.sentence.length },
    references: [slice],
    comparisons: [],
    candidates: [],
    dropped: null,
  };
  await put(paths.evidence, `${JSON.stringify(evidence)}\n`);
  await put(path.join(root, 'dicom', 'slice-0001.dcm'), dicomFile());
  await put(path.join(root, 'report.txt'), `FINDINGS:\n${SECRETS.sentence}.\nHeart is normal.\n`);
  await put(paths.config, CONFIG);
  await put(
    path.join(root, 'cases.csv'),
    `case_id,patient_id,dicom_path,report_path\n${SECRETS.caseId},${SECRETS.patientId},dicom,report.txt\n`,
  );
  return {
    root,
    paths,
    items,
    save,
    cases: [
      {
        caseId: SECRETS.caseId,
        patientId: SECRETS.patientId,
        imagePath: path.join(root, 'dicom'),
        reportPath: path.join(root, 'report.txt'),
      },
    ],
    async replaceImage(item, image, png) {
      const record = (items[item] as { images: ItemImage[] }).images[image]!;
      record.sha256 = sha256(png);
      await put(path.join(paths.root, 'mcq', record.file), png);
      await save();
    },
  };
}

const CONFIG = `cases: cases.csv
reviewers:
  - { id: a, model: offline/saliency }
  - { id: b, model: offline/saliency }
`;

function indexRow(): Record<string, unknown> {
  const nothing = Object.fromEntries(
    [
      'sopClassUid transferSyntaxUid modality seriesNumber instanceNumber rows columns bitsAllocated bitsStored',
      'pixelRepresentation samplesPerPixel photometricInterpretation imagePositionPatient imageOrientationPatient',
      'pixelSpacingMm sliceThicknessMm rescaleSlope rescaleIntercept windowCenter windowWidth seriesDescription',
      'bodyPartExamined imageType',
    ]
      .join(' ')
      .split(' ')
      .map((name) => [name, null]),
  );
  return {
    ...nothing,
    path: 'dicom/slice-0001.dcm',
    frame: 0,
    studyInstanceUid: SECRETS.study,
    seriesInstanceUid: SECRETS.series,
    sopInstanceUid: SECRETS.sop,
    numberOfFrames: 1,
    volumeId: 'v1',
    position: 0,
  };
}

/** A header in explicit VR little endian, without pixel data. PS3.10 section 7.1. */
export function dicomFile(burnedIn?: string): Buffer {
  const element = (group: number, number: number, vr: string, value: string): Buffer => {
    const padded = value.length % 2 === 0 ? value : `${value}${vr === 'UI' ? '\0' : ' '}`;
    const head = Buffer.alloc(8);
    head.writeUInt16LE(group, 0);
    head.writeUInt16LE(number, 2);
    head.write(vr, 4, 'latin1');
    head.writeUInt16LE(padded.length, 6);
    return Buffer.concat([head, Buffer.from(padded, 'latin1')]);
  };
  return Buffer.concat([
    Buffer.alloc(128),
    Buffer.from('DICM'),
    element(0x0002, 0x0010, 'UI', '1.2.840.10008.1.2.1'),
    element(0x0008, 0x0018, 'UI', SECRETS.sop),
    element(0x0010, 0x0010, 'PN', SECRETS.name),
    element(0x0010, 0x0020, 'LO', SECRETS.patientId),
    element(0x0010, 0x0030, 'DA', SECRETS.birthDate),
    ...(burnedIn === undefined ? [] : [element(0x0028, 0x0301, 'CS', burnedIn)]),
  ]);
}
