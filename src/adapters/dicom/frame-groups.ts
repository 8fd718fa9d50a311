import type { HeaderDataSet } from './header/header-data-set.js';
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
export function frameDataSets<T extends HeaderDataSet>(dataSet: T, frame: number): T[] {
  return frameGroups(dataSet)?.(frame) ?? unpack(items(dataSet, SHARED_GROUPS)[0]);
}

/**
 * Gives the data sets of any frame, as {@link frameDataSets} does, with what all frames share unpacked once; null for an
 * object that does not describe its frames by functional groups.
 */
export function frameGroups<T extends HeaderDataSet>(dataSet: T): ((frame: number) => T[]) | null {
  const perFrame = items(dataSet, PER_FRAME_GROUPS);
  if (perFrame.length === 0) return null;
  const shared = unpack(items(dataSet, SHARED_GROUPS)[0]);
  return (frame) => [...unpack(perFrame[frame]), ...shared];
}

function unpack<T extends HeaderDataSet>(group: T | undefined): T[] {
  if (!group) return [];
  const found: T[] = [];
  for (const tag of GROUPS) {
    const [first] = items(group, tag);
    if (first) found.push(first);
  }
  // The gradient direction and the anatomic region lie one level deeper.
  for (const [outer, inner] of DEEPER) {
    const [first] = items(items(group, outer)[0], inner);
    if (first) found.push(first);
  }
  return found;
}

const DEEPER = [
  ['x00189117', 'x00189076'],
  ['x00209071', 'x00082218'],
] as const;
