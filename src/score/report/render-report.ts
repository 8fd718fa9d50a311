import { markup, trusted, type Section } from './html.js';
import { publicView, type ReportData } from './report-data.js';
import { baselinesSection } from './sections/baselines.js';
import { cellsSection, intervalSection } from './sections/charts.js';
import { auditSection, datasetSection, figuresSection, gallerySection } from './sections/extras.js';
import { headlineSection } from './sections/headline.js';
import { outcomesSection } from './sections/outcomes.js';
import { pairsSection } from './sections/pairs.js';
import { strataSection } from './sections/strata.js';
import { STYLE } from './style.js';

/**
 * The report as one HTML page: style and drawings inside, no script, nothing loaded from elsewhere.
 *
 * The page holds aggregates only; `audience: 'public'` also drops what single items could be read from.
 */
export function renderReport(data: ReportData): string {
  const shown = data.audience === 'public' ? publicView(data) : data;
  const sections = sectionsOf(shown).filter((part): part is Section => part !== null);
  const links = sections.map(({ id, title }) => markup`<a href="#${id}">${title}</a>\n`);
  const bodies = sections.map(
    ({ id, title, body }) => markup`<section id="${id}">
<h2>${title}</h2>
${body}</section>
`,
  );
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${shown.title}</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<header><div>
<h1>${shown.title}</h1>
${shown.subtitle === undefined ? null : markup`<p>${shown.subtitle}</p>`}
<nav aria-label="Sections">${links}</nav>
</div></header>
<main>
${bodies}${shown.footer === undefined ? null : markup`<footer>${shown.footer}</footer>`}
</main>
</body>
</html>
`.text;
}

function sectionsOf({ scores, dataset, audit, gallery, figures }: ReportData): (Section | null)[] {
  const hasModels = scores !== undefined && scores.models.length > 0;
  return [
    hasModels ? headlineSection(scores) : null,
    hasModels ? intervalSection(scores) : null,
    hasModels ? cellsSection(scores) : null,
    hasModels ? outcomesSection(scores) : null,
    dataset ? datasetSection(dataset) : null,
    audit ? auditSection(audit) : null,
    gallery && gallery.length > 0 ? gallerySection(gallery) : null,
    hasModels ? strataSection(scores) : null,
    hasModels ? pairsSection(scores) : null,
    hasModels ? baselinesSection(scores) : null,
    figures && figures.length > 0 ? figuresSection(figures) : null,
  ];
}
