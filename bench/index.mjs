// The index at scale, warm cache: ours (two workers, rows in the database) beside python3-gdcm's Scanner and pydicom over the
// same generated files in the same run. Medians; the ratios are the point.
// Run: npm run build && node bench/index.mjs [--files 20000] [--runs 3] [--scale] [--no-peers]
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
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

/** One index in a process of its own, so that its peak memory is its own. Prints one JSON line. */
async function indexOnce(root, database) {
  const { inProcessQueue } = await import('../dist/adapters/queue/index.js');
  const { fileStore } = await import('../dist/adapters/store/index.js');
  const { runIndex, writeIndex } = await import('../dist/extract/index-studies/index.js');
  const queue = inProcessQueue(2);
  const quiet = { start: () => ({ tick: () => undefined, done: () => undefined }) };
  const store = fileStore();
  const deps = {
    queue,
    store,
    clock: () => new Date(),
    progress: quiet,
    signal: new AbortController().signal,
  };
  const began = process.hrtime.bigint();
  const { rows, summary } = await runIndex({ sources: [{ caseId: null, root, shownRoot: root }] }, deps);
  const indexed = process.hrtime.bigint();
  await writeIndex({ rows, skipped: summary.skipped, rowsFile: null, databaseFile: database }, deps);
  const ended = process.hrtime.bigint();
  await queue.close();
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024;
  console.log(
    JSON.stringify({
      seconds: Number(ended - began) / 1e9,
      indexSeconds: Number(indexed - began) / 1e9,
      rows: rows.length,
      files: summary.files,
      peakMb: Math.round(peak),
    }),
  );
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
began = time.perf_counter(); scanner.Scan(files); print((time.perf_counter() - began) / len(files))
`;
const PYDICOM = `
import os, sys, time, pydicom
files = sorted(os.path.join(d, f) for d, _, names in os.walk(sys.argv[1]) for f in names)[::max(1, int(sys.argv[3]))]
tags = [int(t.replace(',', ''), 16) for t in sys.argv[2].split()]
began = time.perf_counter()
for file in files:
    try: pydicom.dcmread(file, specific_tags=tags, stop_before_pixels=True)
    except Exception: pass
print((time.perf_counter() - began) / len(files))
`;

/** Seconds a file of a Python reader; null when it is not installed. */
function python(code, root, step = 1) {
  const run = spawnSync('/usr/bin/python3', ['-c', code, root, TAGS.join(' '), String(step)], {
    encoding: 'utf8',
  });
  if (run.status === 0) return Number(run.stdout.trim());
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
    const times = { ours: [], indexOnly: [], gdcm: [], pydicom: [] };
    let peakMb = 0;
    for (let run = 0; run < runs; run++) {
      const own = ours(root, folder);
      times.ours.push(own.seconds / files);
      times.indexOnly.push(own.indexSeconds / files);
      peakMb = Math.max(peakMb, own.peakMb);
      if (values['no-peers']) continue;
      const [gdcm, pydicom] = [python(GDCM, root), python(PYDICOM, root, Math.ceil(files / 2000))];
      if (gdcm !== null) times.gdcm.push(gdcm);
      if (pydicom !== null) times.pydicom.push(pydicom);
    }
    const perSecond = (list) => Math.round(1 / median(list));
    console.log(
      `ours, rows in the database: ${perSecond(times.ours)} files/s (without it ${perSecond(times.indexOnly)}), peak ${peakMb} MB`,
    );
    for (const name of ['gdcm', 'pydicom']) {
      if (times[name].length === 0) continue;
      const ratio = median(times[name]) / median(times.ours);
      console.log(`${name}: ${perSecond(times[name])} files/s; ours is ${ratio.toFixed(1)} times as fast`);
    }
    console.log(`(medians of ${runs})`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function scale(sizes) {
  const folder = mkdtempSync(path.join(tmpdir(), 'groundmark-bench-'));
  try {
    for (const files of sizes) {
      const root = path.join(folder, `tree-${files}`);
      makeDicomTree(root, files);
      ours(root, folder);
      const runs = [ours(root, folder), ours(root, folder), ours(root, folder)];
      const seconds = median(runs.map((run) => run.seconds));
      console.log(
        `${files} files: ${seconds.toFixed(2)} s, ${Math.round(files / seconds)} files/s, ${runs[0].rows} rows, ` +
          `peak ${Math.max(...runs.map((run) => run.peakMb))} MB`,
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

if (values.child !== undefined) await indexOnce(values.child, values.database);
else if (values.scale) await scale([1000, 4000, 16_000, 64_000, 134_828]);
else await compare(Number(values.files), Number(values.runs));
