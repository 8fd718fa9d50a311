import type { DataSet } from 'dicom-parser';
import { items } from './data-set.js';

const SHARED_GROUPS = 'x52009229';
const PER_FRAME_GROUPS = 'x52009230';

/**
 * The functional groups that this project reads; each is a sequence of one item whose attributes describe the frame.
 * PS3.3 C.7.6.16.2, C.8.13.5, C.8.15.3.
 */
const GROUPS = [
  'x00209113', // Plane Position
  'x00209116', // Plane Orientation
  'x00289110', // Pixel Measures
  'x00289145', // Pixel Value Transformation
  'x00289132', // Frame VOI LUT
  'x00209111', // Frame Content
  'x00189226', // MR Image Frame Type
  'x00189329', // CT Image Frame Type
  'x00189751', // PET Frame Type
  'x00189114', // MR Echo
  'x00189117', // MR Diffusion
  'x00189118', // Cardiac Synchronization
  'x00189112', // MR Timing and Related Parameters
  'x00189314', // CT Reconstruction
  'x00209071', // Frame Anatomy
  'x00409096', // Real World Value Mapping
] as const;

/** A frame's own data sets, most specific first: its functional groups, then the shared ones; [] for a classic object. */
export function frameDataSets(dataSet: DataSet, frame: number): DataSet[] {
  return [...unpack(items(dataSet, PER_FRAME_GROUPS)[frame]), ...unpack(items(dataSet, SHARED_GROUPS)[0])];
}

/** Whether an object describes its frames by functional groups: an enhanced one. */
export function hasFrameGroups(dataSet: DataSet): boolean {
  return items(dataSet, PER_FRAME_GROUPS).length > 0;
}

function unpack(group: DataSet | undefined): DataSet[] {
  const found = GROUPS.flatMap((tag) => items(group, tag).slice(0, 1));
  // The gradient direction lies one level deeper, in the diffusion group.
  const gradient = items(items(group, 'x00189117')[0], 'x00189076').slice(0, 1);
  return [...found, ...gradient];
}
