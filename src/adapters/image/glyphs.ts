import { createRequire } from 'node:module';
import { loadCanvas } from '../load-packages.js';

/** Coverage of a drawn text, row-major, 0 (nothing) to 255 (ink). */
export interface Glyphs {
  readonly coverage: Uint8Array;
  readonly width: number;
  readonly height: number;
}

const FAMILY = 'Groundmark Label';
const drawn = new Map<string, Glyphs>();
let registered = false;

/** The font comes with the package: a fresh machine may have none, and labels must look the same everywhere. */
function registerFont(): void {
  if (registered) return;
  const require = createRequire(import.meta.url);
  loadCanvas().GlobalFonts.registerFromPath(
    require.resolve('@fontsource/dejavu-mono/files/dejavu-mono-latin-700-normal.woff2'),
    FAMILY,
  );
  registered = true;
}

/** A label's glyphs, `sizePx` high with a margin of two pixels; drawn once and kept. */
export function drawLabel(text: string, sizePx: number): Glyphs {
  const key = `${sizePx}/${text}`;
  const known = drawn.get(key);
  if (known) return known;
  registerFont();
  const { createCanvas } = loadCanvas();
  const font = `${sizePx}px "${FAMILY}"`;
  const probe = createCanvas(8, 8).getContext('2d');
  probe.font = font;
  const width = Math.ceil(probe.measureText(text).width) + 4;
  const height = sizePx + 4;
  const context = createCanvas(width, height).getContext('2d');
  context.font = font;
  context.fillStyle = '#fff';
  context.textBaseline = 'alphabetic';
  context.fillText(text, 2, Math.round(sizePx * 0.9));
  const rgba = context.getImageData(0, 0, width, height).data;
  const coverage = new Uint8Array(width * height);
  for (let i = 0; i < coverage.length; i++) coverage[i] = rgba[i * 4 + 3]!;
  const glyphs = { coverage, width, height };
  drawn.set(key, glyphs);
  return glyphs;
}
