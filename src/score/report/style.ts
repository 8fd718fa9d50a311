/** Colours of the four cells: told apart by colour-blind readers, and by lightness in print. */
export const CELL_COLOURS = {
  both: '#0b6e4f',
  answerOnly: '#e69f00',
  evidenceOnly: '#56a3d9',
  neither: '#d3d8df',
} as const;

export const INK = '#1c2733';
export const MUTED = '#5c6b7a';
export const ACCENT = '#1f5fa8';
export const CHANCE = '#b3261e';

/** The page's style sheet. No web font, no image, no script: the page opens from a disk without a network. */
export const STYLE = `
:root { color-scheme: light; --ink: ${INK}; --muted: ${MUTED}; --accent: ${ACCENT}; --line: #dfe4ea; --soft: #f5f7fa; --chance: ${CHANCE}; --good: #0b6e4f; }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: #eef1f5; color: var(--ink); font: 15px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1120px; margin: 0 auto; padding: 0 20px 48px; }
header { background: linear-gradient(120deg, #12304f, #1f5fa8); color: #fff; margin-bottom: 24px; }
header > div { max-width: 1120px; margin: 0 auto; padding: 34px 20px 28px; }
h1 { margin: 0; font-size: 28px; line-height: 1.2; letter-spacing: -0.01em; text-wrap: balance; }
header p { margin: 8px 0 0; color: #d5e3f3; max-width: 75ch; }
nav { margin-top: 16px; display: flex; flex-wrap: wrap; gap: 6px 8px; }
nav a { color: #fff; text-decoration: none; font-size: 13px; padding: 3px 10px; border: 1px solid rgb(255 255 255 / 0.35); border-radius: 999px; }
nav a:hover { background: rgb(255 255 255 / 0.15); }
section { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 20px 24px 22px; margin: 0 0 18px; }
h2 { margin: 0 0 10px; font-size: 19px; line-height: 1.3; }
h3 { margin: 20px 0 6px; font-size: 15px; }
p { margin: 0 0 10px; max-width: 80ch; }
.note { color: var(--muted); font-size: 13.5px; }
small { color: var(--muted); font-size: 12px; white-space: nowrap; }
.scroll { overflow-x: auto; margin: 6px 0 4px; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
.table { margin: 10px 0 6px; }
.table figcaption { color: var(--muted); font-size: 13px; }
th, td { padding: 7px 12px 7px 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); font-weight: 400; }
th:last-child, td:last-child { padding-right: 2px; }
.number + :not(.number) { padding-left: 16px; }
thead th { color: var(--muted); font-size: 12.5px; font-weight: 600; vertical-align: bottom; border-bottom: 2px solid var(--line); }
tbody th { font-weight: 550; overflow-wrap: break-word; min-width: 92px; }
tbody tr:hover { background: var(--soft); }
tfoot th, tfoot td { color: var(--chance); border-bottom: 0; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
td.number { white-space: nowrap; }
td small, tfoot small { display: block; }
.yes { color: var(--good); font-weight: 600; }
.no { color: var(--chance); font-weight: 600; }
.clear { font-weight: 650; }
.dim { color: var(--muted); }
.terms { display: grid; grid-template-columns: repeat(auto-fit, minmax(230px, 1fr)); gap: 12px; margin: 4px 0 16px; padding: 0; }
.terms > div { background: var(--soft); border-radius: 10px; padding: 11px 14px; }
dt { font-weight: 650; }
dd { margin: 2px 0 0; font-size: 13.5px; color: #3a4754; }
.tiles { display: flex; flex-wrap: wrap; gap: 12px; margin: 4px 0 14px; }
.tiles > div { background: var(--soft); border-radius: 10px; padding: 10px 16px; min-width: 96px; }
.tiles b { display: block; font-size: 22px; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tiles span { color: var(--muted); font-size: 13px; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; font-size: 13px; margin: 2px 0 6px; padding: 0; list-style: none; }
.legend i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 6px; vertical-align: -1px; }
figure { margin: 8px 0; }
.chart { overflow-x: auto; }
.chart svg { display: block; width: 100%; min-width: 480px; max-width: 940px; height: auto; color: var(--ink); }
.gallery { display: grid; grid-template-columns: repeat(auto-fill, minmax(250px, 1fr)); gap: 14px; }
.gallery figure { margin: 0; background: var(--soft); border-radius: 10px; overflow: hidden; }
.gallery img { display: block; width: 100%; height: auto; background: #000; }
.gallery figcaption { padding: 8px 12px 10px; font-size: 13px; color: #3a4754; }
footer { color: var(--muted); font-size: 13px; padding: 4px 4px 0; }
@media (max-width: 640px) {
  main { padding: 0 10px 32px; }
  header > div { padding: 24px 14px 20px; }
  section { padding: 16px 14px 16px; border-radius: 10px; }
  h1 { font-size: 23px; }
  .terms { grid-template-columns: 1fr; gap: 8px; }
  th, td { padding-right: 9px; }
}
@media print {
  @page { margin: 14mm; }
  body { background: #fff; font-size: 10.5pt; }
  main, header > div { max-width: none; padding-left: 0; padding-right: 0; }
  header { background: none; color: var(--ink); border-bottom: 2px solid var(--ink); }
  header p { color: var(--muted); }
  nav { display: none; }
  section { border: 0; padding: 0; border-radius: 0; margin-bottom: 20px; }
  .scroll, .chart { overflow: visible; }
  .chart svg { min-width: 0; }
  table { font-size: 9pt; }
  tr, .chart, .gallery figure, .terms > div, .tiles > div { break-inside: avoid; }
  h2, h3, figcaption { break-after: avoid; }
  * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
`;
