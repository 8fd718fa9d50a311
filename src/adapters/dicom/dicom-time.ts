/**
 * Seconds of a date and time since the epoch, as if in UTC; null when either does not read.
 *
 * Zones are left out: only differences between times of one file are taken, and both are written in its own zone.
 *
 * @param date - DA, `YYYYMMDD` or the old `YYYY.MM.DD`. PS3.5 6.2
 * @param time - TM, `HHMMSS.FFFFFF` (the end may be missing) or the old `HH:MM:SS`
 */
export function dateTimeSeconds(date: string | null, time: string | null): number | null {
  const day = /^(\d{4})\.?(\d{2})\.?(\d{2})$/u.exec(date?.trim() ?? '');
  const seconds = timeOfDaySeconds(time);
  if (!day || seconds === null) return null;
  return Date.UTC(Number(day[1]), Number(day[2]) - 1, Number(day[3])) / 1000 + seconds;
}

/** Seconds since midnight of a TM; null when it does not read. */
export function timeOfDaySeconds(time: string | null): number | null {
  const parts = /^(\d{2})(?::?(\d{2})(?::?(\d{2}(?:\.\d*)?))?)?$/u.exec(time?.trim() ?? '');
  if (!parts) return null;
  return Number(parts[1]) * 3600 + Number(parts[2] ?? 0) * 60 + Number(parts[3] ?? 0);
}

/** Seconds since the epoch of a DT, its zone left out; null when it holds less than a day and an hour. */
export function dtSeconds(dateTime: string | null): number | null {
  const text = dateTime?.trim().replace(/[+-]\d{4}$/u, '') ?? '';
  return dateTimeSeconds(text.slice(0, 8), text.slice(8));
}
