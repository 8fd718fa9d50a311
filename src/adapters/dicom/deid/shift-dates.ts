const MS_PER_DAY = 86_400_000;

/**
 * Dates (DA) or date-times (DT), `\`-separated, each moved by whole days; null when one of them cannot be read as a date.
 *
 * Old dates with dots are read (PS3.5 6.2 note). A date-time that stops at the year or month keeps that precision; its
 * time of day and zone stay.
 *
 * @param days - negative moves back
 */
export function shiftDates(text: string, days: number): string | null {
  const values = text.split('\\').map((value) => shiftOne(value.trim(), days));
  return values.includes(null) ? null : values.join('\\');
}

function shiftOne(value: string, days: number): string | null {
  if (value === '') return '';
  const match = /^(\d{4})(?:(\.?)(\d{2})(?:\2(\d{2})(\d{0,6}(?:\.\d{1,6})?))?)?([+-]\d{4})?$/u.exec(value);
  if (!match) return null;
  const [, year, dot = '', month, day, time = '', zone = ''] = match;
  // Date.UTC takes years below 100 for the twentieth century.
  if (!inRange(month, 12) || !inRange(day, 31) || Number(year) < 100) return null;
  const moved = new Date(
    Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1)) + days * MS_PER_DAY,
  );
  const shown = [
    String(moved.getUTCFullYear()).padStart(4, '0'),
    month === undefined ? '' : String(moved.getUTCMonth() + 1).padStart(2, '0'),
    day === undefined ? '' : String(moved.getUTCDate()).padStart(2, '0'),
  ];
  return shown.filter((part) => part !== '').join(dot) + time + zone;
}

function inRange(text: string | undefined, most: number): boolean {
  return text === undefined || (Number(text) >= 1 && Number(text) <= most);
}

/** Ages (AS) of more than 89 years as 090Y: so old a patient is rare enough to be found. */
export function capAge(text: string): string {
  const match = /^(\d{3})([DWMY])$/u.exec(text.trim());
  if (!match) return '';
  const perYear: Record<string, number> = { D: 365.25, W: 52.18, M: 12, Y: 1 };
  return Number(match[1]) / perYear[match[2]!]! >= 90 ? '090Y' : text.trim();
}
