/** What stands in place of a text that had to go but may not be empty. */
export const DUMMY_TEXT = 'REMOVED';
/** A date that nobody takes for a real one. */
const DUMMY_DATE = '19000101';

const DUMMIES: Readonly<Record<string, string>> = {
  AS: '000Y',
  DA: DUMMY_DATE,
  DT: `${DUMMY_DATE}000000`,
  TM: '000000',
  DS: '0',
  IS: '0',
  UR: 'urn:removed',
};
const TEXT_VRS: ReadonlySet<string> = new Set('AE LO LT PN SH ST UC UT CS'.split(' '));
const NUMBER_SIZES: Readonly<Record<string, number>> = {
  ...{ AT: 4, FD: 8, FL: 4, SL: 4, SS: 2, SV: 8, UL: 4, US: 2, UV: 8 },
  ...{ OB: 2, OD: 8, OF: 4, OL: 4, OV: 8, OW: 2 },
};

/** A value of the right kind that says nothing (action D). PS3.15 annex E.1. */
export function dummyValue(vr: string): Buffer {
  const size = NUMBER_SIZES[vr];
  if (size !== undefined) return Buffer.alloc(size);
  return Buffer.from(DUMMIES[vr] ?? (TEXT_VRS.has(vr) ? DUMMY_TEXT : '\0\0'), 'latin1');
}

/** Words that other de-identifiers leave. */
const WORDS = new Set(
  `${DUMMY_TEXT} ANON ANONYMOUS ANONYMIZED ANONYMISED DEIDENTIFIED DE-IDENTIFIED UNKNOWN NONE N/A NA NULL XXX XXXX`.split(
    ' ',
  ),
);

/** Whether a text says nothing: empty, a dummy of ours, a word such as ANONYMOUS, or the same sign all over. */
export function isDummyText(text: string): boolean {
  const bare = text
    .replace(/[\0\s\\^=]+/gu, ' ')
    .trim()
    .toUpperCase();
  if (bare === '' || WORDS.has(bare) || bare === 'URN:REMOVED' || bare === '000Y') return true;
  return /^([0X*.-])\1*$/u.test(bare) || /^(?:00010101|19000101)(?:0{1,6})?(?:\.0+)?$/u.test(bare);
}
