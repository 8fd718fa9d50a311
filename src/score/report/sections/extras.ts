import { markup, table, type Section } from '../html.js';
import type { ReportAudit, ReportDataset, ReportFigure, ReportFlag, ReportPicture } from '../report-data.js';

/** Flags listed before the rest is only counted. */
const FLAGS_SHOWN = 100;

/** Size, splits and label balance of the set. */
export function datasetSection(dataset: ReportDataset): Section {
  const { items, cases, patients, splits, letters, extra = [] } = dataset;
  const tiles: (readonly [string, string])[] = [
    ['items', String(items)],
    ['cases', String(cases)],
    ...(patients === undefined ? [] : [['patients', String(patients)] as const]),
    ...Object.entries(splits).map(([name, n]) => [`items in ${name}`, String(n)] as const),
    ...extra.map(({ name, value }) => [name, value] as const),
  ];
  const letterNames = Object.keys(letters);
  return {
    id: 'dataset',
    title: 'The benchmark',
    body: markup`<div class="tiles">
        ${tiles.map(([name, value]) => markup`<div><b>${value}</b><span>${name}</span></div> `)}
      </div>
      ${
        letterNames.length === 0
          ? null
          : table(
              'Right answers by letter: an even spread leaves nothing to a favourite letter',
              [{ head: 'Letter' }, ...letterNames.map((head) => ({ head, isNumber: true }))],
              [['Items', ...letterNames.map((letter) => String(letters[letter]))]],
            )
      }`,
  };
}

/** What the audit measured and which flags it raised. */
export function auditSection({ summary, flags }: ReportAudit): Section {
  const shown = flags.slice(0, FLAGS_SHOWN);
  return {
    id: 'audit',
    title: 'Audit for shortcuts',
    body: markup`<p>An audit looks for ways to the right answer or the evidence that need no look at the images.</p>
      ${
        summary.length === 0
          ? null
          : table(
              'Measured',
              [{ head: 'Figure' }, { head: 'Value', isNumber: true }, { head: 'Meaning' }],
              summary.map(({ name, value, note = '' }) => [name, value, note]),
            )
      }${
        flags.length === 0
          ? markup`<p class="yes">No flag was raised.</p>`
          : table(
              `Flags raised: ${flags.length}${flags.length > shown.length ? `, the first ${shown.length} shown` : ''}`,
              [
                { head: 'Rule' },
                { head: 'Item' },
                { head: 'Value', isNumber: true },
                { head: 'Threshold', isNumber: true },
                { head: 'What it means' },
              ],
              shown.map(flagRow),
            )
      }`,
  };
}

function flagRow({ rule, itemId, value, threshold, message }: ReportFlag): string[] {
  return [rule, itemId ?? '', numberText(value), numberText(threshold), message];
}

/** Up to four significant digits; text as it is. */
function numberText(value: number | string | null): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
}

/** Figures held against the bars that were set for them. */
export function figuresSection(figures: readonly ReportFigure[]): Section {
  return {
    id: 'figures',
    title: 'Figures and their bars',
    body: table(
      'Measured in this run',
      [
        { head: 'Figure' },
        { head: 'Value', isNumber: true },
        { head: 'Bar', isNumber: true },
        { head: 'Reached' },
      ],
      figures.map(({ name, value, bar, ok }) => [
        name,
        value,
        bar,
        ok ? markup`<span class="yes">✓ yes</span>` : markup`<span class="no">✗ no</span>`,
      ]),
    ),
  };
}

/** Pictures with captions; only inlined ones are shown. */
export function gallerySection(pictures: readonly ReportPicture[]): Section {
  const inlined = pictures.filter(({ dataUri }) => /^data:image\/(png|jpeg|webp);base64,/.test(dataUri));
  return {
    id: 'gallery',
    title: 'A look at the images',
    body: markup`<div class="gallery">
      ${inlined.map(
        ({ dataUri, caption }) =>
          markup`<figure>
            <img src="${dataUri}" alt="${caption}" />
            <figcaption>${caption}</figcaption>
          </figure> `,
      )}
    </div> `,
  };
}
