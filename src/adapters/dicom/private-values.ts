import { attributes, latin1At } from './data-set.js';
import { textReader } from './character-set.js';
import type { HeaderDataSet } from './header/header-data-set.js';

const LATIN1 = textReader(null);

/**
 * The tag of a private element: its block is wherever the data set's private creator says. PS3.5 section 7.8.1.
 *
 * @param low - last byte of the element number
 * @returns null when the creator has no block in this data set
 */
export function privateTag(
  dataSet: HeaderDataSet,
  creator: string,
  group: number,
  low: number,
): string | null {
  const creators = creatorTags(group);
  for (let i = 0; i < creators.length; i++) {
    const element = dataSet.elements[creators[i]!];
    if (element === undefined || element.length === 0) continue;
    const owner = LATIN1.decodeRaw(latin1At(dataSet.byteArray, element.dataOffset, element.length));
    if (owner === creator) return `x${hex(group, 4)}${hex(FIRST_BLOCK + i, 2)}${hex(low, 2)}`;
  }
  return null;
}

/** Blocks go up to FF; no maker's data set has been seen with one beyond 1F. */
const FIRST_BLOCK = 0x10;
const LAST_BLOCK = 0x1f;

/** The tags of a group that name creators. Made once: every MR image is asked for several. */
function creatorTags(group: number): readonly string[] {
  let tags = CREATOR_TAGS.get(group);
  if (!tags) {
    const blocks = Array.from({ length: LAST_BLOCK - FIRST_BLOCK + 1 }, (_, i) => FIRST_BLOCK + i);
    CREATOR_TAGS.set(group, (tags = blocks.map((block) => `x${hex(group, 4)}00${hex(block, 2)}`)));
  }
  return tags;
}

const CREATOR_TAGS = new Map<number, readonly string[]>();

/** NumberOfImagesInMosaic, (0019,xx0A) of SIEMENS MR HEADER; null when absent. */
export function siemensImageCount(dataSet: HeaderDataSet): number | null {
  const tag = privateTag(dataSet, 'SIEMENS MR HEADER', 0x0019, 0x0a);
  if (tag === null) return null;
  // Written as US, or as text where the VR was lost.
  const at = attributes([dataSet], LATIN1);
  return dataSet.elements[tag]?.length === 2 ? at.uint16(tag) : at.number(tag);
}

/** The CSA image header, (0029,xx10) of SIEMENS CSA HEADER; null when absent. */
export function siemensImageHeader(dataSet: HeaderDataSet): Uint8Array | null {
  const tag = privateTag(dataSet, 'SIEMENS CSA HEADER', 0x0029, 0x10);
  return tag === null ? null : attributes([dataSet], LATIN1).bytes(tag);
}

/** Diffusion weighting of a classic image, from where its maker keeps it. */
export interface Diffusion {
  /** s/mm². */
  readonly bValue: number | null;
  /** Patient coordinates for Siemens and Philips, three numbers. */
  readonly gradientDirection: number[] | null;
}

/**
 * What Siemens, GE and Philips write of the diffusion weighting beside the standard's attributes: Siemens (0019,xx0C) and
 * (0019,xx0E), GE the first value of (0043,xx39) without the billions that newer software adds, Philips (2001,xx03) and
 * (2005,xxB0) to (2005,xxB2).
 */
export function diffusionOf(dataSet: HeaderDataSet): Diffusion {
  const at = attributes([dataSet], LATIN1);
  const siemens = privateTag(dataSet, 'SIEMENS MR HEADER', 0x0019, 0x0c);
  if (siemens !== null && at.has(siemens)) {
    const direction = privateTag(dataSet, 'SIEMENS MR HEADER', 0x0019, 0x0e)!;
    return { bValue: at.number(siemens), gradientDirection: vector(at.float64s(direction)) };
  }
  const ge = privateTag(dataSet, 'GEMS_PARM_01', 0x0043, 0x39);
  if (ge !== null && at.has(ge)) {
    const stored = at.number(ge);
    return { bValue: stored === null ? null : stored % 1e9, gradientDirection: null };
  }
  const philips = privateTag(dataSet, 'Philips Imaging DD 001', 0x2001, 0x03);
  if (philips !== null && at.has(philips)) {
    const parts = [0xb0, 0xb1, 0xb2].map((low) => {
      const tag = privateTag(dataSet, 'Philips MR Imaging DD 001', 0x2005, low);
      return tag === null ? null : at.float32(tag);
    });
    return {
      bValue: at.float32(philips),
      gradientDirection: parts.every((part) => part !== null) ? parts : null,
    };
  }
  return { bValue: null, gradientDirection: null };
}

function vector(values: number[] | null): number[] | null {
  return values?.length === 3 ? values : null;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
