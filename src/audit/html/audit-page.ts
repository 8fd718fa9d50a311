import type { Audit, Flag, PickName } from '../../domain/audit.js';
import { FEATURE_TITLES } from '../feature-titles.js';
import { countBar, deviationBar, intervalBar } from './bars.js';
import { escapeHtml } from './escape.js';
import { STYLE } from './style.js';
import { decimal, percent, pValue, table, type Row } from './table.js';

/** Items of one rule told by name; the JSON has all. */
const ITEMS_TOLD = 50;

const PICK_TITLES: Readonly<Record<PickName, string>> = {
  longestChars: 'Longest, characters',
  longestWords: 'Longest, words',
  shortestChars: 'Shortest, characters',
  shortestWords: 'Shortest, words',
  mostSimilarToStem: 'Most similar to the stem',
  leastSimilarToStem: 'Least similar to the stem',
  mostCentral: 'Most like the other options',
  leastCentral: 'Least like the other options',
};

/** The audit as one page that needs nothing else. */
export function auditPage(audit: Audit, title: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Audit of ${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Audit of ${escapeHtml(title)}</h1>
<p class="soft-text">Can the answers, or the evidence, be guessed without understanding the question? Private: this page
describes the key.</p>
${facts(audit)}
${flagSection(audit.flags)}
${pickSection(audit)}
${labelSection(audit)}
${evidenceSection(audit)}
<footer>Items SHA-256 <code>${audit.dataset.itemsSha256}</code></footer>
</body>
</html>
`;
}

function facts({ dataset, flags }: Audit): string {
  const options = Object.keys(dataset.optionsPerItem).join(', ');
  const list: [string, string, boolean][] = [
    [String(dataset.scored), 'items scored', false],
    [options, 'options an item', false],
    [percent(dataset.chance), 'right by chance', false],
    [String(dataset.severalKeys), 'with several keys', false],
    [String(dataset.skipped.length), 'skipped', dataset.skipped.length > 0],
    [String(flags.length), flags.length === 1 ? 'flag' : 'flags', flags.length > 0],
  ];
  const items = list.map(
    ([figure, what, alarm]) => `<li${alarm ? ' class="alarm"' : ''}><b>${escapeHtml(figure)}</b>${what}</li>`,
  );
  return `<ul class="facts">${items.join('')}</ul>`;
}

function flagSection(flags: readonly Flag[]): string {
  if (flags.length === 0) return '<h2>Flags</h2><p>None.</p>';
  const groups = new Map<string, Flag[]>();
  for (const flag of flags) {
    const name = JSON.stringify([flag.rule, flag.message]);
    groups.set(name, [...(groups.get(name) ?? []), flag]);
  }
  const rows = [...groups.values()].map((group): Row => {
    const first = group[0]!;
    const values = group.map(({ value }) => value);
    return {
      flagged: true,
      cells: [
        first.rule,
        { html: `${escapeHtml(first.message)}${itemList(group)}` },
        first.itemId === undefined ? '' : String(group.length),
        flagValue(values.reduce((most, value) => Math.max(most, value), 0)),
        String(first.threshold),
      ],
    };
  });
  return `<h2>Flags</h2>${table(
    [
      { title: 'Rule' },
      { title: 'What was seen' },
      { title: 'Items', numeric: true },
      { title: 'Largest value', numeric: true },
      { title: 'Threshold', numeric: true },
    ],
    rows,
  )}`;
}

function flagValue(value: number): string {
  return value > 0 && value < 0.0005 ? '< 0.001' : decimal(value, 3);
}

function itemList(group: readonly Flag[]): string {
  const ids = group.flatMap(({ itemId }) => itemId ?? []);
  if (ids.length === 0) return '';
  const more = ids.length > ITEMS_TOLD ? ` … and ${ids.length - ITEMS_TOLD} more in the JSON` : '';
  const told = ids.slice(0, ITEMS_TOLD).map((id) => `<code>${escapeHtml(id)}</code>`);
  return `<details><summary>Which items</summary>${told.join(', ')}${more}</details>`;
}

function pickSection({ picks, choicesOnlyLr, flags }: Audit): string {
  const flaggedPicks = figuresOf(flags, 'pick-shortcut');
  const lr = choicesOnlyLr.strict ?? choicesOnlyLr;
  const highest = Object.values(picks).reduce((most, { acc }) => Math.max(most, acc ?? 0), lr.acc ?? 0);
  const scale = Math.min(1, Math.max(2 * (lr.chance ?? 0), 1.1 * highest)) || 1;
  const rows = (Object.keys(PICK_TITLES) as PickName[]).map((name): Row => {
    const { acc, chance, zNull, pHolm } = picks[name];
    const flagged = flaggedPicks.has(name);
    return {
      flagged,
      cells: [
        PICK_TITLES[name],
        percent(acc),
        percent(chance),
        decimal(zNull, 2),
        pValue(pHolm),
        { html: deviationBar(acc, chance ?? 0, scale, flagged) },
      ],
    };
  });
  const lrFlagged = flags.some(({ rule }) => rule === 'choices-only');
  rows.push({
    flagged: lrFlagged,
    cells: [
      `Classifier on the options alone${choicesOnlyLr.strict ? '' : ' (plain folds)'}`,
      percent(lr.acc),
      percent(lr.chance),
      decimal(lr.zNull, 2),
      '',
      { html: deviationBar(lr.acc, lr.chance ?? 0, scale, lrFlagged) },
    ],
  });
  return `<h2>Answering without the question</h2>
<p>Share of items that a blind rule gets right. The mark is chance; p is adjusted over the eight rules.</p>
${table(
  [
    { title: 'Rule' },
    { title: 'Right', numeric: true },
    { title: 'Chance', numeric: true },
    { title: 'z', numeric: true },
    { title: 'p', numeric: true },
    { title: '' },
  ],
  rows,
)}`;
}

function labelSection({ labels }: Audit): string {
  const scale = Math.max(1, ...labels.observed, ...labels.expected) * 1.05;
  const rows = labels.observed.map((count, j): Row => ({
    cells: [
      String.fromCharCode(65 + j),
      String(count),
      decimal(labels.expected[j]!, 1),
      { html: countBar(count, labels.expected[j]!, scale) },
    ],
  }));
  return `<h2>Positions of the answer</h2>
<p>χ² = ${decimal(labels.chi2, 2)}, ${labels.df} degrees of freedom, p ${labels.p !== null && labels.p < 0.001 ? '' : '= '}${pValue(labels.p)}.
The mark is the expected number.</p>
${table(
  [
    { title: 'Position' },
    { title: 'Items', numeric: true },
    { title: 'Expected', numeric: true },
    { title: '' },
  ],
  rows,
)}`;
}

function evidenceSection({ evidence, flags }: Audit): string {
  if (!evidence) return '';
  const flaggedFeatures = figuresOf(flags, 'evidence-shortcut');
  const rows = Object.entries(evidence.features).map(([name, { auc, ci95, items }]): Row => {
    const isFlagged = flaggedFeatures.has(name);
    return {
      flagged: isFlagged,
      cells: [
        FEATURE_TITLES[name] ?? name,
        decimal(auc, 3),
        ci95 === null ? '–' : `${decimal(ci95[0], 3)} to ${decimal(ci95[1], 3)}`,
        String(items),
        { html: intervalBar(auc, ci95, isFlagged) },
      ],
    };
  });
  return `<h2>Finding the evidence without looking for it</h2>
<p>How well one property alone tells evidence from comparison images: 0.5 is chance, 0 and 1 are certainty. Intervals by
bootstrap over ${evidence.clusters} ${evidence.clusters === 1 ? 'case' : 'cases'}; ${evidence.images} images,
${evidence.unreadableImages.length} of them unreadable.</p>
${table(
  [
    { title: 'Property' },
    { title: 'AUC', numeric: true },
    { title: '95 % interval', numeric: true },
    { title: 'Items', numeric: true },
    { title: '' },
  ],
  rows,
)}`;
}

/** Names of the figures that a rule flagged. */
function figuresOf(flags: readonly Flag[], rule: string): ReadonlySet<string> {
  return new Set(
    flags.flatMap((flag) => (flag.rule === rule && flag.figure !== undefined ? [flag.figure] : [])),
  );
}
