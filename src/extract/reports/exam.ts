import type { ReportFindings, SectionKind } from '../../domain/finding.js';
import { sliceCodePoints } from '../../util/text.js';
import type { Lexicon } from './lexicon.js';
import type { BodyRegion } from './lexicon-schema.js';
import { tokenize } from './tokens.js';

/** What a report says was done. `regions` in the order named; [] when it names none. */
export interface Exam {
  readonly modality: 'CT' | 'MR' | 'PT' | null;
  readonly regions: readonly BodyRegion[];
}

/** Where an exam names itself, best place first. */
const SOURCES: readonly SectionKind[] = ['exam', 'technique', 'indication', 'findings'];
/** A title stands at a section's start; later text may name other exams. */
const TITLE_POINTS = 300;

/** The exam of a report, by its title, else its technique, else the start of its other sections. */
export function examOf(text: string, report: ReportFindings, lexicon: Lexicon): Exam {
  let modality: Exam['modality'] = null;
  let regions: BodyRegion[] = [];
  for (const kind of SOURCES) {
    for (const section of report.sections.filter((candidate) => candidate.kind === kind)) {
      const start = section.label === null ? section.start : section.bodyStart;
      const tokens = tokenize(sliceCodePoints(text, start, Math.min(section.end, start + TITLE_POINTS)));
      const modalities = lexicon.modalities.find(tokens).map((match) => match.value);
      // A PET/CT is a PET exam with a CT in it.
      modality ??= modalities.includes('PT') ? 'PT' : (modalities[0] ?? null);
      if (regions.length === 0)
        regions = [...new Set(lexicon.regions.find(tokens).map((match) => match.value))];
    }
  }
  return { modality, regions };
}

/**
 * The region that a target of this exam belongs to: the exam's own when it names one; the finding's when the exam names
 * several and the finding lies in one of them; `whole-body` for a PET of several regions.
 */
export function regionOf(exam: Exam, findingRegion: string | null): string | null {
  const { regions } = exam;
  if (regions.includes('whole-body') || (exam.modality === 'PT' && regions.length > 1)) return 'whole-body';
  if (regions.length === 0) return findingRegion;
  return regions.find((region) => region === findingRegion) ?? regions[0]!;
}

/** Concepts that only a PET shows. */
const PET_CONCEPTS = new Set(['uptake']);

/**
 * The modality whose images show a finding.
 *
 * @param indexed - DICOM modalities of the case's images; [] when there are none
 */
export function modalityOf(exam: Exam, concept: string, indexed: readonly string[]): string | null {
  const known = ['CT', 'MR', 'PT'].filter((modality) => indexed.includes(modality));
  if (known.includes('PT') && PET_CONCEPTS.has(concept)) return 'PT';
  // In a PET/CT the other findings are read off the CT.
  if (known.includes('PT') && known.includes('CT') && exam.modality === 'PT') return 'CT';
  if (known.length === 0 || (exam.modality !== null && known.includes(exam.modality))) return exam.modality;
  return known.length === 1 ? known[0]! : exam.modality;
}
