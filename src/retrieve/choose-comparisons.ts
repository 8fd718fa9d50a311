import { EVIDENCE_TOLERANCE_SLICES, type RatingValue, type SliceRef } from '../domain/evidence.js';
import { IMAGES_MAX, IMAGES_MIN } from '../domain/item.js';
import type { Rng } from '../util/rng.js';
import { placeMm, sliceKey, sliceRef, type CaseVolume } from './volumes.js';

export interface ComparisonInput {
  /** The stack of the references. */
  readonly volume: CaseVolume;
  /** Other stacks of the case that reviewers saw. */
  readonly others: readonly CaseVolume[];
  readonly references: readonly SliceRef[];
  /** Every rating that anyone gave to any slice for this target: slice key -> ratings. */
  readonly ratings: ReadonlyMap<string, readonly RatingValue[]>;
}

/**
 * Comparison slices of one item, by stack and position: enough to fill the item to 7–12 images, or as many as there are.
 *
 * None is acceptable as evidence (PROTOCOL.md §2), none was rated `direct` or `possible`, and none of another parallel
 * stack lies where such a slice lies. They come in the references' own pattern (three neighbours beside three
 * neighbours), from a stretch of the stack around them, so that adjacency, place and looks do not give the evidence
 * away. Slices close to one that shows the finding come last.
 */
export function chooseComparisons(input: ComparisonInput, random: Rng): SliceRef[] {
  const { volume, references } = input;
  const total = IMAGES_MIN + random.int(IMAGES_MAX - IMAGES_MIN + 1);
  const wanted = total - references.length;
  const shows = new Set<number>(
    volume.rows.filter((row) => showsFinding(input, sliceKey(row))).map(({ position }) => position),
  );
  const eligible = new Set<number>();
  for (const { position } of volume.rows) {
    const acceptable = references.some(
      (reference) => Math.abs(reference.position - position) <= EVIDENCE_TOLERANCE_SLICES,
    );
    if (!acceptable && !shows.has(position)) eligible.add(position);
  }
  const far = (position: number): boolean =>
    ![...shows].some((shown) => Math.abs(shown - position) <= 2 * EVIDENCE_TOLERANCE_SLICES);
  const first = references[0]!.position;
  const pattern = references.map(({ position }) => position - first);
  const chosen = new Set<number>();
  const near = neighbourhood(volume.rows.length, references, wanted, random);
  const rank = (position: number): number => (far(position) ? 0 : 2) + (near(position) ? 0 : 1);
  const starts = random.shuffle([...eligible].sort((a, b) => a - b));
  const ordered = [0, 1, 2, 3].flatMap((level) => starts.filter((position) => rank(position) === level));
  // The references stand alone: nothing shown lies within two slices of them. So do the groups, while the stack has room.
  const apart = (position: number): boolean =>
    ![...chosen].some((other) => Math.abs(other - position) <= EVIDENCE_TOLERANCE_SLICES);
  for (const { whole, alone } of [
    { whole: true, alone: true },
    { whole: false, alone: true },
    { whole: true, alone: false },
    { whole: false, alone: false },
  ]) {
    for (const start of ordered) {
      const group = whole ? pattern.map((offset) => start + offset) : [start];
      if (chosen.size + group.length > wanted) continue;
      if ((whole || alone) && !group.every(far)) continue;
      if (alone && !group.every(apart)) continue;
      if (group.every((position) => eligible.has(position) && !chosen.has(position))) {
        for (const position of group) chosen.add(position);
      }
    }
  }
  const own = [...chosen].sort((a, b) => a - b).map((position) => sliceRef(volume.rows[position]!));
  if (own.length + references.length >= IMAGES_MIN) return own;
  const missing = IMAGES_MIN - references.length - own.length;
  return [...own, ...elsewhere(input, shows, random).slice(0, missing)];
}

/**
 * Whether a position lies in a stretch of the stack around the references, as long as the item needs twice over and
 * with the references at a random place in it: slices from far off look unlike the evidence, and references always in
 * the middle would give themselves away.
 */
function neighbourhood(
  slices: number,
  references: readonly SliceRef[],
  wanted: number,
  random: Rng,
): (position: number) => boolean {
  const first = references[0]!.position;
  const last = references.at(-1)!.position;
  const length = Math.min(slices, last - first + 1 + 2 * wanted + 4 * EVIDENCE_TOLERANCE_SLICES);
  const lowest = Math.max(0, last - length + 1);
  const highest = Math.min(first, slices - length);
  const start = lowest + random.int(Math.max(1, highest - lowest + 1));
  return (position) => position >= start && position < start + length;
}

function showsFinding({ references, ratings }: ComparisonInput, key: string): boolean {
  if (references.some((reference) => sliceKey(reference) === key)) return true;
  return (ratings.get(key) ?? []).some((rating) => rating !== 'unassessable');
}

/** Slices of other stacks alike in modality, plane and size, away from every place that shows the finding. */
function elsewhere(input: ComparisonInput, shows: ReadonlySet<number>, random: Rng): SliceRef[] {
  const { volume, others } = input;
  const places = [...shows].map((position) => placeMm(volume.rows[position]!));
  if (places.some((place) => place === null)) return [];
  const step = Math.abs((placeMm(volume.rows[1] ?? volume.rows[0]!) ?? 0) - (placeMm(volume.rows[0]!) ?? 0));
  const margin = (EVIDENCE_TOLERANCE_SLICES + 1) * Math.max(step, volume.rows[0]!.sliceThicknessMm ?? 0);
  const found: SliceRef[] = [];
  for (const other of others) {
    const alike =
      other.volumeId !== volume.volumeId &&
      other.modality === volume.modality &&
      other.plane === volume.plane &&
      other.plane !== 'oblique' &&
      other.rows[0]!.rows === volume.rows[0]!.rows &&
      other.rows[0]!.columns === volume.rows[0]!.columns;
    if (!alike) continue;
    for (const row of other.rows) {
      const place = placeMm(row);
      if (place === null || showsFinding(input, sliceKey(row))) continue;
      if (places.every((shown) => Math.abs(shown! - place) > margin)) found.push(sliceRef(row));
    }
  }
  return random.shuffle(found);
}
