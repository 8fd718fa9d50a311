// `groundmark run` on 513 items × 10 images against the stand-in with 200 ms latency, 32 calls at a time: wall time against
// the ideal, ceil(513 / 32) × 200 ms, and peak memory (VmHWM) of the run. The stand-in is a process of its own, and shares
// the machine's cores with the run. Images are of 16 kB, as the demo's phantoms are; with those of real slices (--kilobytes
// 130) the two processes together want more of two cores than 1.2 times the ideal holds.
// Run: npm run build && node bench/run-model.mjs [--items 513] [--kilobytes 16] [--provider openai|anthropic|gemini]
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startFakeProvider } from '../dist/fake-provider/index.js';
import { makeBundle } from './make-bundle.mjs';

const { values } = parseArgs({
  options: {
    items: { type: 'string', default: '513' },
    images: { type: 'string', default: '10' },
    kilobytes: { type: 'string', default: '16' },
    lanes: { type: 'string', default: '32' },
    latency: { type: 'string', default: '200' },
    provider: { type: 'string', default: 'openai' },
    serve: { type: 'boolean', default: false },
  },
});
const [items, images, lanes, latencyMs] = [values.items, values.images, values.lanes, values.latency].map(
  Number,
);

/** The stand-in, in a process that this file was forked into: tells its addresses, and what it saw and used when asked. */
async function serve() {
  const fake = await startFakeProvider({ latencyMs, imageCheck: 'header' });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const times = fake.calls().map(({ startMs, endMs, end }) => ({ startMs, endMs, end }));
    process.send({ calls: times, cpuSeconds: (user + system) / 1e6 });
  });
  process.on('disconnect', () => process.exit());
  process.send(fake.urls);
}

/** The next message of a forked process. */
const told = (child) => new Promise((resolve) => child.once('message', resolve));

const MODELS = {
  openai: 'openai/gpt-5-mini',
  anthropic: 'anthropic/claude-sonnet-4-6',
  gemini: 'gemini/gemini-2.5-flash',
};
const model = MODELS[values.provider];

/** Seconds that all cores were idle since the machine started. */
function idleCpu() {
  return cpus().reduce((sum, { times }) => sum + times.idle / 1000, 0);
}

async function bench() {
  const folder = mkdtempSync(path.join(tmpdir(), 'gm-bench-run-'));
  const fake = fork(fileURLToPath(import.meta.url), [...process.argv.slice(2), '--serve']);
  try {
    const urls = await told(fake);
    const side = Math.round(Math.sqrt(Number(values.kilobytes) * 1000));
    const bytes = makeBundle(folder, { items, images, side: (i) => side + (i % 5) });
    console.log(
      `${items} items × ${images} images, ${(bytes / 1e6).toFixed(0)} MB of PNG; ${model}, ${lanes} at a time`,
    );
    const idle = idleCpu();
    const began = performance.now();
    const child = spawn(
    process.execPath,
    [path.resolve('bin/groundmark.js'), 'run', folder, '--model', model, '--concurrency', String(lanes), '--budget', 'none',
      '--out', path.join(folder, 'runs'), '-w', folder, '--json'],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        OPENAI_BASE_URL: urls.openai, OPENAI_API_KEY: 'stand-in',
        ANTHROPIC_BASE_URL: urls.anthropic, ANTHROPIC_API_KEY: 'stand-in',
        GOOGLE_GEMINI_BASE_URL: urls.gemini, GEMINI_API_KEY: 'stand-in',
      },
    },
  ); // prettier-ignore
    let peak = 0;
    let ticks = 0;
    const watch = setInterval(() => {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        peak = Math.max(peak, Number(/VmHWM:\s+(\d+) kB/u.exec(status)?.[1] ?? 0));
        const [, , ...stat] = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
          .replace(/\(.*\)/u, '()')
          .split(' ');
        ticks = Number(stat[11]) + Number(stat[12]);
      } catch {
        // It has ended.
      }
    }, 20);
    let out = '';
    child.stdout.on('data', (chunk) => (out += chunk));
    const code = await new Promise((resolve) => child.on('close', resolve));
    const whole = (performance.now() - began) / 1000;
    clearInterval(watch);
    fake.send('calls');
    const { calls, cpuSeconds } = await told(fake);
    const run =
      (Math.max(...calls.map(({ endMs }) => endMs)) - Math.min(...calls.map(({ startMs }) => startMs))) /
      1000;
    const ideal = (Math.ceil(items / lanes) * latencyMs) / 1000;
    const summary = JSON.parse(out).runs[0];
    const lines = readFileSync(summary.responsesFile, 'utf8').trim().split('\n').length;
    console.log(`exit ${code}; ${lines} replies, outcomes ${JSON.stringify(summary.outcomes)}`);
    console.log(`ideal ${ideal.toFixed(2)} s`);
    console.log(
      `first call to last reply ${run.toFixed(2)} s: ${(run / ideal).toFixed(2)} × ideal (at most 1.20)`,
    );
    console.log(`whole process, start included ${whole.toFixed(2)} s: ${(whole / ideal).toFixed(2)} × ideal`);
    const others = 1 - (ticks / 100 + cpuSeconds + idleCpu() - idle) / (whole * availableParallelism());
    console.log(
      `CPU: run ${(ticks / 100).toFixed(1)} s, stand-in ${cpuSeconds.toFixed(1)} s; ` +
        `other programs had ${Math.max(0, 100 * others).toFixed(0)} % of the machine meanwhile`,
    );
    console.log(`peak memory ${(peak / 1024).toFixed(0)} MB (at most 600)`);
  } finally {
    fake.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}

await (values.serve ? serve() : bench());
