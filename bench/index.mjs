// The index at scale, warm cache: ours (two workers, rows in the database) beside python3-gdcm's Scanner and pydicom over the
// same generated files in the same run. Medians; the ratios are the point. Ours is timed from the call to the closed
// database, in a new process (starting threads and compiling are in it) and again in the same one. CPU time a file is
// printed too: on a busy machine it says more than files/s.
// Run: npm run build && node bench/index.mjs [--files 20000] [--runs 3] [--scale] [--no-peers]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { makeDicomTree } from './make-dicom-tree.mjs';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '20000' },
    runs: { type: 'string', default: '3' },
    scale: { type: 'boolean', default: false },
    'no-peers': { type: 'boolean', default: false },
    child: { type: 'string' },
    database: { type: 'string' },
  },
});

/**
 * Indexes in a process of its own, so that its peak memory is its own: once as whoever calls the command has it, and again,
 * when the threads run and their code is compiled. Prints one JSON line.
 */
async function indexTwice(root, database) {
  const { inProcessQueue } = await import('../dist/adapters/queue/index.js');
  const { fileStore } = await import('../dist/adapters/store/index.js');
  const { runIndex, writeIndex } = await import('../dist/extract/index-studies/index.js');
  const queue = inProcessQueue(2);
  const deps = {
    queue,
    store: fileStore(),
    clock: () => new Date(),
    progress: { start: () => ({ tick: () => undefined, done: () => undefined }) },
    signal: new AbortController().signal,
  };
  const once = async () => {
    const cpuBefore = process.cpuUsage();
    const began = performance.now();
    const { rows, summary } = await runIndex({ sources: [{ caseId: null, root, shownRoot: root }] }, deps);
    const indexed = performance.now();
    await writeIndex({ rows, skipped: summary.skipped, rowsFile: null, databaseFile: database }, deps);
    const cpu = process.cpuUsage(cpuBefore);
    return {
      seconds: (performance.now() - began) / 1e3,
      cpuSeconds: (cpu.user + cpu.system) / 1e6,
      indexSeconds: (indexed - began) / 1e3,
      rows: rows.length,
    };
  };
  const first = await once();
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
  const again = await once();
  await queue.close();
  console.log(JSON.stringify({ first: { ...first, peakMb: Math.round(peak) }, again }));
}

function ours(root, folder) {
  const run = spawnSync(
    process.execPath,
    [fileURLToPath(import.meta.url), '--child', root, '--database', path.join(folder, 'index.duckdb')],
    { encoding: 'utf8' },
  );
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}

const TAGS =
  `0008,0005 0008,0008 0008,0016 0008,0018 0008,0060 0008,103e 0018,0015 0018,0022 0018,0024 0018,0050 0018,0081
 0018,0082 0018,0086 0018,0088 0018,1030 0018,1060 0018,1120 0018,1210 0020,000d 0020,000e 0020,0011 0020,0012 0020,0013
 0020,0032 0020,0037 0020,0052 0020,0100 0020,1041 0028,0002 0028,0004 0028,0008 0028,0010 0028,0011 0028,0030 0028,0100
 0028,0101 0028,0103 0028,1050 0028,1051 0028,1052 0028,1053`.split(/\s+/);

const GDCM = `
import gdcm, os, sys, time
files = [os.path.join(d, f) for d, _, names in os.walk(sys.argv[1]) for f in names]
scanner = gdcm.Scanner()
for tag in sys.argv[2].split():
    group, element = tag.split(','); scanner.AddTag(gdcm.Tag(int(group, 16), int(element, 16)))
began = time.perf_counter(); cpu = time.process_time(); scanner.Scan(files)
print((time.perf_counter() - began) / len(files), (time.process_time() - cpu) / len(files))
`;
const PYDICOM = `
import os, sys, time, pydicom
files = sorted(os.path.join(d, f) for d, _, names in os.walk(sys.argv[1]) for f in names)[::max(1, int(sys.argv[3]))]
tags = [int(t.replace(',', ''), 16) for t in sys.argv[2].split()]
began = time.perf_counter(); cpu = time.process_time()
for file in files:
    try: pydicom.dcmread(file, specific_tags=tags, stop_before_pixels=True)
    except Exception: pass
print((time.perf_counter() - began) / len(files), (time.process_time() - cpu) / len(files))
`;

/** What no reader can pass here: every file opened, 8 KiB read, closed, by one thread. Design notes: 223,000 files/s. */
const CEILING = `
const { readdirSync, openSync, readSync, closeSync } = require('node:fs');
const files = readdirSync(process.argv[1], { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile()).map((entry) => entry.path + '/' + entry.name);
const head = Buffer.alloc(8192);
const once = () => {
  const began = performance.now();
  for (const file of files) { const fd = openSync(file); readSync(fd, head, 0, 8192, 0); closeSync(fd); }
  return (performance.now() - began) / 1e3 / files.length;
};
once();
console.log(once());
`;

/** Seconds a file. */
function ceiling(root) {
  return Number(spawnSync(process.execPath, ['-e', CEILING, root], { encoding: 'utf8' }).stdout);
}

/** Seconds and CPU seconds a file of a Python reader; null when it is not installed. */
function python(code, root, step = 1) {
  const run = spawnSync('/usr/bin/python3', ['-c', code, root, TAGS.join(' '), String(step)], {
    encoding: 'utf8',
  });
  if (run.status === 0) {
    const [seconds, cpuSeconds] = run.stdout.trim().split(' ').map(Number);
    return { seconds, cpuSeconds };
  }
  console.log(`  not run: ${run.stderr.trim().split('\n').at(-1)}`);
  return null;
}

async function compare(files, runs) {
  const folder = mkdtempSync(path.join(tmpdir(), 'groundmark-bench-'));
  try {
    const root = path.join(folder, 'tree');
    const tree = makeDicomTree(root, files);
    console.log(
      `${tree.files} files, ${(tree.bytes / 2 ** 20).toFixed(0)} MiB; by kind ${tree.kinds.join(' ')}`,
    );
    ours(root, folder); // warms the cache
    const own = { first: [], again: [] };
    const ceilings = [];
    const peers = { gdcm: [], pydicom: [] };
    for (let run = 0; run < runs; run++) {
      const { first, again } = ours(root, folder);
      own.first.push(first);
      own.again.push(again);
      ceilings.push(ceiling(root));
      if (values['no-peers']) continue;
      for (const [name, found] of [
        ['gdcm', python(GDCM, root)],
        ['pydicom', python(PYDICOM, root, Math.ceil(files / 2000))],
      ]) {
        if (found !== null) peers[name].push(found);
      }
    }
    const figures = (name, list, more) => {
      const [seconds, cpu] = ['seconds', 'cpuSeconds'].map((field) => median(list.map((one) => one[field])));
      console.log(
        `${name}: ${perSecond(seconds)} files/s, ${(cpu * 1e6).toFixed(0)} µs of CPU a file${more}`,
      );
      return seconds;
    };
    const perFile = (list) =>
      list.map((one) => ({ seconds: one.seconds / files, cpuSeconds: one.cpuSeconds / files }));
    const without = perSecond(median(own.first.map((one) => one.indexSeconds / files)));
    const peak = Math.max(...own.first.map((one) => one.peakMb));
    const first = figures(
      'ours, rows in the database, new process',
      perFile(own.first),
      ` (without the database ${without} files/s), peak ${peak} MB, ${own.first[0].rows} rows`,
    );
    const again = figures('ours, rows in the database, process that has run once', perFile(own.again), '');
    for (const [name, list] of Object.entries(peers)) {
      if (list.length === 0) continue;
      const seconds = figures(name, list, '');
      console.log(
        `  ours is ${(seconds / first).toFixed(1)} and ${(seconds / again).toFixed(1)} times as fast`,
      );
    }
    const most = median(ceilings);
    console.log(
      `ceiling (open, read 8 KiB, close, one thread): ${perSecond(most)} files/s; ours is at ` +
        `${((most / first) * 100).toFixed(0)} % of it, and ${((most / again) * 100).toFixed(0)} % in a process that has run once`,
    );
    console.log(`(medians of ${runs}; ${cpus().length} cores, load average ${loadavg()[0].toFixed(1)})`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function perSecond(secondsPerFile) {
  return Math.round(1 / secondsPerFile);
}

async function scale(sizes) {
  const folder = mkdtempSync(path.join(tmpdir(), 'groundmark-bench-'));
  try {
    for (const files of sizes) {
      const root = path.join(folder, `tree-${files}`);
      makeDicomTree(root, files);
      ours(root, folder);
      const runs = [1, 2, 3].map(() => ours(root, folder).first);
      const seconds = median(runs.map((run) => run.seconds));
      const cpu = median(runs.map((run) => run.cpuSeconds)) / files;
      console.log(
        `${files} files: ${seconds.toFixed(2)} s, ${perSecond(seconds / files)} files/s, ${runs[0].rows} rows, ` +
          `${(cpu * 1e6).toFixed(0)} µs of CPU a file, peak ${Math.max(...runs.map((run) => run.peakMb))} MB ` +
          `(load average ${loadavg()[0].toFixed(1)})`,
      );
      rmSync(root, { recursive: true, force: true });
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function median(list) {
  return [...list].sort((a, b) => a - b)[list.length >> 1];
}

if (values.child !== undefined) await indexTwice(values.child, values.database);
else if (values.scale) await scale([1000, 4000, 16_000, 64_000, 134_828]);
else await compare(Number(values.files), Number(values.runs));
