import type { DataSet } from 'dicom-parser';
import { attributes, items, type Attributes } from './data-set.js';
import { dateTimeSeconds, dtSeconds, timeOfDaySeconds } from './dicom-time.js';
import type { TextReader } from './character-set.js';
import { privateTag } from './private-values.js';

/**
 * What takes rescaled PET values to SUVbw (g/mL), or the reason why nothing does. The reason names attributes, never
 * their values: dates, dose and weight do not leave this file.
 */
export type SuvScale = { readonly factor: number } | { readonly reason: string };

/** A dose below this is no injected activity in Bq: it was written in MBq. */
const LEAST_DOSE_BQ = 1e5;
/** Without a date of injection: the longest wait, in half-lives, that a time of day is believed for. */
const LONGEST_WAIT_HALF_LIVES = 8;
/** A nuclide that lives longer is imaged days later, so that a time of day says nothing. */
const LONGEST_HALF_LIFE_WITHOUT_DATE_S = 12 * 3600;
const DAY_S = 86_400;

type PrivateName = readonly [creator: string, group: number, low: number];
/** Counts to SUVbw, counts to Bq/mL, and the date and time at which the scan began. */
const PHILIPS_SUV: PrivateName = ['Philips PET Private Group', 0x7053, 0x00];
const PHILIPS_ACTIVITY: PrivateName = ['Philips PET Private Group', 0x7053, 0x09];
const GE_SCAN_START: PrivateName = ['GEMS_PETD_01', 0x0009, 0x0d];

/**
 * The factor for SUVbw by the vendor-neutral rules of QIBA's FDG-PET/CT profile: units, decay correction to the scan's
 * start or to the injection, Philips' and GE's private attributes.
 *
 * @param at - the PET image's attributes
 */
export function suvScale(dataSet: DataSet, at: Attributes, reader: TextReader): SuvScale {
  const units = at.text('x00541001');
  const type = at.text('x00541006') ?? 'BW';
  if (units === 'GML') {
    return type === 'BW' ? { factor: 1 } : { reason: `SUVType is ${type}, not body weight` };
  }
  if (units === 'BQML') return activityScale(dataSet, at, reader);
  if (units === 'CNTS') return philipsScale(dataSet, at, reader);
  return { reason: units === null ? 'Units is absent' : `Units ${units} is no activity concentration` };
}

/** Philips gives counts with a factor to SUVbw, or one to Bq/mL. */
function philipsScale(dataSet: DataSet, at: Attributes, reader: TextReader): SuvScale {
  const toSuv = privateNumber(dataSet, at, PHILIPS_SUV);
  if (toSuv !== null && toSuv > 0) return { factor: toSuv };
  const toActivity = privateNumber(dataSet, at, PHILIPS_ACTIVITY);
  if (toActivity === null || !(toActivity > 0)) {
    return { reason: 'Units CNTS without the scale factors (7053,xx00) or (7053,xx09)' };
  }
  const scale = activityScale(dataSet, at, reader);
  return 'factor' in scale ? { factor: scale.factor * toActivity } : scale;
}

/** Bq/mL to SUVbw: weight in grams over the dose that is left at the time that the values are corrected to. */
function activityScale(dataSet: DataSet, at: Attributes, reader: TextReader): SuvScale {
  const corrected = at.texts('x00280051') ?? [];
  if (!corrected.includes('ATTN')) return { reason: 'CorrectedImage does not name attenuation (ATTN)' };
  const correction = at.text('x00541102');
  if (!corrected.includes('DECY') || (correction !== 'START' && correction !== 'ADMIN')) {
    return { reason: `DecayCorrection is ${correction ?? 'absent'}, or CorrectedImage does not name DECY` };
  }
  const weightKg = at.number('x00101030');
  if (weightKg === null || !(weightKg > 0)) return { reason: 'PatientWeight is absent or 0' };
  const injections = items(dataSet, 'x00540016');
  if (injections.length !== 1) {
    return { reason: `RadiopharmaceuticalInformationSequence has ${injections.length} items, not one` };
  }
  const injection = attributes(injections, reader);
  const doseBq = injection.number('x00181074');
  if (doseBq === null || !(doseBq >= LEAST_DOSE_BQ)) {
    return { reason: 'RadionuclideTotalDose is absent or too small to be in Bq' };
  }
  if (correction === 'ADMIN') return { factor: (weightKg * 1000) / doseBq };
  const halfLife = injection.number('x00181075');
  if (halfLife === null || !(halfLife > 0)) return { reason: 'RadionuclideHalfLife is absent or 0' };
  const wait = waitSeconds(dataSet, at, injection, halfLife);
  if (typeof wait === 'string') return { reason: wait };
  return { factor: (weightKg * 1000) / (doseBq * 2 ** (-wait / halfLife)) };
}

/** Seconds from the injection to the time that the values are decay-corrected to, or a reason. */
function waitSeconds(
  dataSet: DataSet,
  at: Attributes,
  injection: Attributes,
  halfLife: number,
): number | string {
  const scan = scanStart(dataSet, at, halfLife);
  if (scan === null) return 'SeriesDate, SeriesTime, AcquisitionDate or AcquisitionTime does not read';
  const dated = dtSeconds(injection.text('x00181078'));
  if (dated !== null && scan >= dated && scan - dated <= LONGEST_WAIT_HALF_LIVES * halfLife)
    return scan - dated;
  const time = timeOfDaySeconds(injection.text('x00181072'));
  if (time === null) return 'the injection has no time, or its date is not that of the scan';
  if (halfLife > LONGEST_HALF_LIFE_WITHOUT_DATE_S) {
    return 'the injection has no usable date, and the nuclide is imaged days later';
  }
  // The injection is taken to be on the scan's day; a time of day after the scan's is that of the evening before.
  const wait = ((((scan % DAY_S) - time) % DAY_S) + DAY_S) % DAY_S;
  return wait <= LONGEST_WAIT_HALF_LIVES * halfLife ? wait : 'the injection is not shortly before the scan';
}

/**
 * The time that values with DecayCorrection START are corrected to. Series time, unless the series was made after the
 * acquisition: then GE's private scan time, else what the frame reference time says of the acquisition.
 */
function scanStart(dataSet: DataSet, at: Attributes, halfLife: number): number | null {
  const series = dateTimeSeconds(at.text('x00080021'), at.text('x00080031'));
  const acquisition = dateTimeSeconds(at.text('x00080022'), at.text('x00080032'));
  if (series !== null && (acquisition === null || series <= acquisition)) return series;
  const ge = dtSeconds(privateText(dataSet, at, GE_SCAN_START));
  if (ge !== null && (acquisition === null || ge <= acquisition)) return ge;
  const referenceMs = at.number('x00541300');
  const durationMs = at.number('x00181242');
  if (acquisition === null || referenceMs === null || durationMs === null) return null;
  if (!(referenceMs > 0) || !(durationMs > 0)) return null;
  // The moment within the frame at which the count rate is the frame's mean: 1/λ · ln(λT / (1 − e^(−λT))).
  const decay = Math.LN2 / halfLife;
  const during = (decay * durationMs) / 1000;
  const mean = Math.log(during / (1 - Math.exp(-during))) / decay;
  return acquisition - referenceMs / 1000 + mean;
}

/** Text of a private attribute: creator, group, last byte of its element. */
function privateText(dataSet: DataSet, at: Attributes, [creator, group, low]: PrivateName): string | null {
  const tag = privateTag(dataSet, creator, group, low);
  return tag === null ? null : at.text(tag);
}

function privateNumber(dataSet: DataSet, at: Attributes, name: PrivateName): number | null {
  const value = Number(privateText(dataSet, at, name) ?? NaN);
  return Number.isFinite(value) ? value : null;
}
