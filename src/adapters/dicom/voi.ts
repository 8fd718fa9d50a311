import type { DataSet } from 'dicom-parser';
import type { TextReader } from './character-set.js';
import { attributes, items, type Attributes } from './data-set.js';
import { LUT_TAGS, readLookupTable, type LookupTable, type LookupTableEncoding } from './lookup-table.js';

/** Shape of a window, VOILUTFunction (0028,1056). PS3.3 C.11.2.1.2 and C.11.2.1.3. */
export type WindowShape = 'LINEAR' | 'LINEAR_EXACT' | 'SIGMOID';

/** A window in the units after the modality transform. */
export interface Window {
  readonly center: number;
  /** At least 1 for LINEAR (the default), more than 0 for the others. */
  readonly width: number;
  readonly shape?: WindowShape;
  /** WindowCenterWidthExplanation (0028,1055). */
  readonly explanation?: string | null;
}

/** A VOI LUT: from values after the modality transform to display values of `bits` bits. PS3.3 C.11.2.1.1. */
export interface VoiTable extends LookupTable {
  readonly explanation: string | null;
}

/** How values become grey levels. */
export type Voi = Window | VoiTable;

export function isVoiTable(voi: Voi): voi is VoiTable {
  return 'entries' in voi;
}

/** Whether a window can be drawn: the standard allows no narrower ones, and files have them. */
export function isUsable({ center, width, shape }: Window): boolean {
  const wide = shape === undefined || shape === 'LINEAR' ? width >= 1 : width > 0;
  return Number.isFinite(center) && Number.isFinite(width) && wide;
}

/**
 * The windows of a frame in the file's order.
 *
 * @param at - the frame's attributes: its Frame VOI LUT group, then the file's own
 */
export function readWindows(at: Attributes): Window[] {
  const centers = at.numbers('x00281050') ?? [];
  const widths = at.numbers('x00281051') ?? [];
  const explanations = at.texts('x00281055') ?? [];
  const shape = windowShape(at.text('x00281056'));
  return centers.flatMap((center, i) => {
    const width = widths[i];
    return width === undefined ? [] : [{ center, width, shape, explanation: explanations[i] || null }];
  });
}

function windowShape(name: string | null): WindowShape {
  return name === 'LINEAR_EXACT' || name === 'SIGMOID' ? name : 'LINEAR';
}

/** The VOI LUTs of a file in its order. */
export function readVoiTables(
  dataSet: DataSet,
  reader: TextReader,
  encoding: LookupTableEncoding,
): VoiTable[] {
  return items(dataSet, 'x00283010').flatMap((item) => {
    const table = readLookupTable(item, LUT_TAGS, encoding);
    return table ? [{ ...table, explanation: attributes([item], reader).text('x00283003') }] : [];
  });
}
