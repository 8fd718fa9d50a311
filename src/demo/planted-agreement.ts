import { EVIDENCE_TOLERANCE_SLICES, type Evidence } from '../domain/evidence.js';
import type { Target } from '../domain/finding.js';
import type { IndexRow } from '../domain/index-row.js';
import { normalise } from '../util/text.js';
import type { Planted } from './planted.js';

/** How well a build's reference evidence fits what was planted. */
export interface PlantedAgreement {
  /** Targets with reference evidence: those that are judged. */
  readonly judged: number;
  /** Judged targets whose every reference slice lies within 2 positions of a slice that shows the finding. */
  readonly agreeing: number;
  /** agreeing / judged, 0 to 1; null when nothing is judged. */
  readonly share: number | null;
  /** Judged targets that match no planted record; they count as not agreeing. */
  readonly unmatched: number;
  /** Judged targets that match a record nobody should ask about (measured, prior, uncertain). */
  readonly notAskable: number;
  /** Comparison slices, over all judged targets. */
  readonly comparisons: number;
  /** Of these, slices on which the target's own finding can be seen: there should be none. */
  readonly comparisonsOnFinding: number;
  /** Judged targets that do not agree, in the order of `targets`. */
  readonly disagreeing: readonly string[];
}

/**
 * The agreement of reference evidence with the planted truth.
 *
 * A target is joined to the planted record of its case with the same sentence (spaces apart; of several, the one with
 * the same concept), or else to the first askable one with the same concept and side. Positions and volumes come from
 * the index, so that the build and the truth are counted in the same way.
 *
 * @param targets - all; one without evidence, or with dropped evidence, is not judged
 * @param rows - the index rows of the cases
 */
export function plantedAgreement(
  planted: readonly Planted[],
  targets: readonly Target[],
  evidence: readonly Evidence[],
  rows: readonly IndexRow[],
): PlantedAgreement {
  const places = new Map(rows.map((row) => [sliceKey(row.sopInstanceUid ?? '', row.frame), row]));
  const evidenceOf = new Map(evidence.map((one) => [one.targetId, one]));
  const disagreeing: string[] = [];
  let judged = 0;
  let unmatched = 0;
  let notAskable = 0;
  let comparisons = 0;
  let comparisonsOnFinding = 0;
  for (const target of targets) {
    const own = evidenceOf.get(target.targetId);
    if (!own || own.dropped !== null || own.references.length === 0) continue;
    judged++;
    comparisons += own.comparisons.length;
    const match = plantedOfTarget(target, planted);
    if (!match) {
      unmatched++;
      disagreeing.push(target.targetId);
      continue;
    }
    if (!match.askable) notAskable++;
    const shown = new Set(match.slices.map((slice) => sliceKey(slice.sopInstanceUid, slice.frame)));
    comparisonsOnFinding += own.comparisons.filter((slice) =>
      shown.has(sliceKey(slice.sopInstanceUid, slice.frame)),
    ).length;
    const positions = positionsByVolume(match, places);
    const fits = own.references.every((slice) => {
      const row = places.get(sliceKey(slice.sopInstanceUid, slice.frame));
      if (!row) return false;
      return (positions.get(row.volumeId) ?? []).some(
        (position) => Math.abs(position - row.position) <= EVIDENCE_TOLERANCE_SLICES,
      );
    });
    if (!fits) disagreeing.push(target.targetId);
  }
  const agreeing = judged - disagreeing.length;
  return {
    judged,
    agreeing,
    share: judged === 0 ? null : agreeing / judged,
    unmatched,
    notAskable,
    comparisons,
    comparisonsOnFinding,
    disagreeing,
  };
}

/** The planted record that a target is about, or null. */
export function plantedOfTarget(target: Target, planted: readonly Planted[]): Planted | null {
  const inCase = planted.filter((record) => record.caseId === target.caseId);
  const words = normalise(target.sentence.text);
  const sameSentence = inCase.filter((record) => normalise(record.sentence) === words);
  const sameConcept = (record: Planted): boolean => record.concept === target.finding.concept;
  return (
    sameSentence.find(sameConcept) ??
    sameSentence[0] ??
    inCase.find(
      (record) => record.askable && sameConcept(record) && record.laterality === target.finding.laterality,
    ) ??
    null
  );
}

function positionsByVolume(record: Planted, places: ReadonlyMap<string, IndexRow>): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const slice of record.slices) {
    const row = places.get(sliceKey(slice.sopInstanceUid, slice.frame));
    if (row) positions.set(row.volumeId, [...(positions.get(row.volumeId) ?? []), row.position]);
  }
  return positions;
}

function sliceKey(sopInstanceUid: string, frame: number): string {
  return `${sopInstanceUid} ${frame}`;
}
