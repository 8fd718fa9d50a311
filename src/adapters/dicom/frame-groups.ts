import type { HeaderDataSet } from './header/header-data-set.js';
import { items } from './data-set.js';

const SHARED_GROUPS = 'x52009229';
const PER_FRAME_GROUPS = 'x52009230';
const MR_DIFFUSION = 'x00189117';
const GRADIENT_DIRECTION = 'x00189076';

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
  'x00189115', // MR Modifier
  MR_DIFFUSION,
  'x00189118', // Cardiac Synchronization
  'x00189112', // MR Timing and Related Parameters
  'x00189314', // CT Reconstruction
  'x00409096', // Real World Value Mapping
] as const;

/** What an object says of its frames in functional groups. */
export interface FrameGroups<T> {
  /** Whether each frame has groups of its own. */
  readonly perFrame: boolean;
  /** A frame's own data sets, most specific first: its functional groups, then the shared ones. */
  of(frame: number): T[];
  /** The item of a sequence inside a frame's group, or else inside the shared one. */
  inside(frame: number, group: string, sequence: string): T | undefined;
}

/** A frame's own data sets, most specific first; [] for a classic object. */
export function frameDataSets<T extends HeaderDataSet>(dataSet: T, frame: number): T[] {
  return frameGroups(dataSet)?.of(frame) ?? [];
}

/** The functional groups of an object, what all frames share unpacked once; null for an object without any. */
export function frameGroups<T extends HeaderDataSet>(dataSet: T): FrameGroups<T> | null {
  const perFrame = items(dataSet, PER_FRAME_GROUPS);
  const [forAll] = items(dataSet, SHARED_GROUPS);
  const shared = unpack(forAll);
  if (perFrame.length === 0 && shared.length === 0) return null;
  const inside = (groups: T | undefined, group: string, sequence: string): T | undefined =>
    items(items(groups, group)[0], sequence)[0];
  return {
    perFrame: perFrame.length > 0,
    of: (frame) => [...unpack(perFrame[frame]), ...shared],
    inside: (frame, group, sequence) =>
      inside(perFrame[frame], group, sequence) ?? inside(forAll, group, sequence),
  };
}

function unpack<T extends HeaderDataSet>(group: T | undefined): T[] {
  if (!group) return [];
  const found: T[] = [];
  for (const tag of GROUPS) {
    const [first] = items(group, tag);
    if (first) found.push(first);
  }
  // The gradient direction lies one level deeper.
  const [direction] = items(items(group, MR_DIFFUSION)[0], GRADIENT_DIRECTION);
  if (direction) found.push(direction);
  return found;
}
