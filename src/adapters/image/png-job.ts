import { encodeGreyPng } from './png.js';
import { run as render, type RenderInput } from './render-job.js';

export interface RenderedPng {
  readonly png: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** Draws slices and encodes each as a greyscale PNG. */
export async function run(input: RenderInput): Promise<RenderedPng[]> {
  const rendered: RenderedPng[] = [];
  for (const picture of await render(input)) {
    rendered.push({ png: await encodeGreyPng(picture), width: picture.width, height: picture.height });
  }
  return rendered;
}
