// Broken DICOM files by the thousand: bits flipped, files cut, lengths spliced, blocks swapped, zeroed or put in, from one
// file of every kind below a folder. Each must be parsed or refused with a reason: no crash, no hang over 2 s, no rise of
// memory over 200 MB; and the scanner must give the rows, or the refusal, that dicom-parser gives.
// Run: npm run build && node bench/fuzz-dicom.mjs ../shared/data/dicom [10000] [seed] [first,last of the mutations]
import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { oneOfEachKind } from './make-dicom-tree.mjs';
import { mutate, random } from './mutate.mjs';

const LARGEST_SOURCE = 4_000_000;
const LONGEST_MS = 2000;
const MOST_BYTES = 200e6;
/** A process that says nothing for this long hangs. */
const SILENCE_MS = 60_000;

const [folder, count = '10000', seed = '0', only] = process.argv.slice(2);

/** One file of each kind below the folder. */
async function kindsBelow(root) {
  const { scanHeader, walkFiles } = await import('../dist/adapters/dicom/index.js');
  const kinds = new Map();
  for (const { path: file } of await walkFiles(root)) {
    if (readFileSync(file).length > LARGEST_SOURCE) continue;
    const row = await scanHeader(file).then(
      ([first]) => first,
      (error) => ({ modality: error.code }),
    );
    const { transferSyntaxUid, modality, sopClassUid, photometricInterpretation, bitsAllocated } = row;
    const kind = [transferSyntaxUid, modality, sopClassUid, photometricInterpretation, bitsAllocated].join();
    if (!kinds.has(kind)) kinds.set(kind, file);
  }
  return [...kinds.values()];
}

/** What went wrong, and counts; the process that does it may die of it. */
function part(files, from, to) {
  return new Promise((resolve, reject) => {
    const child = fork(new URL(import.meta.url), ['--part'], { serialization: 'advanced' });
    let at = from;
    let timer = null;
    const fail = (why) => {
      clearTimeout(timer);
      child.kill('SIGKILL');
      reject(new Error(`mutation ${at} of seed ${seed}: ${why}`));
    };
    const watch = () => {
      clearTimeout(timer);
      timer = setTimeout(() => fail(`nothing for ${SILENCE_MS / 1000} s`), SILENCE_MS);
    };
    child.on('message', (message) => {
      watch();
      if (message.at !== undefined) at = message.at;
      else {
        clearTimeout(timer);
        resolve(message);
      }
    });
    child.on('error', (error) => fail(error.message));
    child.on('exit', (code, signal) => fail(`its process ended (${signal ?? code})`));
    child.send({ files, from, to, seed: Number(seed) });
    watch();
  });
}

async function main() {
  const files = await kindsBelow(folder);
  const [first, last] = only ? only.split(',').map(Number) : [0, Number(count)];
  const began = performance.now();
  const parts = only ? 1 : availableParallelism();
  const bounds = Array.from(
    { length: parts + 1 },
    (_, i) => first + Math.round(((last - first) * i) / parts),
  );
  const results = await Promise.all(bounds.slice(1).map((to, i) => part(files, bounds[i], to)));

  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  const most = (name) => results.map((result) => result[name]).reduce((a, b) => (b.value > a.value ? b : a));
  const reasons = (name) => {
    const counts = {};
    for (const result of results)
      for (const [reason, n] of Object.entries(result[name])) counts[reason] = (counts[reason] ?? 0) + n;
    return Object.entries(counts)
      .sort((a, b) => b[1] - a[1])
      .map(([reason, n]) => `${reason} ${n}`)
      .join(', ');
  };
  const seconds = Math.round((performance.now() - began) / 1000);
  console.log(
    `${last - first} mutated files from ${files.length} real kinds and ${oneOfEachKind().length} made ones, seed ${seed}, ${seconds} s`,
  );
  console.log(`headers: ${sum('parsed')} parsed, ${sum('refused')} refused (${reasons('reasons')})`);
  console.log(`  of the parsed, ${sum('byScanner')} by the scanner`);
  console.log(
    `pixels: ${sum('decoded')} decoded, ${sum('pixelsRefused')} refused (${reasons('pixelReasons')})`,
  );
  const faults = results.flatMap((result) => result.faults);
  console.log(
    `crashes ${sum('crashes')}; files of which the scanner and dicom-parser say different things ${sum('different')}`,
  );
  for (const line of faults.slice(0, 20)) console.log(`  ${line}`);
  const [slowest, buffers, resident] = ['slowest', 'buffers', 'resident'].map(most);
  console.log(
    `slowest ${Math.round(slowest.value)} ms of CPU (${slowest.name}); rise of buffers ${megabytes(buffers.value)} (${buffers.name}), ` +
      `of the process over reading the sources unbroken ${megabytes(resident.value)}`,
  );
  const bad = slowest.value > LONGEST_MS || buffers.value > MOST_BYTES || resident.value > MOST_BYTES;
  process.exitCode = faults.length > 0 || bad ? 1 : 0;
}

function megabytes(bytes) {
  return `${Math.round(bytes / 1e6)} MB`;
}

async function work({ files, from, to, seed }) {
  const { inspectDicom, readFramePixels, renderFrame, scanHeader } =
    await import('../dist/adapters/dicom/index.js');
  const { parseHeader } = await import('../dist/adapters/dicom/scan-header.js');
  const { scanFile } = await import('../dist/adapters/dicom/header/scan-file.js');
  const folder = mkdtempSync(path.join(tmpdir(), 'groundmark-fuzz-'));
  const file = path.join(folder, 'mutated.dcm');
  const counts = ['parsed', 'refused', 'byScanner', 'decoded', 'pixelsRefused', 'crashes', 'different'];
  const result = {
    ...Object.fromEntries(counts.map((name) => [name, 0])),
    reasons: {},
    pixelReasons: {},
    faults: [],
    slowest: { value: 0, name: '' },
    buffers: { value: 0, name: '' },
    resident: { value: 0, name: '' },
  };

  const attempt = async (name, run) => {
    const before = process.memoryUsage();
    const cpuBefore = process.cpuUsage();
    let outcome;
    try {
      outcome = { value: await run() };
    } catch (error) {
      const isRefusal = error?.name === 'GroundmarkError';
      if (!isRefusal) {
        result.crashes++;
        result.faults.push(`${name}: ${error?.stack?.split('\n').slice(0, 3).join(' | ') ?? error}`);
      }
      outcome = { code: isRefusal ? error.code : 'crash' };
    }
    // Of the process: on a busy machine the clock says how long others took.
    const cpu = process.cpuUsage(cpuBefore);
    const ms = (cpu.user + cpu.system) / 1000;
    const after = process.memoryUsage();
    // Not `external`: it counts the 270 MB of addresses that the codecs set aside, used or not. What they use of them is
    // in the process's resident memory.
    const rise = after.arrayBuffers - before.arrayBuffers;
    if (ms > result.slowest.value) result.slowest = { value: ms, name };
    if (rise > result.buffers.value) result.buffers = { value: rise, name };
    return outcome;
  };
  const count = (reasons, code) => {
    reasons[code] = (reasons[code] ?? 0) + 1;
  };
  const readAll = async (name, full) => {
    const scanned = await attempt(`header of ${name}`, () => scanHeader(file));
    const parsed = await attempt(`header of ${name} by dicom-parser`, () => parseHeader(file));
    if (scanned.code) {
      result.refused++;
      count(result.reasons, scanned.code);
    } else {
      result.parsed++;
      if (scanFile(file)) result.byScanner++;
    }
    if (JSON.stringify(scanned) !== JSON.stringify(parsed)) {
      result.different++;
      result.faults.push(`${name}: scanner ${scanned.code ?? 'rows'}, dicom-parser ${parsed.code ?? 'rows'}`);
    }
    const pixels = await attempt(`pixels of ${name}`, () => readFramePixels(file, 0));
    if (pixels.code) {
      result.pixelsRefused++;
      count(result.pixelReasons, pixels.code);
      return;
    }
    result.decoded++;
    await attempt(`picture of ${name}`, () => renderFrame(pixels.value, null, 'file'));
    if (full) await attempt(`inspection of ${name}`, () => inspectDicom(file, 0));
  };

  try {
    const sources = [...files.map((source) => readFileSync(source)), ...oneOfEachKind()];
    for (const [i, source] of sources.entries()) {
      writeFileSync(file, source);
      await readAll(`source ${i}`, true);
    }
    // Codecs are loaded and memory is warm; what comes now is the mutations' own.
    const warm = process.resourceUsage().maxRSS * 1024;
    for (const name of counts) result[name] = 0;
    Object.assign(result, { reasons: {}, pixelReasons: {}, faults: [] });
    result.slowest = result.buffers = { value: 0, name: '' };
    for (let n = from; n < to; n++) {
      process.send({ at: n });
      writeFileSync(file, mutate(sources[n % sources.length], random(seed * 1_000_003 + n)));
      await readAll(`mutation ${n} of source ${n % sources.length}`, n % 10 === 0);
    }
    result.resident = { value: process.resourceUsage().maxRSS * 1024 - warm, name: '' };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.send(result, () => process.disconnect());
}

if (folder === '--part') process.once('message', (message) => void work(message));
else await main();
