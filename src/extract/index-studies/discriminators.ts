import type { HeaderRow } from '../../adapters/dicom/index.js';
import { projection, type Vector } from '../../domain/geometry.js';
import type { Orientation } from './orientations.js';

/** An attribute that may tell two images of one place apart: its name in `splitBy`, and its value as text. */
export interface Discriminator {
  readonly name: string;
  readonly valueOf: (row: HeaderRow) => string;
}

type Value = string | number | null | readonly (string | number)[];

const NAMED: readonly (readonly [string, (row: HeaderRow) => Value])[] = [
  ['imageType', (row) => row.imageType],
  ['echo', (row) => row.echoNumber],
  ['echoTime', (row) => row.echoTimeMs],
  ['inversionTime', (row) => row.inversionTimeMs],
  ['kernel', (row) => row.convolutionKernel],
  ['stack', (row) => row.stackId],
  ['temporalPosition', (row) => row.temporalPosition],
  ['bValue', (row) => row.bValue],
  ['gradient', (row) => row.gradientDirection],
  ['sequence', (row) => row.sequenceName],
  ['triggerTime', (row) => row.triggerTimeMs],
  ['cardiacPhase', (row) => row.nominalPercentageOfCardiacPhase],
  ['contrast', (row) => row.contrastBolusAgent],
  ['acquisition', (row) => row.acquisitionNumber],
  ['instance', (row) => row.sopInstanceUid],
];

/** What may tell two images of one place along the normal apart, the most telling first. */
export const DISCRIMINATORS: readonly Discriminator[] = NAMED.map(([name, valueOf]) => ({
  name,
  valueOf: (row) => {
    const value = valueOf(row);
    return Array.isArray(value) ? value.join('\\') : String(value ?? 'none');
  },
}));

/**
 * Those that no scanner changes from slice to slice of one stack: when each of a few values runs through the whole stack, these
 * are stacks that were put into each other, even where no two slices share a place.
 */
export const INTERLEAVING: readonly Discriminator[] = DISCRIMINATORS.filter(({ name }) =>
  ['echo', 'kernel', 'temporalPosition', 'bValue', 'contrast'].includes(name),
);

/** Corners this far apart within the image plane, mm, are other fields of view. Less is motion, or a tilted gantry. */
const OTHER_STATION_MM = 5;

/**
 * Tells fields of view side by side apart: the stations of a whole-body coronal series share their places along the
 * normal. Corners count as one field while each is within 5 mm of the next, so that a sheared stack stays whole.
 */
export function stationsOf(
  frames: readonly { readonly row: HeaderRow }[],
  orientation: Orientation,
): Discriminator {
  const { cosines } = orientation;
  const along: Vector = [cosines[0]!, cosines[1]!, cosines[2]!];
  const down: Vector = [cosines[3]!, cosines[4]!, cosines[5]!];
  const across = startsOf(frames.map(({ row }) => projection(row.imagePositionPatient!, along)));
  const downward = startsOf(frames.map(({ row }) => projection(row.imagePositionPatient!, down)));
  return {
    name: 'station',
    valueOf: (row) => {
      const corner = row.imagePositionPatient!;
      const at = [startOf(projection(corner, along), across), startOf(projection(corner, down), downward)];
      return at.map((mm) => Math.round(mm) || 0).join();
    },
  };
}

/** The lowest value of each run of values that lie close together, ascending. */
function startsOf(values: readonly number[]): number[] {
  const sorted = Float64Array.from(values).sort();
  const starts: number[] = [];
  sorted.forEach((value, i) => {
    if (i === 0 || value - sorted[i - 1]! > OTHER_STATION_MM) starts.push(value);
  });
  return starts;
}

function startOf(value: number, starts: readonly number[]): number {
  let found = starts[0]!;
  for (const start of starts) {
    if (start > value) break;
    found = start;
  }
  return found;
}
