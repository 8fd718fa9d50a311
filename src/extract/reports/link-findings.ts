import type { Lexicon } from './lexicon.js';
import type { ReadFinding } from './read-findings.js';

/** A finding with the sections it stands in, before it has a key. */
export interface LinkInput {
  readonly finding: ReadFinding;
  readonly inImpression: boolean;
}

interface Thing {
  readonly key: string;
  readonly concept: string;
  readonly place: string | null;
  readonly side: string | null;
  readonly inImpression: boolean;
}

/** Things that "it", "the lesion" or "this mass" may mean. */
const LESIONS = new Set([
  'mass',
  'nodule',
  'cyst',
  'low-attenuation',
  'calcification',
  'stone',
  'lymphadenopathy',
  'other',
]);

/**
 * A key for every finding, in order: equal keys mean the same thing.
 *
 * The key is concept, place, side and level. A finding that points back takes the key of what was named last; one that
 * repeats an earlier one with less said (no place, or no side) takes its key when only one fits; a reading of an
 * appearance at the same place ("old infarct" of "low attenuation") takes the appearance's key.
 */
export function linkFindings(inputs: readonly LinkInput[], lexicon: Lexicon): string[] {
  const things: Thing[] = [];
  return inputs.map(({ finding, inImpression }) => {
    const place = finding.place?.name ?? null;
    const own: Thing = {
      key: ownKey(finding),
      concept: finding.concept,
      place,
      side: finding.laterality,
      inImpression,
    };
    const same = things.find((thing) => thing.key === own.key);
    const key =
      same?.key ??
      pointedAt(finding, things) ??
      repeated(own, things, finding.needsMeasurement) ??
      reading(own, things, lexicon) ??
      own.key;
    things.push({ ...own, key });
    return key;
  });
}

function ownKey({ concept, term, place, laterality, level }: ReadFinding): string {
  const name = concept === 'other' ? `other:${term === '' ? 'finding' : term}` : concept;
  return [name, place?.name ?? 'unplaced', laterality ?? 'no-side', ...(level === null ? [] : [level])]
    .join('/')
    .replace(/\s+/g, '-')
    .toLowerCase();
}

function pointedAt(finding: ReadFinding, things: readonly Thing[]): string | null {
  if (!finding.pointsBack) return null;
  const fits = (thing: Thing): boolean =>
    finding.term === '' ||
    thing.concept === finding.concept ||
    (finding.concept === 'other' && LESIONS.has(thing.concept)) ||
    (finding.concept === 'mass' && LESIONS.has(thing.concept));
  return things.filter(fits).at(-1)?.key ?? null;
}

function repeated(own: Thing, things: readonly Thing[], measuresOnly: boolean): string | null {
  if (own.concept === 'other' && own.place === null) return null;
  const agree = (a: string | null, b: string | null): boolean => a === null || b === null || a === b;
  const fits = things.filter(
    (thing) => thing.concept === own.concept && agree(thing.place, own.place) && agree(thing.side, own.side),
  );
  const keys = new Set(fits.map((thing) => thing.key));
  if (keys.size !== 1) return null;
  // In one section two things of a kind are two; across sections they are a repeat, and so is a size told afterwards.
  const acrossSections = own.inImpression && fits.some((thing) => !thing.inImpression);
  return acrossSections || measuresOnly ? [...keys][0]! : null;
}

function reading(own: Thing, things: readonly Thing[], lexicon: Lexicon): string | null {
  if (own.place === null) return null;
  const joined = lexicon.joins.get(own.concept) ?? [];
  // "the lesion in the left hilum" of an impression is the mass that the findings put there.
  const general = own.concept === 'other' && own.inImpression && VAGUE.test(own.key);
  const fits = (thing: Thing): boolean =>
    joined.includes(thing.concept) || (general && thing.concept !== 'other' && LESIONS.has(thing.concept));
  return (
    things.filter((thing) => fits(thing) && thing.place === own.place && thing.side === own.side).at(-1)
      ?.key ?? null
  );
}

const VAGUE = /^other:(?:lesion|abnormality|density|focus|finding|process)s?\//;
