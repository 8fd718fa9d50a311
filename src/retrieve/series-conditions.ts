import { plainText } from './plain-text.js';
import type { Conditions, SeriesRules } from './series-rules-schema.js';
import type { CaseVolume } from './volumes.js';

/** Whether a stack meets every condition given. */
export function fits(volume: CaseVolume, when: Conditions, rules: SeriesRules): boolean {
  const { sliceThicknessMm: thickness, modality, sopClassUid, rows } = volume;
  const text = when.descriptionMatches;
  return (
    isAmong(modality, when.modalities) &&
    isAmong(sopClassUid, when.sopClassUids) &&
    isAmong(volume.plane, when.planes) &&
    (when.imageTypeHas?.some((type) => volume.imageType.includes(type)) ?? true) &&
    (text === undefined || matches(text, describedBy(volume))) &&
    isAsked(volume.isMosaic, when.mosaic) &&
    isAsked(volume.isColour, when.colour) &&
    isAsked(volume.isRepeat, when.repeat) &&
    isAsked(volume.sharesUid, when.sharedUid) &&
    (when.phases === undefined || isAmong(phaseOf(volume, rules), when.phases)) &&
    (when.slicesBelow === undefined || rows.length < when.slicesBelow) &&
    (when.slicesAtLeast === undefined || rows.length >= when.slicesAtLeast) &&
    (when.thicknessMmAtMost === undefined || (thickness !== null && thickness <= when.thicknessMmAtMost)) &&
    (when.thicknessMmAbove === undefined || (thickness !== null && thickness > when.thicknessMmAbove))
  );
}

/** Parts of the body that a series says it shows: by BodyPartExamined, the anatomic region, its description or protocol. */
export function regionsOf(volume: CaseVolume, { regions }: SeriesRules): string[] {
  const coded = [volume.bodyPartExamined, volume.anatomicRegion].flatMap((part) =>
    part === null ? [] : [part.trim().toUpperCase()],
  );
  const text = plainText([volume.seriesDescription, volume.protocolName, volume.anatomicRegion].join(' '));
  return regions
    .filter(({ bodyParts, words }) => bodyParts.some((part) => coded.includes(part)) || matches(words, text))
    .map(({ region }) => region);
}

/** Whether a series names parts of the body, and the finding's is not among them. */
export function showsOtherRegion(volume: CaseVolume, region: string | null, rules: SeriesRules): boolean {
  if (region === null || rules.anyRegion.includes(region)) return false;
  const shown = regionsOf(volume, rules);
  return shown.length > 0 && !shown.includes(region) && !shown.some((one) => rules.anyRegion.includes(one));
}

/** The contrast phase that a series' description tells, else whether an agent was given; null when nothing is told. */
export function phaseOf(volume: CaseVolume, { phases, phaseWithAgent, noAgent }: SeriesRules): string | null {
  const text = describedBy(volume);
  const told = phases.find(({ words }) => matches(words, text))?.phase;
  if (told !== undefined) return told;
  const agent = plainText(volume.contrastBolusAgent ?? '').trim();
  return agent === '' || matches(noAgent, agent) ? null : phaseWithAgent;
}

function describedBy(volume: CaseVolume): string {
  // The protocol stands for many series; it speaks only where the series does not.
  return plainText(
    `${volume.seriesDescription ?? volume.protocolName ?? ''} ${volume.convolutionKernel ?? ''}`,
  );
}

function isAmong(value: string | null, list: readonly string[] | undefined): boolean {
  return list === undefined || (value !== null && list.includes(value));
}

function isAsked(value: boolean, asked: boolean | undefined): boolean {
  return asked === undefined || asked === value;
}

function matches(words: string, text: string): boolean {
  return new RegExp(words, 'iu').test(text);
}
