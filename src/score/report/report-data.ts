import type { ScoreReport, SlicedRates } from '../../domain/score.js';

/** One raised flag of an audit. */
export interface ReportFlag {
  readonly rule: string;
  readonly itemId?: string;
  readonly value: number | string | null;
  readonly threshold: number | string | null;
  readonly message: string;
}

export interface ReportAudit {
  /** Figures worth reading, such as the mean words of key and distractors, as ready texts. */
  readonly summary: readonly { readonly name: string; readonly value: string; readonly note?: string }[];
  readonly flags: readonly ReportFlag[];
}

export interface ReportDataset {
  readonly items: number;
  readonly cases: number;
  readonly patients?: number;
  /** Items of each split, in the order shown. */
  readonly splits: Readonly<Record<string, number>>;
  /** Items of each key letter, over the whole set. */
  readonly letters: Readonly<Record<string, number>>;
  /** More tiles: name and ready value. */
  readonly extra?: readonly { readonly name: string; readonly value: string }[];
}

export interface ReportPicture {
  /** `data:image/png;base64,…`; nothing is loaded from elsewhere. */
  readonly dataUri: string;
  readonly caption: string;
  /** Shows or names what a model must not know (evidence, report sentence, key): left out of a public page. */
  readonly isPrivate?: boolean;
}

/** One figure that a set bar is held against. */
export interface ReportFigure {
  readonly name: string;
  readonly value: string;
  readonly bar: string;
  readonly ok: boolean;
}

/** What the report page is made from; a section without data is left out. */
export interface ReportData {
  readonly title: string;
  readonly subtitle?: string;
  /**
   * Default `private`. A `public` page holds nothing about single items: no item ids or messages in audit flags, no
   * private pictures, no letters, no stratum of fewer than 5 items.
   */
  readonly audience?: 'private' | 'public';
  readonly scores?: ScoreReport;
  readonly dataset?: ReportDataset;
  readonly audit?: ReportAudit;
  readonly gallery?: readonly ReportPicture[];
  readonly figures?: readonly ReportFigure[];
  /** Last line of the page, such as version and seed. */
  readonly footer?: string;
}

/** Items that a stratum needs before a public page shows it: a rate over one item is that item's result. */
export const PUBLIC_STRATUM_MIN = 5;

/** The data of a public page. */
export function publicView(data: ReportData): ReportData {
  const { scores, dataset, audit, gallery } = data;
  return {
    ...data,
    ...(scores && { scores: withoutSmallStrata(scores) }),
    ...(dataset && { dataset: { ...dataset, letters: {} } }),
    ...(audit && { audit: { summary: audit.summary, flags: countedFlags(audit.flags) } }),
    ...(gallery && { gallery: gallery.filter((picture) => picture.isPrivate !== true) }),
  };
}

function withoutSmallStrata(scores: ScoreReport): ScoreReport {
  const models = scores.models.map((model) => ({
    ...model,
    byStratum: Object.fromEntries(
      Object.entries(model.byStratum).map(([name, values]) => [name, withoutSmallValues(values)]),
    ),
  }));
  return { ...scores, models, items: [] };
}

/** When what is left out comes to few items, it could be had by subtraction: then nothing of the stratum is shown. */
function withoutSmallValues(values: Readonly<Record<string, SlicedRates>>): Record<string, SlicedRates> {
  const isSmall = ([, { n }]: readonly [string, SlicedRates]): boolean => n < PUBLIC_STRATUM_MIN;
  const entries = Object.entries(values);
  const hidden = entries.filter(isSmall).reduce((sum, [, { n }]) => sum + n, 0);
  if (hidden > 0 && hidden < PUBLIC_STRATUM_MIN) return {};
  return Object.fromEntries(entries.filter((entry) => !isSmall(entry)));
}

/** One line a rule, with the number of its flags. */
function countedFlags(flags: readonly ReportFlag[]): ReportFlag[] {
  return [...new Set(flags.map((flag) => flag.rule))].map((rule) => {
    const count = flags.filter((flag) => flag.rule === rule).length;
    return {
      rule,
      value: null,
      threshold: null,
      message: `raised ${count === 1 ? 'once' : `${count} times`}`,
    };
  });
}
