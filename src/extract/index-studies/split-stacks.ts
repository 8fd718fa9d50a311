import { byCodeUnit } from '../../adapters/store/index.js';
import type { HeaderRow } from '../../adapters/dicom/index.js';
import { DISCRIMINATORS, INTERLEAVING, stationsOf } from './discriminators.js';
import { groupBy } from './group-by.js';
import type { Orientation } from './orientations.js';

/** A frame and where it lies along its stack's normal, mm. */
export interface PlacedFrame<Row extends HeaderRow = HeaderRow> {
  readonly row: Row;
  readonly alongNormal: number;
}

/** Frames that form one stack, in spatial order, and what sets it apart from the others. */
export interface Stack<Row extends HeaderRow = HeaderRow> {
  readonly label: readonly string[];
  readonly frames: readonly PlacedFrame<Row>[];
}

/** Slices nearer than this, mm, are images of the same place: a tenth of the thinnest slices in use. */
const SAME_PLACE_MM = 0.01;
/** Thick slices: nearer than this share of their thickness, because stored positions jitter; at most 0.1 mm. */
const SAME_PLACE_SHARE = 0.01;
const SAME_PLACE_MOST_MM = 0.1;

/**
 * Frames of one orientation and size as stacks that hold one image a place.
 *
 * While a place holds several images, the first attribute that tells images of one place apart, and takes no more
 * values than the fullest place has images, divides the frames. An attribute that changes from slice to slice (an
 * acquisition number in step-and-shoot CT) has more values than that and divides nothing. Without shared places, attributes
 * that are the same throughout any stack (echo, kernel, time, b-value, contrast) divide it when each of their values runs
 * through the whole of it. What is left is divided by
 * rank at the place: temporal position, trigger time, InstanceNumber, SOPInstanceUID, frame.
 */
export function splitStacks<Row extends HeaderRow>(
  frames: readonly PlacedFrame<Row>[],
  orientation: Orientation,
): Stack<Row>[] {
  const sorted = [...frames].sort((a, b) => a.alongNormal - b.alongNormal || byInstance(a.row, b.row));
  return split(sorted, [], orientation);
}

function split<Row extends HeaderRow>(
  sorted: readonly PlacedFrame<Row>[],
  label: readonly string[],
  orientation: Orientation,
): Stack<Row>[] {
  if (!hasSharedPlace(sorted)) {
    const interleaved = interleavedParts(sorted);
    if (interleaved === null) return [{ label, frames: sorted }];
    return interleaved.flatMap(([value, part]) => split(part, [...label, value], orientation));
  }
  const places = placesOf(sorted);
  const most = places.reduce((largest, place) => Math.max(largest, place.length), 0);
  const discriminators = [stationsOf(sorted, orientation), ...DISCRIMINATORS];
  for (const { name, valueOf } of discriminators) {
    const key = ({ row }: PlacedFrame): string => valueOf(row);
    if (!places.some((place) => place.some((frame) => key(frame) !== key(place[0]!)))) continue;
    const parts = groupBy(sorted, key);
    if (parts.length > most) continue;
    return parts.flatMap((part) => split(part, [...label, `${name}=${key(part[0]!)}`], orientation));
  }
  for (const place of places) place.sort((a, b) => byTime(a.row, b.row));
  return Array.from({ length: most }, (_, rank) => ({
    label: [...label, `rank=${rank}`],
    frames: places.flatMap((place) => place.slice(rank, rank + 1)),
  }));
}

/** Stacks put into each other are at most so many, of at least so many slices, and each as long as the whole by this share. */
const [MOST_INTERLEAVED, LEAST_SLICES, WHOLE_LENGTH] = [8, 3, 0.8];

/** Two echoes a fraction of a slice apart, say, with the value that tells each; null for one stack. */
function interleavedParts<Row extends HeaderRow>(
  sorted: readonly PlacedFrame<Row>[],
): [string, PlacedFrame<Row>[]][] | null {
  if (sorted.length < 2 * LEAST_SLICES) return null;
  const lengthOf = (part: readonly PlacedFrame[]): number => part.at(-1)!.alongNormal - part[0]!.alongNormal;
  for (const { name, valueOf } of INTERLEAVING) {
    const first = valueOf(sorted[0]!.row);
    if (sorted.every(({ row }) => valueOf(row) === first)) continue;
    const parts = groupBy(sorted, ({ row }) => valueOf(row));
    const whole = (part: readonly PlacedFrame[]): boolean =>
      part.length >= LEAST_SLICES && lengthOf(part) >= WHOLE_LENGTH * lengthOf(sorted);
    if (parts.length > MOST_INTERLEAVED || !parts.every(whole)) continue;
    return parts.map((part) => [`${name}=${valueOf(part[0]!.row)}`, part]);
  }
  return null;
}

function hasSharedPlace(sorted: readonly PlacedFrame[]): boolean {
  for (let i = 1; i < sorted.length; i++) if (samePlace(sorted[i - 1]!, sorted[i]!)) return true;
  return false;
}

/** Frames in spatial order by place. */
function placesOf<Row extends HeaderRow>(sorted: readonly PlacedFrame<Row>[]): PlacedFrame<Row>[][] {
  const places: PlacedFrame<Row>[][] = [];
  for (const frame of sorted) {
    const place = places.at(-1);
    if (place && samePlace(place[0]!, frame)) place.push(frame);
    else places.push([frame]);
  }
  return places;
}

function samePlace(a: PlacedFrame, b: PlacedFrame): boolean {
  const apart = b.alongNormal - a.alongNormal;
  if (apart <= SAME_PLACE_MM) return true;
  const share = SAME_PLACE_SHARE * Math.min(a.row.sliceThicknessMm ?? 0, b.row.sliceThicknessMm ?? 0);
  return apart <= Math.min(share, SAME_PLACE_MOST_MM);
}

/** Trigger times of a heart's phases differ from slice to slice, so that only their order at one place tells. */
function byTime(a: HeaderRow, b: HeaderRow): number {
  return (
    (a.temporalPosition ?? 0) - (b.temporalPosition ?? 0) ||
    (a.triggerTimeMs ?? 0) - (b.triggerTimeMs ?? 0) ||
    byInstance(a, b)
  );
}

/** InstanceNumber (absent last), then SOPInstanceUID, then frame. CONTRACT.md "position". */
export function byInstance(a: HeaderRow, b: HeaderRow): number {
  const [first, second] = [a.instanceNumber ?? Infinity, b.instanceNumber ?? Infinity];
  if (first !== second) return first - second;
  return byCodeUnit(a.sopInstanceUid ?? '', b.sopInstanceUid ?? '') || a.frame - b.frame;
}
