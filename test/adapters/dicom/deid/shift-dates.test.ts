import { describe, expect, it } from 'vitest';
import { keyedNames } from '../../../../src/adapters/dicom/deid/keyed-names.js';
import { capAge, shiftDates } from '../../../../src/adapters/dicom/deid/shift-dates.js';

describe('shiftDates', () => {
  it.each([
    ['20240228', 1, '20240229', 'a leap day'],
    ['20230228', 1, '20230301', 'no leap day'],
    ['20240101', -1, '20231231', 'back over a year'],
    ['1997.07.15', 31, '1997.08.15', 'the old form with dots'],
    ['20240131\\20240201', 2, '20240202\\20240203', 'several values'],
    ['20240131235959.123456', 1, '20240201235959.123456', 'a date-time keeps its time'],
    ['20240131120000+0100', 1, '20240201120000+0100', 'and its zone'],
    ['202401', 40, '202402', 'a month: from its first day'],
    ['2024', -1, '2023', 'a year: from its first day'],
    ['', 5, '', 'an empty value'],
  ])('moves %s by %i days to %s (%s)', (text, days, moved) => {
    expect(shiftDates(text, days)).toBe(moved);
  });

  it.each(['yesterday', '20241301', '20240132', '00010101', '2024-01-01', '20240131\\soon'])(
    'does not take %s for a date',
    (text) => {
      expect(shiftDates(text, 1)).toBeNull();
    },
  );

  it('never moves by nothing, and by 730 days at most, for a thousand patients', () => {
    const names = keyedNames(Buffer.alloc(32, 3));
    const days = Array.from({ length: 1000 }, (_, i) => names.shiftDays(`id\0${i}`));
    expect(days.every((n) => n !== 0 && Math.abs(n) <= 730)).toBe(true);
    expect(Math.min(...days)).toBeLessThan(-600);
    expect(Math.max(...days)).toBeGreaterThan(600);
  });
});

describe('capAge', () => {
  it.each([
    ['089Y', '089Y'],
    ['090Y', '090Y'],
    ['104Y', '090Y'],
    ['011M', '011M'],
    ['about 50', ''],
  ])('tells %s as %s', (age, told) => {
    expect(capAge(age)).toBe(told);
  });
});
