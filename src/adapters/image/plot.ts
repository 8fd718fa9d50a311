import * as Plot from '@observablehq/plot';
import { parseHTML } from 'linkedom';

/** What is used of the element that Plot gives; this program is compiled without the DOM's types. */
interface SvgElement {
  readonly outerHTML: string;
  setAttribute(name: string, value: string): void;
}

/**
 * An Observable Plot drawing as one SVG element, ready to stand inside HTML. Needs no browser and no network.
 *
 * @param options - Plot's own options without `document`. No legends or title (they make the drawing HTML), and no
 *   `clip`: its ids count up through a process and so differ between runs
 * @param description - what the drawing shows, for screen readers
 */
export function plotSvg(options: Omit<Plot.PlotOptions, 'document'>, description: string): string {
  const { document } = parseHTML('<!doctype html><html><body></body></html>') as unknown as {
    document: object;
  };
  const draw = Plot.plot as unknown as (options: object) => SvgElement;
  const svg = draw({ ...options, document });
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', description);
  return svg.outerHTML;
}

export { Plot };
