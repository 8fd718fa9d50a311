import { drawContactSheet } from './contact-sheet.js';
import { encodeGreyPng } from './png.js';
import { run as render, type RenderSlice } from './render-job.js';
import type { WindowChoice } from './window.js';

export interface SheetInput {
  readonly slices: readonly RenderSlice[];
  readonly labels: readonly string[];
  readonly window: WindowChoice;
  readonly tileSize: number;
}

/** One contact sheet as PNG. */
export async function run({ slices, labels, window, tileSize }: SheetInput): Promise<Uint8Array> {
  const pictures = await render({ slices, window, size: tileSize });
  return encodeGreyPng(
    drawContactSheet(
      pictures.map((picture, i) => ({ label: labels[i]!, picture })),
      tileSize,
    ),
    1,
  );
}
