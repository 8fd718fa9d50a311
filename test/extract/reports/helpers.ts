import { extractFindings, loadLexicon } from '../../../src/extract/reports/index.js';
import type { Finding, ReportFindings, Sentence } from '../../../src/domain/finding.js';

export const lexicon = await loadLexicon();

/** A report with one findings section. */
export function reportOf(...sentences: readonly string[]): ReportFindings {
  return extractFindings('r', `FINDINGS: ${sentences.join(' ')}\n`, lexicon);
}

export function sentenceOf(text: string): Sentence {
  const { sentences } = reportOf(text);
  if (sentences.length !== 1) throw new Error(`expected one sentence, got ${sentences.length}`);
  return sentences[0]!;
}

/** Concept, place and side of a finding in one line. */
export function brief({ concept, anatomy, laterality }: Finding): string {
  return `${concept} @ ${anatomy ?? '-'} (${laterality ?? '-'})`;
}
