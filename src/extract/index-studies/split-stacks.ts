import { byCodeUnit } from '../../adapters/store/index.js';
import { groupBy } from './group-by.js';
import type { HeaderRow } from '../../adapters/dicom/index.js';

/** A frame and where it lies along its stack's normal, mm. */
export interface PlacedFrame {
  readonly row: HeaderRow;
  readonly alongNormal: number;
}

/** Frames that form one stack, and what sets it apart from the others. */
export interface Stack {
  readonly label: readonly string[];
  readonly frames: readonly PlacedFrame[];
}

/** Slices nearer than this are images of the same place, mm. A tenth of the thinnest slices in use. */
const SAME_PLACE_MM = 0.01;

/** What may tell two images of one place apart, the most telling first. */
const DISCRIMINATORS: readonly (readonly [string, (row: HeaderRow) => unknown])[] = [
  ['imageType', (row) => row.imageType],
  ['echo', (row) => row.echoNumber],
  ['echoTime', (row) => row.echoTimeMs],
  ['inversionTime', (row) => row.inversionTimeMs],
  ['kernel', (row) => row.convolutionKernel],
  ['stack', (row) => row.stackId],
  ['temporalPosition', (row) => row.temporalPosition],
  ['bValue', (row) => row.bValue],
  ['gradient', (row) => row.gradientDirection],
  ['triggerTime', (row) => row.triggerTimeMs],
  ['cardiacPhase', (row) => row.nominalPercentageOfCardiacPhase ?? null],
  ['contrast', (row) => row.contrastBolusAgent ?? null],
  ['acquisition', (row) => row.acquisitionNumber],
  ['instance', (row) => row.sopInstanceUid],
];

/**
 * Frames of one orientation and size as stacks that hold one image a place.
 *
 * While a place holds several images, the first attribute that tells images of one place apart, and takes no more
 * values than the fullest place has images, divides the frames. An attribute that changes from slice to slice (an
 * acquisition number in step-and-shoot CT) has more values than that and divides nothing. What is left is divided by
 * rank at the place: InstanceNumber, then SOPInstanceUID, then frame.
 */
export function splitStacks(frames: readonly PlacedFrame[], label: readonly string[] = []): Stack[] {
  const places = placesOf(frames);
  const most = places.reduce((largest, place) => Math.max(largest, place.length), 0);
  if (most <= 1) return [{ label, frames: places.flat() }];
  for (const [name, valueOf] of DISCRIMINATORS) {
    const key = ({ row }: PlacedFrame): string => JSON.stringify(valueOf(row));
    const parts = groupBy(frames, key);
    if (parts.length > most || !places.some((place) => new Set(place.map(key)).size > 1)) continue;
    return parts.flatMap((part) => splitStacks(part, [...label, `${name}=${key(part[0]!)}`]));
  }
  return Array.from({ length: most }, (_, rank) => ({
    label: [...label, `rank=${rank}`],
    frames: places.flatMap((place) => place.slice(rank, rank + 1)),
  }));
}

/** Frames in spatial order, those of one place together, ordered by InstanceNumber, SOPInstanceUID, frame. */
function placesOf(frames: readonly PlacedFrame[]): PlacedFrame[][] {
  const sorted = [...frames].sort((a, b) => a.alongNormal - b.alongNormal || byInstance(a.row, b.row));
  const places: PlacedFrame[][] = [];
  for (const frame of sorted) {
    const place = places.at(-1);
    if (place && frame.alongNormal - place[0]!.alongNormal <= SAME_PLACE_MM) place.push(frame);
    else places.push([frame]);
  }
  for (const place of places) place.sort((a, b) => byInstance(a.row, b.row));
  return places;
}

/** InstanceNumber (absent last), then SOPInstanceUID, then frame. CONTRACT.md "position". */
export function byInstance(a: HeaderRow, b: HeaderRow): number {
  const [first, second] = [a.instanceNumber ?? Infinity, b.instanceNumber ?? Infinity];
  if (first !== second) return first - second;
  return byCodeUnit(a.sopInstanceUid ?? '', b.sopInstanceUid ?? '') || a.frame - b.frame;
}
