import type { Rate } from '../domain/score.js';

/** `41.9 %`, or `–` where there is none. */
export function percent(rate: number | null): string {
  return rate === null ? '–' : `${(rate * 100).toFixed(1)} %`;
}

/** `35.2–48.9`, in per cent, or an empty text. */
export function percentInterval(interval: readonly [number, number] | null): string {
  return interval === null ? '' : `${(interval[0] * 100).toFixed(1)}–${(interval[1] * 100).toFixed(1)}`;
}

/** `41.9 % (35.2–48.9)`. */
export function rateText({ rate, ci95 }: Pick<Rate, 'rate' | 'ci95'>): string {
  return ci95 === null ? percent(rate) : `${percent(rate)} (${percentInterval(ci95)})`;
}

/** `0.034`, `< 0.001`, or `–` where there is none. */
export function pText(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

/** A difference of rates in percentage points, signed, with a true minus. */
export function pointsText(difference: number): string {
  const points = (difference * 100).toFixed(1);
  if (Number(points) === 0) return '0.0';
  return points.startsWith('-') ? `−${points.slice(1)}` : `+${points}`;
}
