import path from 'node:path';
import { writeDicom } from '../adapters/dicom/write-dicom.js';
import { fileStore } from '../adapters/store/index.js';
import { sha256 } from '../util/hash.js';
import { rng } from '../util/rng.js';
import { buildAnatomy, type PlantedShape } from './anatomy.js';
import type { Identity, Visit } from './identity.js';
import { instanceNumbers } from './instance-order.js';
import { noiseField } from './noise.js';
import type { AnatomyRecipe, SeriesRecipe, StudyRecipe, Tissue } from './recipe.js';
import { renderSlice, type SliceScene } from './render-slice.js';
import { seriesAttributes, sliceAttributes } from './series-attributes.js';
import { stackPlanes } from './stack-geometry.js';
import { syntheticUid } from './synthetic-uid.js';

/** One series to make; plain data. */
export interface SeriesJob {
  readonly seed: number;
  readonly caseId: string;
  readonly patient: number;
  /** Absolute folder for the series' files. */
  readonly folder: string;
  readonly study: StudyRecipe;
  readonly series: SeriesRecipe;
  readonly anatomy: AnatomyRecipe;
  readonly tissues: Readonly<Record<string, Tissue>>;
  readonly findings: readonly PlantedShape[];
  readonly identity: Identity;
  readonly visit: Visit;
}

/** What came of it. */
export interface SeriesMade {
  readonly files: number;
  /** Slices on which a finding can be seen, by spatial order. */
  readonly visible: readonly {
    readonly finding: string;
    readonly seriesInstanceUid: string;
    readonly sopInstanceUid: string;
    readonly frame: number;
    readonly position: number;
  }[];
}

/** Writes the files of one series and tells where its findings can be seen. The queue's job. */
export async function run(job: SeriesJob): Promise<SeriesMade> {
  const { study, series, seed, caseId } = job;
  const modality = series.modality ?? study.modality;
  const uids = {
    study: syntheticUid(seed, caseId, 'study'),
    series: syntheticUid(seed, caseId, 'series', series.name),
    frameOfReference: syntheticUid(seed, caseId, 'frame of reference'),
  };
  const shared = seriesAttributes(study, series, job.identity, job.visit, uids);
  const random = rng(seed, 'series', caseId, series.name);
  const scene: SliceScene = {
    // Both studies of a patient show the same body: its texture and size come from the patient alone.
    texture: {
      a: noiseField(seed, 'texture', job.patient, 'a'),
      b: noiseField(seed, 'texture', job.patient, 'b'),
      scale: 0.97 + 0.05 * rng(seed, 'size', job.patient).next(),
    },
    steps: buildAnatomy(job.anatomy, job.tissues, job.findings, `${seed} ${caseId}`),
    tissues: job.tissues,
    series,
    enhanced: study.contrast,
  };
  const store = fileStore();
  const visible: SeriesMade['visible'][number][] = [];
  const writes: Promise<void>[] = [];
  const total = series.stacks.reduce((sum, stack) => sum + stack.count, 0);
  const numbers = instanceNumbers(total, series.order, random);
  let index = 0;
  for (const stack of series.stacks) {
    for (const [position, plane] of stackPlanes(stack, study.center, series.matrix, series.fovMm).entries()) {
      const sopInstanceUid = syntheticUid(seed, caseId, 'instance', series.name, index);
      const slice = renderSlice(scene, plane, stack, [random.int(256), random.int(256)]);
      for (const finding of slice.visible)
        visible.push({ finding, seriesInstanceUid: uids.series, sopInstanceUid, frame: 0, position });
      const own = sliceAttributes(plane, stack, {
        sopInstanceUid,
        instanceNumber: numbers[index]!,
        imageIndex: index + 1,
        modality,
      });
      // Names out of a hash: their order says nothing about the order in space.
      const file = path.join(job.folder, `${sha256(sopInstanceUid).slice(0, 12)}.dcm`);
      writes.push(store.write(file, writeDicom({ ...shared, ...own }, slice.pixels)));
      index++;
    }
  }
  await Promise.all(writes);
  return { files: total, visible };
}
