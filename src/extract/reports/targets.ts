import type { Finding, ReportFindings, SectionKind, Sentence, Target } from '../../domain/finding.js';
import { SCHEMA_VERSION } from '../../domain/record.js';

/** Why a finding is not asked about. */
export type DropReason = 'needs-measurement' | 'laterality-conflict' | 'no-concept' | 'uncertain';

/** A value for every target of the case, or one that goes by the finding. */
export type PerFinding = string | null | ((finding: Finding) => string | null);
export interface TargetContext {
  readonly modality: PerFinding;
  readonly region: PerFinding;
}

interface Stated {
  readonly finding: Finding;
  readonly sentence: Sentence;
  readonly kind: SectionKind | null;
}

/**
 * The targets of a case: one for each distinct key among its current, visual findings, in the order of the sentences
 * that state them.
 *
 * A key stated in Findings and Impression gives one target, with the Findings sentence. What is not asked about stays
 * in the list with `dropped`: a size-only sentence, a thing that is only uncertain, one whose side differs between
 * sections, and one that no concept of the lexicon fits. A size told of a target that has a sentence of its own gives
 * a dropped target of its own, with the same key. `targetId` is `caseId/01`, `caseId/02` ... in the list's order.
 */
export function targetsOf(caseId: string, report: ReportFindings, context: TargetContext): Target[] {
  const stated = statedFindings(report);
  const conflicts = conflictingKeys(stated);
  const byKey = new Map<string, Stated[]>();
  for (const one of stated) byKey.set(one.finding.key, [...(byKey.get(one.finding.key) ?? []), one]);
  const picked: { stated: Stated; dropped: DropReason | null }[] = [];
  for (const [key, all] of byKey) {
    const certain = all.filter(({ finding }) => finding.polarity === 'positive');
    const seen = certain.filter(({ finding }) => !finding.needsMeasurement);
    const sized = certain.filter(({ finding }) => finding.needsMeasurement);
    if (seen.length > 0)
      picked.push({ stated: best(seen), dropped: dropOf(best(seen).finding, conflicts.has(key)) });
    if (sized.length > 0) picked.push({ stated: sized[0]!, dropped: 'needs-measurement' });
    if (certain.length === 0) picked.push({ stated: all[0]!, dropped: 'uncertain' });
  }
  picked.sort(
    (a, b) => a.stated.finding.start - b.stated.finding.start || a.stated.finding.end - b.stated.finding.end,
  );
  return picked.map(({ stated: { finding, sentence }, dropped }, i) => ({
    schemaVersion: SCHEMA_VERSION,
    targetId: `${caseId}/${String(i + 1).padStart(2, '0')}`,
    caseId,
    reportId: report.reportId,
    finding,
    sentence: { start: sentence.start, end: sentence.end, text: sentence.text },
    modality: valueFor(context.modality, finding),
    region: valueFor(context.region, finding),
    dropped,
  }));
}

function statedFindings(report: ReportFindings): Stated[] {
  return report.sentences.flatMap((sentence) => {
    const kind = sentence.section === null ? null : (report.sections[sentence.section]?.kind ?? null);
    return sentence.findings
      .filter((finding) => finding.visual && finding.temporal === 'current')
      .map((finding) => ({ finding, sentence, kind }));
  });
}

/** The statement to ask from: of the findings section, with a place, earliest. */
function best(stated: readonly Stated[]): Stated {
  const rank = ({ finding, kind }: Stated): number =>
    (finding.concept === 'other' ? 4 : 0) +
    (kind === 'findings' ? 0 : 2) +
    (finding.anatomy === null ? 1 : 0);
  return stated.reduce((found, next) => (rank(next) < rank(found) ? next : found));
}

function dropOf(finding: Finding, conflict: boolean): DropReason | null {
  if (finding.concept === 'other') return 'no-concept';
  return conflict ? 'laterality-conflict' : null;
}

function valueFor(value: PerFinding, finding: Finding): string | null {
  return typeof value === 'function' ? value(finding) : value;
}

/**
 * Keys of things whose side the sections disagree on: one side stated only in Findings, the other only in Impression,
 * for the same concept and place.
 */
function conflictingKeys(stated: readonly Stated[]): Set<string> {
  const conflicts = new Set<string>();
  const sided = stated.filter(
    ({ finding }) => finding.laterality === 'left' || finding.laterality === 'right',
  );
  const sidesIn = (one: Stated, impression: boolean): Set<string> =>
    new Set(
      sided
        .filter(
          ({ kind, finding }) => (kind === 'impression') === impression && isSamePlace(finding, one.finding),
        )
        .map(({ finding }) => finding.laterality!),
    );
  for (const one of sided) {
    const found = sidesIn(one, false);
    const concluded = sidesIn(one, true);
    const side = one.finding.laterality!;
    const other = side === 'left' ? 'right' : 'left';
    const onlyHere = (here: Set<string>, there: Set<string>): boolean =>
      here.has(side) && !there.has(side) && there.has(other) && !here.has(other);
    if (onlyHere(found, concluded) || onlyHere(concluded, found)) conflicts.add(one.finding.key);
  }
  return conflicts;
}

function isSamePlace(a: Finding, b: Finding): boolean {
  return a.concept === b.concept && a.anatomy === b.anatomy && a['level'] === b['level'];
}
