const WIDTH = 240;
const HEIGHT = 14;

/**
 * A horizontal bar from a reference value to a value, with the reference marked. Inline SVG.
 *
 * @param scale - what the right end stands for; the left end is 0
 */
export function deviationBar(
  value: number | null,
  reference: number,
  scale: number,
  flagged: boolean,
): string {
  if (value === null) return '';
  const [from, to] = [x(Math.min(value, reference), scale), x(Math.max(value, reference), scale)];
  return svg(
    `${track()}<rect class="${flagged ? 'bad' : 'good'}" x="${from}" y="3" width="${round(to - from)}" height="8"/>` +
      mark(reference, scale),
  );
}

/** A point with its interval on a line from 0 to 1, with 0.5 marked. Inline SVG. */
export function intervalBar(
  value: number | null,
  interval: readonly [number, number] | null,
  flagged: boolean,
): string {
  if (value === null) return '';
  const kind = flagged ? 'bad' : 'good';
  const [low, high] = interval ?? [value, value];
  return svg(
    `${track()}${mark(0.5, 1)}` +
      `<rect class="${kind} soft" x="${x(low, 1)}" y="5" width="${round(x(high, 1) - x(low, 1))}" height="4"/>` +
      `<circle class="${kind}" cx="${x(value, 1)}" cy="7" r="4"/>`,
  );
}

/** A plain bar from 0 with the expected value marked. Inline SVG. */
export function countBar(value: number, expected: number, scale: number): string {
  return svg(
    `${track()}<rect class="good" x="0" y="3" width="${x(value, scale)}" height="8"/>${mark(expected, scale)}`,
  );
}

function svg(body: string): string {
  return `<svg class="bar" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" aria-hidden="true">${body}</svg>`;
}

function track(): string {
  return `<rect class="track" x="0" y="6" width="${WIDTH}" height="2"/>`;
}

function mark(value: number, scale: number): string {
  return `<rect class="mark" x="${round(x(value, scale) - 1)}" y="0" width="2" height="${HEIGHT}"/>`;
}

function x(value: number, scale: number): number {
  return round(Math.max(0, Math.min(1, value / scale)) * WIDTH);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
