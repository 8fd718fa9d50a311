import type { JobQueue } from '../queue/index.js';
import type { RenderedPng } from './png-job.js';
import type { RenderInput } from './render-job.js';
import type { SheetInput } from './sheet-job.js';

interface RenderOptions {
  readonly onDone?: () => void;
  readonly signal?: AbortSignal;
}

/** Draws groups of slices on the queue's threads: one answer a group, in order. */
export function renderPngs(
  queue: JobQueue,
  groups: readonly RenderInput[],
  options: RenderOptions = {},
): Promise<RenderedPng[][]> {
  return queue.map(
    { module: new URL(`./png-job${extension()}`, import.meta.url).href },
    groups,
    jobOptions(options),
  );
}

/** Draws contact sheets on the queue's threads, in order. */
export function renderSheets(
  queue: JobQueue,
  sheets: readonly SheetInput[],
  options: RenderOptions = {},
): Promise<Uint8Array[]> {
  return queue.map(
    { module: new URL(`./sheet-job${extension()}`, import.meta.url).href },
    sheets,
    jobOptions(options),
  );
}

/** `.ts` when the tests run the sources, `.js` in the build. */
function extension(): string {
  return import.meta.url.slice(import.meta.url.lastIndexOf('.'));
}

function jobOptions({ onDone, signal }: RenderOptions) {
  return { ...(onDone && { onDone: () => onDone() }), ...(signal && { signal }) };
}
