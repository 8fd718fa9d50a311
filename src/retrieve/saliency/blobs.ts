/** A connected place where a map stands out. */
export interface Blob {
  /** Centre of mass, grid columns and rows. */
  readonly x: number;
  readonly y: number;
  readonly area: number;
  /** Mean absolute deviation inside, in multiples of the local spread. */
  readonly height: number;
  readonly sign: 1 | -1;
  /** Modality value (Hounsfield units for CT) at the strongest pixel. */
  readonly value: number;
  /** Median modality value on a ring around the blob: what it lies in. */
  readonly ring: number;
  /** height × √area, both capped: what a reader would call conspicuous. */
  readonly strength: number;
}

/** Bounds beyond which a blob is not more conspicuous. */
export interface StrengthCaps {
  /** Grid pixels. */
  readonly areaCap: number;
  /** Units of noise: gas and bone must not drown soft tissue. */
  readonly heightCap: number;
}

export interface BlobThresholds extends StrengthCaps {
  /** Units of noise. */
  readonly threshold: number;
  /** Grid pixels; smaller blobs are noise. */
  readonly minArea: number;
}

/** Grid pixels between a blob's edge and the ring. */
const RING_GAP = 3;

/**
 * The blobs of a signed map: connected places (4-neighbours, one sign) beyond a threshold, strongest first.
 *
 * @param values - modality values of the slice
 * @param allowed - 1 where a blob may lie
 */
export function findBlobs(
  map: Float32Array,
  values: Float32Array,
  allowed: Uint8Array,
  width: number,
  { threshold, minArea, areaCap, heightCap }: BlobThresholds,
): Blob[] {
  const seen = new Uint8Array(map.length);
  const blobs: Blob[] = [];
  const stack: number[] = [];
  for (let start = 0; start < map.length; start++) {
    if (seen[start] === 1 || allowed[start] === 0 || Math.abs(map[start]!) < threshold) continue;
    const sign = map[start]! > 0 ? 1 : -1;
    let area = 0;
    let sumX = 0;
    let sumY = 0;
    let sum = 0;
    let strongest = start;
    seen[start] = 1;
    stack.push(start);
    for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
      const x = i % width;
      area++;
      sumX += x;
      sumY += (i - x) / width;
      sum += Math.abs(map[i]!);
      if (Math.abs(map[i]!) > Math.abs(map[strongest]!)) strongest = i;
      for (const next of [x > 0 ? i - 1 : -1, x < width - 1 ? i + 1 : -1, i - width, i + width]) {
        if (next < 0 || next >= map.length || seen[next] === 1 || allowed[next] === 0) continue;
        if (map[next]! * sign < threshold) continue;
        seen[next] = 1;
        stack.push(next);
      }
    }
    if (area < minArea) continue;
    const height = sum / area;
    blobs.push({
      x: sumX / area,
      y: sumY / area,
      area,
      height,
      sign,
      value: values[strongest]!,
      ring: ringMedian(values, width, sumX / area, sumY / area, Math.sqrt(area / Math.PI) + RING_GAP),
      strength: Math.min(height, heightCap) * Math.sqrt(Math.min(area, areaCap)),
    });
  }
  return blobs.sort((a, b) => b.strength - a.strength || a.y - b.y || a.x - b.x);
}

function ringMedian(values: Float32Array, width: number, x: number, y: number, radius: number): number {
  const height = values.length / width;
  const samples: number[] = [];
  for (let k = 0; k < 16; k++) {
    const angle = (k * Math.PI) / 8;
    const column = Math.round(x + radius * Math.cos(angle));
    const row = Math.round(y + radius * Math.sin(angle));
    if (column >= 0 && column < width && row >= 0 && row < height)
      samples.push(values[row * width + column]!);
  }
  samples.sort((a, b) => a - b);
  return samples[samples.length >> 1] ?? 0;
}
