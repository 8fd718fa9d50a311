// A bundle of made-up items for benches: every image a grey PNG of its own, of noise, so that its size is what it says.
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

const LETTERS = ['A', 'B', 'C', 'D', 'E'];

/** xorshift32: fast, and the same bytes every time. */
function noise(length, seed) {
  const bytes = Buffer.allocUnsafe(length);
  let x = (seed * 2654435761) >>> 0 || 1;
  for (let i = 0; i + 4 <= length; i += 4) {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    bytes.writeInt32LE(x | 0, i);
  }
  return bytes;
}

function png(width, height, seed) {
  const rows = noise((width + 1) * height, seed);
  for (let y = 0; y < height; y++) rows[y * (width + 1)] = 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const chunk = (type, data) => {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    check.writeUInt32BE(crc32(named));
    return Buffer.concat([length, named, check]);
  };
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 0 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Writes items.jsonl and images below a folder; image i has side 320 + (i mod 5) × 20: 103 to 160 kB. @returns bytes of all images */
export function makeBundle(folder, { items, images, side = (i) => 320 + (i % 5) * 20 }) {
  let total = 0;
  let n = 0;
  const lines = [];
  for (let i = 1; i <= items; i++) {
    const id = `item-${String(i).padStart(4, '0')}`;
    mkdirSync(path.join(folder, 'images', id), { recursive: true });
    const shown = [];
    for (let k = 1; k <= images; k++) {
      const width = side(n);
      const bytes = png(width, width, ++n);
      total += bytes.length;
      const image = `img${String(k).padStart(2, '0')}`;
      const file = `images/${id}/${image}.png`;
      writeFileSync(path.join(folder, file), bytes);
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      shown.push({ id: image, file, sha256, width, height: width });
    }
    lines.push(
      JSON.stringify({
        schemaVersion: 1,
        id,
        question: `Where does the finding lie? (${id})`,
        choices: LETTERS.map((letter, j) => ({ letter, text: `place ${j + 1} of ${id}` })),
        images: shown,
        split: 'test',
      }),
    );
  }
  writeFileSync(path.join(folder, 'items.jsonl'), `${lines.join('\n')}\n`);
  return total;
}
