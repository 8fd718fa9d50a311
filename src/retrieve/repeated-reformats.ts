import type { IndexRow } from '../domain/index-row.js';
import { plainText } from './plain-text.js';

/** The rows of one stack, by position. */
type Stack = readonly IndexRow[];

/**
 * The stacks that repeat a reformat which another series before them holds: derived images of one case with the same
 * description, acquisition, kernel, thickness, size and places. Scanners and workstations send the same reformat under
 * two series now and then. Originals are never repeats: time points and phases look alike in all of that.
 *
 * @param stacks - in the order in which the first one counts
 */
export function repeatedReformats(stacks: readonly Stack[]): ReadonlySet<Stack> {
  const first = new Map<string, string | null>();
  const repeats = new Set<Stack>();
  for (const stack of stacks) {
    if (!isReformat(stack[0]!)) continue;
    const key = signature(stack);
    const series = stack[0]!.seriesInstanceUid;
    const known = first.get(key);
    if (known === undefined) first.set(key, series);
    else if (known !== series) repeats.add(stack);
  }
  return repeats;
}

const REFORMATTED: ReadonlySet<string> = new Set([
  'REFORMATTED',
  'MPR',
  'CT_SOM5 MPR',
  'CSAPARALLEL',
  'CSARADIAL',
]);

function isReformat({ imageType }: IndexRow): boolean {
  const types = (imageType ?? []).map((type) => type.trim().toUpperCase());
  return types[0] === 'DERIVED' && types.some((type) => REFORMATTED.has(type));
}

function signature(stack: Stack): string {
  const [first, last] = [stack[0]!, stack.at(-1)!];
  return JSON.stringify([
    first.caseId,
    first.modality,
    plainText(first.seriesDescription ?? '').toLowerCase(),
    first['acquisitionNumber'] ?? null,
    first['contrastBolusAgent'] ?? null,
    first.convolutionKernel,
    first.sliceThicknessMm,
    stack.length,
    first.rows,
    first.columns,
    ...[first, last].map((row) => row.imagePositionPatient?.map((mm) => mm.toFixed(1)) ?? row.instanceNumber),
    first.imageOrientationPatient?.map((cosine) => cosine.toFixed(2)) ?? null,
  ]);
}
