import { SCHEMA_VERSION } from '../../domain/record.js';
import type { Finding, ReportFindings, Sentence, Temporal } from '../../domain/finding.js';
import { codePointOffsets } from './code-points.js';
import type { Lexicon } from './lexicon.js';
import { linkFindings, type LinkInput } from './link-findings.js';
import type { ReadFinding } from './read-findings.js';
import { readSentence, type ReadSentence } from './read-sentence.js';
import { findLevel } from './places.js';
import { findSections, type TextSection } from './sections.js';
import { sentenceKind, type SentenceKind } from './sentence-kind.js';
import { findSentences, type TextSpan } from './sentences.js';
import { tokenize, type Token } from './tokens.js';

interface Draft {
  readonly span: TextSpan;
  readonly section: number;
  readonly tokens: readonly Token[];
  readonly kind: SentenceKind;
  readonly read: ReadSentence | null;
}

/**
 * What a report says: sections, sentences, and the things each sentence asserts (RULES.md version 1).
 *
 * @param text - the decoded report, whole (decode.ts); offsets in the result are code points into it
 * @returns every sentence, also those that state no finding; [] sections and sentences for a blank text
 */
export function extractFindings(reportId: string, text: string, lexicon: Lexicon): ReportFindings {
  const sections = text.trim() === '' ? [] : findSections(text, lexicon);
  const drafts = sections.flatMap((section, i) => draftSection(text, section, i, lexicon));
  const keys = linkFindings(linkInputs(drafts, sections), lexicon);
  const at = codePointOffsets(text);
  let next = 0;
  const sentences = drafts.map((draft): Sentence => {
    const findings = (draft.read?.findings ?? []).map((finding) =>
      findingRecord(text, draft, finding, keys[next++]!, at),
    );
    return sentenceRecord(text, draft, findings, at);
  });
  return {
    schemaVersion: SCHEMA_VERSION,
    reportId,
    sections: sections.map(({ label, kind, start, bodyStart, end }) => ({
      label,
      kind,
      start: at(start),
      bodyStart: at(bodyStart),
      end: at(end),
    })),
    sentences,
  };
}

function draftSection(text: string, section: TextSection, index: number, lexicon: Lexicon): Draft[] {
  const drafts: Draft[] = [];
  for (const span of findSentences(text, section.bodyStart, section.end)) {
    const tokens = tokenize(text.slice(span.start, span.end));
    const previous = drafts.at(-1) ?? null;
    const kind = sentenceKind(tokens, section.kind, lexicon, previous, section.inVignette);
    const read = kind.isFinding ? readSentence(tokens, lexicon) : null;
    drafts.push({ span, section: index, tokens, kind, read: read && withLevel(read, section.label) });
  }
  return drafts;
}

/** A sub-heading such as "L4-5" gives its level to the sentences below it. */
function withLevel(read: ReadSentence, label: string | null): ReadSentence {
  const level = label === null ? null : findLevel(tokenize(label));
  if (level === null) return read;
  return {
    ...read,
    findings: read.findings.map((finding) => ({ ...finding, level: finding.level ?? level })),
  };
}

function linkInputs(drafts: readonly Draft[], sections: readonly TextSection[]): LinkInput[] {
  return drafts.flatMap((draft) =>
    (draft.read?.findings ?? []).map((finding) => ({
      finding,
      inImpression: sections[draft.section]!.kind === 'impression',
    })),
  );
}

function findingRecord(
  text: string,
  draft: Draft,
  finding: ReadFinding,
  key: string,
  at: (offset: number) => number,
): Finding {
  const start = draft.span.start + draft.tokens[finding.from]!.start;
  const end = draft.span.start + draft.tokens[finding.to - 1]!.end;
  return {
    start: at(start),
    end: at(end),
    text: text.slice(start, end),
    concept: finding.concept,
    anatomy: finding.place?.name ?? null,
    laterality: finding.laterality,
    key,
    polarity: finding.polarity,
    temporal: temporalOf(draft),
    visual: draft.read?.visual ?? true,
    needsMeasurement: finding.needsMeasurement,
    level: finding.level,
    region: finding.place?.region ?? null,
    descriptors: finding.descriptors,
    change: finding.change,
  };
}

function sentenceRecord(
  text: string,
  draft: Draft,
  findings: Finding[],
  at: (offset: number) => number,
): Sentence {
  const { span, section, kind, read } = draft;
  return {
    start: at(span.start),
    end: at(span.end),
    text: text.slice(span.start, span.end),
    section,
    isFinding: kind.isFinding,
    subtype: kind.subtype,
    polarity: read?.polarity ?? null,
    temporal: read === null ? null : temporalOf(draft),
    visual: read?.visual ?? null,
    needsMeasurement: read?.needsMeasurement ?? null,
    findings,
  };
}

function temporalOf(draft: Draft): Temporal {
  return draft.kind.prior || draft.read?.prior === true ? 'prior' : 'current';
}
