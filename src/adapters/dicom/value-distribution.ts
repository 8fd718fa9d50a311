import { modalityValue, type ModalityTransform } from './modality-transform.js';
import type { Padding } from './padding.js';
import type { Samples } from './samples.js';
import type { Window } from './voi.js';

/** What counting a frame's values needs to know of it. */
export interface ValueFrame {
  readonly samples: Samples;
  readonly modality: ModalityTransform;
  readonly padding: Padding | null;
}

/** How often each value occurs in one or several frames. Padding and what is no finite number is left out. */
export interface ValueDistribution {
  /** Ascending; may repeat. */
  readonly values: Float64Array;
  /** `counts[i]` pixels have `values[i]`. */
  readonly counts: Uint32Array;
  readonly total: number;
}

/** The distribution of values after the modality transform over frames that are shown together. */
export function distributionOf(frames: readonly ValueFrame[]): ValueDistribution {
  const parts = [...histograms(frames).map(fromHistogram), ...frames.filter(isWide).map(fromValues)];
  if (parts.length === 1) return parts[0]!;
  return sorted(parts.flatMap(({ values }) => [...values]), parts.flatMap(({ counts }) => [...counts])); // prettier-ignore
}

/** The value below which `rank` pixels lie, counted from 0; null of nothing. */
export function valueAtRank({ values, counts }: ValueDistribution, rank: number): number | null {
  let below = 0;
  for (let i = 0; i < values.length; i++) {
    below += counts[i]!;
    if (below > rank) return values[i]!;
  }
  return values.at(-1) ?? null;
}

/** The values above a floor. */
export function above({ values, counts }: ValueDistribution, floor: number): ValueDistribution {
  const first = values.findIndex((value) => value > floor);
  const from = first < 0 ? values.length : first;
  const kept = counts.subarray(from);
  return { values: values.subarray(from), counts: kept, total: kept.reduce((sum, n) => sum + n, 0) };
}

/**
 * The window between the 1st and the 99th percentile; between lowest and highest where these two are one value (a
 * mask). A flat picture is black.
 */
export function autoWindow(distribution: ValueDistribution): Window {
  const { values, total } = distribution;
  if (total === 0) return flatWindow(0);
  let low = valueAtRank(distribution, Math.floor((total - 1) * 0.01))!;
  let high = valueAtRank(distribution, Math.ceil((total - 1) * 0.99))!;
  if (low === high) [low, high] = [values[0]!, values.at(-1)!];
  return low === high ? flatWindow(low) : windowBetween(low, high);
}

/** A window that takes `low` to the lowest and `high` to the highest level. */
export function windowBetween(low: number, high: number): Window {
  return { center: (low + high) / 2, width: high - low, shape: 'LINEAR_EXACT' };
}

/** The window of a picture that has one value: it is drawn black. */
export function flatWindow(value: number): Window {
  return { center: value + 0.5, width: 1, shape: 'LINEAR_EXACT' };
}

function isWide({ samples }: ValueFrame): boolean {
  return samples.BYTES_PER_ELEMENT > 2;
}

interface Histogram {
  readonly frame: ValueFrame;
  readonly signed: boolean;
  /** By bit pattern. */
  readonly counts: Uint32Array;
}

/** One histogram for all frames of up to 16 bits that share type, transform and padding. */
function histograms(frames: readonly ValueFrame[]): Histogram[] {
  const byKey = new Map<string | ModalityTransform, Histogram>();
  for (const frame of frames) {
    if (isWide(frame)) continue;
    const { samples, modality, padding } = frame;
    const key = modality.table
      ? modality
      : [samples.constructor.name, modality.slope, modality.intercept, padding?.low, padding?.high].join('/');
    const signed = samples instanceof Int8Array || samples instanceof Int16Array;
    const size = samples.BYTES_PER_ELEMENT === 1 ? 256 : 65536;
    const histogram = byKey.get(key) ?? { frame, signed, counts: new Uint32Array(size) };
    byKey.set(key, histogram);
    for (let i = 0; i < samples.length; i++) histogram.counts[samples[i]! & (size - 1)]!++;
  }
  return [...byKey.values()];
}

function fromHistogram({ frame: { modality, padding }, signed, counts }: Histogram): ValueDistribution {
  const size = counts.length;
  const half = signed ? size / 2 : 0;
  const values: number[] = [];
  const kept: number[] = [];
  for (let stored = -half; stored < size - half; stored++) {
    const count = counts[stored & (size - 1)]!;
    if (count === 0 || (padding && stored >= padding.low && stored <= padding.high)) continue;
    values.push(modalityValue(stored, modality));
    kept.push(count);
  }
  return sorted(values, kept);
}

function fromValues({ samples, modality, padding }: ValueFrame): ValueDistribution {
  const values = new Float64Array(samples.length);
  let length = 0;
  for (let i = 0; i < samples.length; i++) {
    const stored = samples[i]!;
    if (padding && stored >= padding.low && stored <= padding.high) continue;
    const value = modalityValue(stored, modality);
    if (Number.isFinite(value)) values[length++] = value;
  }
  const kept = values.slice(0, length).sort();
  return { values: kept, counts: new Uint32Array(length).fill(1), total: length };
}

function sorted(values: readonly number[], counts: readonly number[]): ValueDistribution {
  const total = counts.reduce((sum, n) => sum + n, 0);
  if (values.every((value, i) => i === 0 || value >= values[i - 1]!)) {
    return { values: Float64Array.from(values), counts: Uint32Array.from(counts), total };
  }
  const order = Array.from(values.keys()).sort((a, b) => values[a]! - values[b]!);
  return {
    values: Float64Array.from(order, (i) => values[i]!),
    counts: Uint32Array.from(order, (i) => counts[i]!),
    total,
  };
}
