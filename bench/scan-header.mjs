// What reading a header costs, beside opening, reading 8 KB and closing the same files: medians over generated files of
// mixed kinds, in one process, warm cache.
// Run: npm run build && node bench/scan-header.mjs [2000] [runs]
import { closeSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeDicomTree } from './make-dicom-tree.mjs';

const [count = '2000', runs = '7'] = process.argv.slice(2);
const { walkFiles } = await import('../dist/adapters/dicom/index.js');
const { parseHeader, scanHeader } = await import('../dist/adapters/dicom/scan-header.js');
const { scanFile } = await import('../dist/adapters/dicom/header/scan-file.js');

const buffer = Buffer.allocUnsafe(8192);
const WAYS = {
  'open, read 8 KB, close': (file) => {
    const fd = openSync(file, 'r');
    readSync(fd, buffer, 0, buffer.length, 0);
    closeSync(fd);
  },
  'scanFile (values)': (file) => scanFile(file),
  'scanHeader (rows)': (file) => scanHeader(file).catch(() => null),
  'parseHeader (dicom-parser)': (file) => parseHeader(file).catch(() => null),
};

const root = mkdtempSync(path.join(tmpdir(), 'groundmark-bench-'));
try {
  makeDicomTree(root, Number(count));
  const files = (await walkFiles(root)).map((found) => found.path);
  const times = new Map(Object.keys(WAYS).map((name) => [name, []]));
  for (let run = -1; run < Number(runs); run++) {
    for (const [name, read] of Object.entries(WAYS)) {
      const began = performance.now();
      for (const file of files) await read(file);
      // The first run warms up.
      if (run >= 0) times.get(name).push((performance.now() - began) / files.length);
    }
  }
  const floor = median(times.values().next().value);
  console.log(`${files.length} files, medians of ${runs} runs`);
  for (const [name, list] of times) {
    const each = median(list) * 1000;
    const [micros, rate] = [
      each.toFixed(1).padStart(7),
      Math.round(1e6 / each)
        .toString()
        .padStart(7),
    ];
    console.log(`${name.padEnd(28)} ${micros} µs ${rate} files/s  ${(each / floor / 1000).toFixed(2)} ×`);
  }
} finally {
  rmSync(root, { recursive: true });
}

function median(list) {
  return [...list].sort((a, b) => a - b)[list.length >> 1];
}
