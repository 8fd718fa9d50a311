// Broken DICOM files by the thousand: bits flipped, files cut, lengths spliced, blocks swapped, zeroed or put in, from one
// file of every kind below a folder. Each must be parsed or refused with a reason: no crash, no hang over 2 s, no rise of
// memory over 200 MB; and the scanner must say what dicom-parser says.
// Run: npm run build && node bench/fuzz-dicom.mjs ../shared/data/dicom [10000] [seed]
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { oneOfEachKind } from './make-dicom-tree.mjs';
import { mutate, random } from './mutate.mjs';

const [folder, count = '10000', seed = '0'] = process.argv.slice(2);

if (isMainThread) await main();
else await work(workerData);

async function main() {
  const { scanHeader, walkFiles } = await import('../dist/adapters/dicom/index.js');
  const kinds = new Map();
  for (const { path: file } of await walkFiles(folder)) {
    const bytes = readFileSync(file);
    if (bytes.length > 4_000_000) continue;
    const row = await scanHeader(file).then(
      ([first]) => first,
      (error) => ({ modality: error.code }),
    );
    const kind = [
      row.transferSyntaxUid,
      row.modality,
      row.sopClassUid,
      row.photometricInterpretation,
      row.bitsAllocated,
    ].join();
    if (!kinds.has(kind)) kinds.set(kind, file);
  }
  const files = [...kinds.values()];
  const started = Date.now();
  const half = Math.ceil(Number(count) / 2);
  const results = await Promise.all(
    [0, 1].map(
      (part) =>
        new Promise((resolve, reject) => {
          const data = {
            files,
            from: part * half,
            to: Math.min(Number(count), (part + 1) * half),
            seed: Number(seed),
          };
          const worker = new Worker(new URL(import.meta.url), {
            workerData: data,
            argv: process.argv.slice(2),
          });
          worker.on('message', resolve);
          worker.on('error', reject);
          worker.on('exit', (code) => reject(new Error(`a worker ended with code ${code}`)));
        }),
    ),
  );
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  const reasons = {};
  for (const result of results)
    for (const [reason, n] of Object.entries(result.reasons)) reasons[reason] = (reasons[reason] ?? 0) + n;
  console.log(
    `${count} mutated files from ${files.length} kinds and ${oneOfEachKind().length} made ones, seed ${seed}, ${Math.round((Date.now() - started) / 1000)} s`,
  );
  console.log(
    `header parsed ${sum('parsed')}, refused ${sum('refused')}; pixels decoded ${sum('decoded')}, refused ${sum('pixelsRefused')}`,
  );
  console.log(`reasons: ${JSON.stringify(reasons)}`);
  const crashes = results.flatMap((result) => result.crashes);
  const different = results.flatMap((result) => result.different);
  console.log(
    `crashes ${crashes.length}; scanner and dicom-parser contradict each other ${different.length}; damage in a skipped sequence stepped over ${sum('steppedOver')}`,
  );
  for (const line of [...crashes, ...different].slice(0, 20)) console.log(`  ${line}`);
  const slowest = Math.max(...results.map((result) => result.slowest));
  const rise = Math.max(...results.map((result) => result.rise));
  console.log(`slowest ${Math.round(slowest)} ms; greatest rise of buffers ${Math.round(rise / 1e6)} MB`);
  process.exit(crashes.length + different.length > 0 || slowest > 2000 || rise > 200e6 ? 1 : 0);
}

async function work({ files, from, to, seed }) {
  const { inspectDicom, readFramePixels, renderFrame, scanHeader } =
    await import('../dist/adapters/dicom/index.js');
  const { parseHeader } = await import('../dist/adapters/dicom/scan-header.js');
  const folder = mkdtempSync(path.join(tmpdir(), 'groundmark-fuzz-'));
  const sources = [...files.map((file) => readFileSync(file)), ...oneOfEachKind()];
  const result = {
    parsed: 0,
    refused: 0,
    decoded: 0,
    pixelsRefused: 0,
    reasons: {},
    crashes: [],
    different: [],
    slowest: 0,
    rise: 0,
    steppedOver: 0,
  };
  const file = path.join(folder, 'mutated.dcm');
  const attempt = async (what, run) => {
    const before = process.memoryUsage();
    const began = performance.now();
    let outcome;
    try {
      outcome = { value: await run() };
    } catch (error) {
      if (error?.name === 'GroundmarkError') outcome = { code: error.code };
      else {
        result.crashes.push(`${what.name}: ${error?.stack?.split('\n').slice(0, 3).join(' | ') ?? error}`);
        outcome = { code: 'crash' };
      }
    }
    const after = process.memoryUsage();
    const ms = performance.now() - began;
    if (ms > result.slowest) result.slowest = ms;
    result.rise = Math.max(result.rise, after.arrayBuffers - before.arrayBuffers);
    return outcome;
  };
  try {
    for (let n = from; n < to; n++) {
      const next = random(seed * 1_000_003 + n);
      const source = sources[n % sources.length];
      writeFileSync(file, mutate(source, next));
      const name = `mutation ${n} of source ${n % sources.length}`;
      const scanned = await attempt({ name }, () => scanHeader(file));
      const parsed = await attempt({ name }, () => parseHeader(file));
      if (scanned.code) {
        result.refused++;
        result.reasons[scanned.code] = (result.reasons[scanned.code] ?? 0) + 1;
      } else result.parsed++;
      // dicom-parser goes into sequences that a row takes nothing from, and stumbles over damage there: the scanner steps over it.
      if (JSON.stringify(scanned) !== JSON.stringify(parsed)) {
        if (parsed.code) result.steppedOver++;
        else result.different.push(`${name}: ${scanned.code ?? 'rows'} and other rows`);
      }
      const pixels = await attempt({ name: `pixels of ${name}` }, () => readFramePixels(file, 0));
      if (pixels.code) {
        result.pixelsRefused++;
        continue;
      }
      result.decoded++;
      await attempt({ name: `render of ${name}` }, () => renderFrame(pixels.value, null, 'file'));
      if (n % 10 === 0) await attempt({ name: `inspect of ${name}` }, () => inspectDicom(file, 0));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  parentPort.postMessage(result);
}
