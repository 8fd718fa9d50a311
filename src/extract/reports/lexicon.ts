import type { Laterality, SectionKind } from '../../domain/finding.js';
import type {
  AnatomyFile,
  BodyRegion,
  ConceptsFile,
  CuesFile,
  ExamsFile,
  SectionsFile,
  StatementsFile,
  Subtype,
} from './lexicon-schema.js';
import { PhraseBook } from './phrase-book.js';

export type CueKind = 'negation' | 'uncertainty' | 'normal' | 'pseudo' | 'assertion' | 'terminator';
/** What a cue phrase does, and on which side of it. `none`: it only stops others. */
export interface Cue {
  readonly kind: CueKind;
  readonly side: 'before' | 'after' | 'none';
}

/** One way to file a term: the concept, when its place has one of these words (null: anywhere). */
export interface ConceptOption {
  readonly concept: string;
  readonly places: readonly string[] | null;
  readonly feature: boolean;
  readonly generic: boolean;
}

export interface Place {
  readonly name: string;
  readonly region: BodyRegion | null;
  /** A wide place ("lung", "white matter") that gives way to a closer one. */
  readonly general: boolean;
}

/** The lexicons of data/lexicons, made ready for matching. */
export interface Lexicon {
  readonly sectionKinds: ReadonlyMap<string, SectionKind>;
  readonly vignetteLabels: ReadonlySet<string>;
  readonly imagingLabels: PhraseBook<true>;
  readonly cues: PhraseBook<readonly Cue[]>;
  readonly negationBefore: PhraseBook<true>;
  readonly prior: PhraseBook<true>;
  readonly change: PhraseBook<'new' | 'increased' | 'decreased' | 'stable'>;
  readonly starts: PhraseBook<Subtype>;
  readonly anywhere: PhraseBook<Subtype>;
  readonly normal: PhraseBook<true>;
  readonly notVisual: PhraseBook<true>;
  readonly borderline: PhraseBook<true>;
  readonly quantities: PhraseBook<true>;
  readonly neutralQuantities: PhraseBook<true>;
  readonly imagingNouns: PhraseBook<true>;
  readonly reportingVerbs: PhraseBook<true>;
  readonly continuations: PhraseBook<true>;
  readonly outside: PhraseBook<true>;
  readonly terms: PhraseBook<readonly ConceptOption[] | null>;
  readonly joins: ReadonlyMap<string, readonly string[]>;
  readonly places: PhraseBook<Place>;
  readonly relations: PhraseBook<true>;
  readonly sides: PhraseBook<Laterality>;
  readonly modalities: PhraseBook<'CT' | 'MR' | 'PT'>;
  readonly regions: PhraseBook<BodyRegion>;
}

export interface LexiconFiles {
  readonly sections: SectionsFile;
  readonly cues: CuesFile;
  readonly statements: StatementsFile;
  readonly concepts: ConceptsFile;
  readonly anatomy: AnatomyFile;
  readonly exams: ExamsFile;
}

/** The lexicons as matchers. Files are taken as already checked (lexicon-schema.ts). */
export function buildLexicon(files: LexiconFiles): Lexicon {
  const { sections, cues, statements, concepts, anatomy, exams } = files;
  return {
    sectionKinds: new Map(
      pairs(sections.kinds).map(([label, kind]) => [label, kind] as [string, SectionKind]),
    ),
    vignetteLabels: new Set(sections.vignette),
    imagingLabels: flags(sections.imaging),
    cues: cueBook(cues, statements),
    negationBefore: flags(cues.negation.before),
    prior: flags(cues.prior),
    change: new PhraseBook(pairs(cues.change)),
    starts: new PhraseBook(statementPairs(statements, 'start')),
    anywhere: new PhraseBook(statementPairs(statements, 'any')),
    normal: flags(statements.normal),
    notVisual: flags(statements.not_visual),
    borderline: flags(statements.borderline),
    quantities: flags(statements.quantities),
    neutralQuantities: flags(statements.neutral_quantities),
    imagingNouns: flags(statements.imaging_nouns),
    reportingVerbs: flags(statements.reporting_verbs),
    continuations: flags(statements.continuations),
    outside: flags(statements.outside),
    terms: termBook(concepts),
    joins: new Map(concepts.concepts.map((concept) => [concept.id, concept.joins])),
    places: new PhraseBook(
      anatomy.places.flatMap(({ name, region, general, terms }) =>
        terms.map((term) => [term, { name, region, general }] as const),
      ),
    ),
    relations: flags(anatomy.relations),
    sides: new PhraseBook(pairs(anatomy.sides)),
    modalities: new PhraseBook(pairs(exams.modalities)),
    regions: new PhraseBook(pairs(exams.regions)),
  };
}

function flags(phrases: readonly string[]): PhraseBook<true> {
  return new PhraseBook(phrases.map((phrase) => [phrase, true] as const));
}

function pairs<K extends string>(record: Partial<Record<K, readonly string[]>>): [string, K][] {
  return (Object.entries(record) as [K, readonly string[]][]).flatMap(([kind, phrases]) =>
    phrases.map((phrase) => [phrase, kind] as [string, K]),
  );
}

function statementPairs(statements: StatementsFile, where: 'start' | 'any'): [string, Subtype][] {
  return (Object.entries(statements.kinds) as [Subtype, { start: string[]; any: string[] }][]).flatMap(
    ([subtype, lists]) => lists[where].map((phrase) => [phrase, subtype] as [string, Subtype]),
  );
}

/** One phrase may be several cues at once ("unlikely" before or after), so values are gathered per phrase. */
function cueBook(cues: CuesFile, statements: StatementsFile): PhraseBook<readonly Cue[]> {
  const gathered = new Map<string, Cue[]>();
  const add = (phrases: readonly string[], kind: CueKind, side: Cue['side']): void => {
    for (const phrase of phrases) gathered.set(phrase, [...(gathered.get(phrase) ?? []), { kind, side }]);
  };
  add(cues.negation.before, 'negation', 'before');
  add(cues.negation.after, 'negation', 'after');
  add(cues.uncertainty.before, 'uncertainty', 'before');
  add(cues.uncertainty.after, 'uncertainty', 'after');
  add(statements.normal_state.before, 'normal', 'before');
  add(statements.normal_state.after, 'normal', 'after');
  add(cues.pseudo, 'pseudo', 'none');
  add(cues.assertion, 'assertion', 'none');
  add(cues.terminators, 'terminator', 'none');
  return new PhraseBook(gathered);
}

/** Terms with all their options, the placed ones first; null marks a phrase that names no abnormality. */
function termBook(file: ConceptsFile): PhraseBook<readonly ConceptOption[] | null> {
  const gathered = new Map<string, ConceptOption[] | null>();
  const add = (term: string, option: ConceptOption): void => {
    const options = [...(gathered.get(term) ?? []), option];
    gathered.set(
      term,
      options.sort((a, b) => Number(a.places === null) - Number(b.places === null)),
    );
  };
  for (const { id, terms, placed, feature, generic } of file.concepts) {
    for (const term of terms) add(term, { concept: id, places: null, feature, generic });
    for (const group of placed) {
      for (const term of group.terms)
        add(term, { concept: id, places: group.places, feature, generic: false });
    }
  }
  for (const phrase of file.not_terms) gathered.set(phrase, null);
  return new PhraseBook(gathered);
}
