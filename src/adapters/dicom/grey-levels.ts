import { modalityValue, type ModalityTransform } from './modality-transform.js';
import type { Padding } from './padding.js';
import type { Samples } from './samples.js';
import { isVoiTable, type Voi } from './voi.js';
import { levelOf } from './window.js';

/** What drawing a grey frame needs to know of it. */
export interface GreyFrame {
  readonly samples: Samples;
  readonly modality: ModalityTransform;
  readonly padding: Padding | null;
  /** The lowest value is shown white: MONOCHROME1, or PresentationLUTShape INVERSE. */
  readonly inverted: boolean;
}

/** Frames with fewer pixels than this are cheaper to work out pixel by pixel than by a table. */
const TABLE_WORTH_PIXELS = 4096;

/**
 * 8-bit grey levels of a frame: modality transform, window or VOI LUT, inversion. Padding is background: 0 in either
 * polarity, as is a value that is no number.
 *
 * Samples of up to 16 bits go through one table of stored value to level, built once for all frames that share it.
 *
 * @param tables - tables built so far, shared by the frames that are drawn together
 * @throws {GroundmarkError} `bad-window`
 */
export function greyLevels(
  frame: GreyFrame,
  voi: Voi,
  tables: Map<string, Uint8Array> = new Map(),
): Uint8Array {
  const { samples } = frame;
  const level = storedLevel(frame, voi);
  const out = new Uint8Array(samples.length);
  if (samples.BYTES_PER_ELEMENT > 2 || samples.length < TABLE_WORTH_PIXELS) {
    for (let i = 0; i < samples.length; i++) out[i] = level(samples[i]!);
    return out;
  }
  const key = tableKey(frame, voi);
  const known = key === null ? undefined : tables.get(key);
  const table = known ?? levelTable(samples, level);
  if (key !== null && !known) tables.set(key, table);
  const mask = table.length - 1;
  for (let i = 0; i < samples.length; i++) out[i] = table[samples[i]! & mask]!;
  return out;
}

/** Stored value to level. */
function storedLevel({ modality, padding, inverted }: GreyFrame, voi: Voi): (stored: number) => number {
  const level = levelOf(voi);
  return (stored) => {
    if (padding && stored >= padding.low && stored <= padding.high) return 0;
    const value = modalityValue(stored, modality);
    if (Number.isNaN(value)) return 0;
    return inverted ? 255 - level(value) : level(value);
  };
}

/** One level for each bit pattern of an 8- or 16-bit sample. */
function levelTable(samples: Samples, level: (stored: number) => number): Uint8Array {
  const size = samples.BYTES_PER_ELEMENT === 1 ? 256 : 65536;
  const signed = samples instanceof Int8Array || samples instanceof Int16Array;
  const table = new Uint8Array(size);
  for (let pattern = 0; pattern < size; pattern++) {
    table[pattern] = level(signed && pattern >= size / 2 ? pattern - size : pattern);
  }
  return table;
}

/** What two frames must share to share a table; null when lookup tables are involved, which are not compared. */
function tableKey({ samples, modality, padding, inverted }: GreyFrame, voi: Voi): string | null {
  if (modality.table || isVoiTable(voi)) return null;
  const type = samples.constructor.name;
  const { slope, intercept } = modality;
  const { center, width, shape } = voi;
  return [type, slope, intercept, padding?.low, padding?.high, inverted, center, width, shape].join('/');
}
