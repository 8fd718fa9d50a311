import type { DataSet } from 'dicom-parser';
import type { PixelLayout } from './pixel-layout.js';

/** Stored values that stand for no measurement, both ends included. PS3.3 C.7.5.1.1.2. */
export interface Padding {
  readonly low: number;
  readonly high: number;
}

/** The padding of a file's grey pixels; null when it gives none. */
export function readPadding(dataSet: DataSet, layout: PixelLayout): Padding | null {
  if (layout.samplesPerPixel !== 1) return null;
  const value = paddingValue(dataSet, layout, 'x00280120', 'x00280122', 'x00280123');
  if (value === null) return null;
  const limit = paddingValue(dataSet, layout, 'x00280121', 'x00280124', 'x00280125') ?? value;
  return { low: Math.min(value, limit), high: Math.max(value, limit) };
}

/** Integer, float or double form of one attribute; integers are signed as the pixels are, whatever VR they came with. */
function paddingValue(
  dataSet: DataSet,
  layout: PixelLayout,
  integer: string,
  float: string,
  double: string,
): number | null {
  const tag = !layout.float ? integer : layout.bitsAllocated === 32 ? float : double;
  const bytes = layout.float ? layout.bitsAllocated / 8 : 2;
  if ((dataSet.elements[tag]?.length ?? 0) < bytes) return null;
  if (tag === float) return dataSet.float(tag) ?? null;
  if (tag === double) return dataSet.double(tag) ?? null;
  return (layout.signed ? dataSet.int16(tag) : dataSet.uint16(tag)) ?? null;
}
