import type { DataSet } from 'dicom-parser';
import type { TextReader } from './character-set.js';
import { attributes, items, type Attributes } from './data-set.js';
import {
  lookUp,
  LUT_TAGS,
  readLookupTable,
  type LookupTable,
  type LookupTableEncoding,
} from './lookup-table.js';
import type { Samples } from './samples.js';
import { suvScale } from './suv.js';

/** From stored values to values with a unit. PS3.3 C.11.1. */
export interface ModalityTransform {
  /** value = stored × slope + intercept, or `table` when there is one. */
  readonly slope: number;
  readonly intercept: number;
  readonly table: LookupTable | null;
  /** `HU`, `SUVbw`, `BQML`, `OD`, `US` (unspecified), `GY` …; null when the file does not say. */
  readonly unit: string | null;
  /** PET only: why the values are no SUVbw. */
  readonly noSuv: string | null;
}

/** The identity, for tests and for pictures that are no measurement. */
export const NO_TRANSFORM: ModalityTransform = {
  slope: 1,
  intercept: 0,
  table: null,
  unit: null,
  noSuv: null,
};

/**
 * The modality transform of a frame: Modality LUT Sequence, else rescale slope and intercept (1 and 0 when absent), for
 * PET scaled on to SUVbw when the file says enough, for a dose grid its DoseGridScaling.
 *
 * @param at - the frame's attributes: its functional groups, then the file's own
 */
export function readModalityTransform(
  dataSet: DataSet,
  at: Attributes,
  reader: TextReader,
  encoding: LookupTableEncoding,
): ModalityTransform {
  const modality = at.text('x00080060');
  const item = items(dataSet, 'x00283000')[0];
  const table = item ? readLookupTable(item, LUT_TAGS, encoding) : null;
  if (item && table) {
    return { ...NO_TRANSFORM, table, unit: attributes([item], reader).text('x00283004') };
  }
  if (modality === 'RTDOSE') {
    const scaling = at.number('x3004000e');
    return { ...NO_TRANSFORM, slope: scaling ?? 1, unit: scaling === null ? null : at.text('x30040002') };
  }
  const slope = at.number('x00281053') ?? 1;
  const intercept = at.number('x00281052') ?? 0;
  if (modality === 'PT') {
    const scale = suvScale(dataSet, at, reader);
    if ('factor' in scale) {
      const { factor } = scale;
      return {
        slope: slope * factor,
        intercept: intercept * factor,
        table: null,
        unit: 'SUVbw',
        noSuv: null,
      };
    }
    const unit = at.text('x00541001') ?? rescaleUnit(at, modality);
    return { slope, intercept, table: null, unit, noSuv: scale.reason };
  }
  return { slope, intercept, table: null, unit: rescaleUnit(at, modality), noSuv: null };
}

/** RescaleType; a CT that gives a rescale and no type is in Hounsfield units. PS3.3 C.8.2.1. */
function rescaleUnit(at: Attributes, modality: string | null): string | null {
  const type = at.text('x00281054');
  if (type !== null) return /^(?:hu|hounsfield|houndsfield)\b/iu.test(type) ? 'HU' : type;
  return modality === 'CT' && at.number('x00281053') !== null ? 'HU' : null;
}

/** One value. */
export function modalityValue(stored: number, { slope, intercept, table }: ModalityTransform): number {
  return table ? lookUp(table, stored) : stored * slope + intercept;
}

/** Values of a frame and their unit; the samples' order. */
export function modalityTransform(pixels: {
  readonly samples: Samples;
  readonly modality: ModalityTransform;
}): { values: Float32Array; unit: string | null } {
  return { values: modalityValues(pixels), unit: pixels.modality.unit };
}

/** Values after the modality transform (Hounsfield units for CT, SUVbw for PET that can be), in the samples' order. */
export function modalityValues({
  samples,
  modality,
}: {
  readonly samples: Samples;
  readonly modality: ModalityTransform;
}): Float32Array {
  const values = new Float32Array(samples.length);
  const { slope, intercept, table } = modality;
  if (table) for (let i = 0; i < samples.length; i++) values[i] = lookUp(table, samples[i]!);
  else for (let i = 0; i < samples.length; i++) values[i] = samples[i]! * slope + intercept;
  return values;
}
