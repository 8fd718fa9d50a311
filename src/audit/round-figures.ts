/** Significant digits kept: more would only show the rounding of this machine's logarithms. */
const DIGITS = 9;

/** The same value with every number in it rounded, so that two machines write the same bytes. */
export function roundFigures<T>(value: T): T {
  return rounded(value) as T;
}

function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS));
  if (Array.isArray(value)) return value.map(rounded);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, rounded(entry)]));
}
