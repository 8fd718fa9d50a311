// The picture of README.md, from a demo's own files: one item with a reply that passes, and the scores of its baselines.
// Wants Chromium. Run: npx groundmark demo --out /tmp/demo && node scripts/readme-picture.mjs /tmp/demo
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const [demo] = process.argv.slice(2);
if (demo === undefined) throw new Error('name the folder of a demo');
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const lines = (file) =>
  readFileSync(path.join(demo, file), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const items = lines('release/public/items.jsonl');
const keys = new Map(lines('mcq/key.jsonl').map((entry) => [entry.id, entry]));
// The first chest item with twelve images and two or more that show the finding, which is easy to see.
const item = items.find(({ id, images }) => {
  const { strata, images: known } = keys.get(id);
  const shown = known.filter(({ role }) => role === 'reference').length;
  return images.length === 12 && strata.concept === 'effusion' && shown >= 2;
});
if (!item) throw new Error('this demo has no such item');
const key = keys.get(item.id);
const evidence = key.images
  .filter(({ role }) => role === 'reference')
  .slice(0, 2)
  .map(({ id }) => id);
const reply = JSON.stringify({ answer: key.answer, evidence }, null, 1).replaceAll(/\n\s*/g, ' ');

const { models, chance } = JSON.parse(readFileSync(path.join(demo, 'runs', 'scores.json'), 'utf8'));
const order = ['random', 'longest', 'most-similar', 'most-central', 'majority-letter', 'oracle'];
const rows = order.map((name) => models.find(({ model }) => model === `baseline/${name}`));
const percent = (rate) => (rate * 100).toFixed(1);
const cell = ({ rate, ci95: [low, high] }) =>
  `<td>${percent(rate)}<small>${percent(low)}–${percent(high)}</small></td>`;
const [left, width] = [112, 390];
const x = (rate) => left + rate * width;
const chart = rows
  .map(({ model, joint: { rate, ci95 } }, i) => {
    const y = 14 + i * 22;
    return (
      `<text x="${left - 12}" y="${y + 4}" text-anchor="end">${model.slice(9)}</text>` +
      `<line x1="${x(ci95[0])}" x2="${x(ci95[1])}" y1="${y}" y2="${y}" stroke="#9fbfe0" stroke-width="4" stroke-linecap="round"/>` +
      `<circle cx="${x(rate)}" cy="${y}" r="5" fill="#1d5fb4"/>`
    );
  })
  .join('');
// Chance of the evidence depends on how many images are named: the best of one, two and three.
const most = Math.max(...Object.values(chance.evidence));
const [plain, joint] = [chance.answer, chance.joint].map((value) =>
  typeof value === 'number' ? value : Math.max(...Object.values(value)),
);

const html = `<!doctype html><meta charset="utf-8"><style>
body{margin:0;width:1280px;height:700px;background:#e7edf5;font:15px "DejaVu Sans",sans-serif;color:#16202c}
section{position:absolute;top:22px;height:654px;background:#fff;border:1px solid #d5dde8;border-radius:12px;box-sizing:border-box;padding:22px}
h2{margin:0 0 12px;font-size:13px;color:#5a6b7d}h1{font-size:19px;margin:0 0 14px}
.images{display:grid;grid-template-columns:repeat(4,1fr);gap:6px}
figure{margin:0;position:relative;height:105px;background:#000;border-radius:5px;overflow:hidden;border:3px solid #000;box-sizing:border-box}
figure.named{border-color:#e8a317}img{width:100%;height:100%;object-fit:cover}
figcaption{position:absolute;top:2px;left:5px;color:#fff;font:12px "DejaVu Sans Mono",monospace;text-shadow:0 0 3px #000}
.choices{display:grid;grid-template-columns:1fr 1fr;gap:6px;margin:12px 0}
.choices div{border:1px solid #d5dde8;border-radius:6px;padding:7px 10px}.choices b{color:#1d5fb4;margin-right:10px}
.choices .named{border-color:#1d5fb4;background:#eef4fc;font-weight:bold}
pre{margin:0 0 12px;background:#12304f;color:#fff;border-radius:6px;padding:10px 14px;font:14px "DejaVu Sans Mono",monospace}
.passed{display:grid;grid-template-columns:repeat(3,1fr);gap:10px;text-align:center}
.passed b{background:#e3f2ea;color:#0b6b43;border-radius:6px;padding:8px}
table{width:100%;border-collapse:collapse}td,th{text-align:right;padding:7px 0;border-top:1px solid #e3e8ef}
th{font-weight:600;color:#5a6b7d;border:0;font-size:13px}td:first-child{text-align:left;font-weight:bold}
small{display:block;color:#7b8998;font-size:11px}.chance td{color:#b3261e}svg text{font-size:12.5px;fill:#16202c}
</style>
<section style="left:22px;width:646px"><h2>ONE ITEM OF THE DEMO, AND A REPLY</h2><h1>${item.question}</h1>
<div class="images">${item.images
  .map(
    ({ id, file }) =>
      `<figure class="${evidence.includes(id) ? 'named' : ''}"><img src="${pathToFileURL(path.resolve(demo, 'release/public', file)).href}"><figcaption>${id}</figcaption></figure>`,
  )
  .join('')}</div>
<div class="choices">${item.choices
  .map(
    ({ letter, text }) =>
      `<div class="${letter === key.answer ? 'named' : ''}"><b>${letter}</b>${text}</div>`,
  )
  .join('')}</div>
<pre>${reply}</pre><div class="passed"><b>✓ answer</b><b>✓ evidence</b><b>✓ joint</b></div></section>
<section style="left:690px;width:568px"><h2>THE DEMO'S BASELINES: ${items.length} ITEMS, % PASSED, 95 % INTERVAL</h2>
<table><tr><th></th><th>answer</th><th>evidence</th><th>joint</th></tr>
${rows.map((row) => `<tr><td>${row.model.slice(9)}</td>${cell(row.answer)}${cell(row.evidence)}${cell(row.joint)}</tr>`).join('')}
<tr class="chance"><td>chance</td><td>${percent(plain)}</td><td>${percent(most)}</td><td>${percent(joint)}</td></tr></table>
<p style="margin:18px 0 6px;font-size:13px;font-weight:600">joint: answer and evidence together</p>
<svg width="530" height="160">${chart}<line x1="${x(joint)}" x2="${x(joint)}" y1="2" y2="136" stroke="#b3261e" stroke-width="2" stroke-dasharray="5 4"/>
${[0, 20, 40, 60, 80, 100].map((tick) => `<text x="${x(tick / 100)}" y="154" text-anchor="middle">${tick}${tick === 100 ? ' %' : ''}</text>`).join('')}</svg></section>`;

const folder = mkdtempSync(path.join(tmpdir(), 'groundmark-picture-'));
try {
  const page = path.join(folder, 'page.html');
  writeFileSync(page, html);
  const out = path.join(root, 'docs', 'images', 'report.png');
  const args = ['--headless', '--no-sandbox', '--hide-scrollbars', '--allow-file-access-from-files'];
  const run = spawnSync('chromium', [
    ...args,
    '--window-size=1280,700',
    `--screenshot=${out}`,
    pathToFileURL(page).href,
  ]);
  if (run.status !== 0) throw new Error(String(run.stderr));
  console.log(out);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
