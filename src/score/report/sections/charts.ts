import { Plot, plotSvg } from '../../../adapters/image/plot.js';
import { metrics, type Metric, type ScoreReport } from '../../../domain/score.js';
import { markup, trusted, type Section } from '../html.js';
import { ACCENT, CELL_COLOURS, CHANCE, INK } from '../style.js';

const WIDTH = 760;
const TEXT = 13;
/** Shares of all items, 0–100. */
const SHARE_AXIS = {
  domain: [0, 100],
  label: '% of all items',
  labelAnchor: 'center',
  labelArrow: 'none',
} as const;
const LABELS: Readonly<Record<Metric, string>> = { answer: 'Answer', evidence: 'Evidence', joint: 'Joint' };

/** Points with 95 % intervals, one band a score, chance as a dashed line. */
export function intervalSection(scores: ScoreReport): Section {
  const points = scores.models.flatMap((model) =>
    metrics.map((metric) => {
      const { rate, ci95 } = model[metric];
      const [low, high] = ci95 ?? [0, 0];
      return { metric, model: model.model, rate: 100 * (rate ?? 0), low: 100 * low, high: 100 * high };
    }),
  );
  const chance = [
    { metric: 'answer', rate: 100 * scores.chance.answer },
    { metric: 'evidence', rate: 100 * scores.chance.evidence.best },
    { metric: 'joint', rate: 100 * scores.chance.joint.best },
  ];
  const names = scores.models.map((model) => model.model);
  const svg = plotSvg(
    {
      ...shape(names),
      height: 52 + metrics.length * (24 * names.length + 40),
      insetTop: 26,
      x: { ...SHARE_AXIS, grid: true },
      y: { domain: names, label: null, tickSize: 0 },
      fy: { domain: metrics, padding: 0.06, axis: null },
      marks: [
        Plot.frame({ stroke: '#dfe4ea' }),
        Plot.text(metrics, {
          fy: (metric: Metric) => metric,
          text: (metric: Metric) => LABELS[metric],
          frameAnchor: 'top-right',
          dx: -8,
          dy: 7,
          fontWeight: 650,
        }),
        Plot.ruleX(chance, { fy: 'metric', x: 'rate', stroke: CHANCE, strokeDasharray: '4 3' }),
        Plot.text(chance, {
          fy: 'metric',
          x: 'rate',
          text: ({ rate }: { rate: number }) => `chance ${rate.toFixed(1)} %`,
          frameAnchor: 'top',
          textAnchor: 'start',
          dx: 6,
          dy: 7,
          fill: CHANCE,
        }),
        Plot.ruleY(points, {
          fy: 'metric',
          y: 'model',
          x1: 'low',
          x2: 'high',
          stroke: ACCENT,
          strokeWidth: 3,
          strokeOpacity: 0.4,
        }),
        Plot.dot(points, { fy: 'metric', y: 'model', x: 'rate', fill: ACCENT, r: 4.5 }),
      ],
    },
    'Scores of every model with their 95 % intervals, and chance',
  );
  return {
    id: 'intervals',
    title: 'How sure the scores are',
    body: markup`<p>
        A dot is the score, its bar the 95 % Wilson interval, the dashed red line chance (for evidence and
        joint: the best random guesser). An interval that holds the line shows no skill.
      </p>
      <figure class="chart">${trusted(svg)}</figure> `,
  };
}

const CELLS = [
  { name: 'both', label: 'right answer, right evidence', colour: CELL_COLOURS.both, ink: '#fff' },
  { name: 'answerOnly', label: 'right answer, wrong evidence', colour: CELL_COLOURS.answerOnly, ink: INK },
  {
    name: 'evidenceOnly',
    label: 'wrong answer, right evidence',
    colour: CELL_COLOURS.evidenceOnly,
    ink: INK,
  },
  { name: 'neither', label: 'neither', colour: CELL_COLOURS.neither, ink: INK },
] as const;

/** Stacked bars: in which of the four cells the items of each model fall. */
export function cellsSection(scores: ScoreReport): Section {
  const names = scores.models.map((model) => model.model);
  const parts = scores.models.flatMap((model) => {
    let start = 0;
    return CELLS.map(({ name, colour, ink }) => {
      const share = model.n === 0 ? 0 : (100 * model.cells[name]) / model.n;
      start += share;
      return { model: model.model, x1: start - share, x2: start, share, colour, ink };
    });
  });
  const labelled = parts.filter((part) => part.share >= 7);
  const svg = plotSvg(
    {
      ...shape(names),
      height: 56 + 32 * names.length,
      x: SHARE_AXIS,
      y: { domain: names, label: null, tickSize: 0, padding: 0.2 },
      color: { type: 'identity' },
      marks: [
        Plot.barX(parts, { y: 'model', x1: 'x1', x2: 'x2', fill: 'colour', stroke: '#fff', strokeWidth: 1 }),
        Plot.text(labelled, {
          y: 'model',
          x: (d: { x1: number; x2: number }) => (d.x1 + d.x2) / 2,
          text: (d: { share: number }) => d.share.toFixed(0),
          fill: 'ink',
        }),
      ],
    },
    'Items of every model by right or wrong answer and right or wrong evidence',
  );
  const legend = CELLS.map(
    ({ label, colour }) => markup`<li><i style="background:${colour}"></i>${label}</li>`,
  );
  return {
    id: 'cells',
    title: 'Answer and evidence together',
    body: markup`<p>
        A right answer without the evidence may be a guess or a shortcut; evidence without the answer means
        the model looked at the right place and read it wrongly.
      </p>
      <ul class="legend">
        ${legend}
      </ul>
      <figure class="chart">${trusted(svg)}</figure> `,
  };
}

/** What both drawings share: width, text size, and room on the left for the longest name. */
function shape(names: readonly string[]) {
  const longest = Math.max(0, ...names.map((name) => [...name].length));
  return {
    width: WIDTH,
    marginLeft: Math.min(300, 18 + Math.ceil(longest * TEXT * 0.56)),
    marginRight: 20,
    marginTop: 6,
    marginBottom: 44,
    style: { fontSize: `${TEXT}px` },
  };
}
