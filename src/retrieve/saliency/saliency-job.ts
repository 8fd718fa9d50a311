import type { Blob } from './blobs.js';
import { deviationMaps } from './deviation.js';
import { nominate, type NominateSettings, type SaliencyPick } from './nominate.js';
import { rate, type RateSettings, type SliceRating } from './rate.js';
import type { Signature } from './signature.js';
import { sliceBlobs, type BlobSettings } from './slice-blobs.js';
import { loadCoarseStack, type SliceSource } from './stack-pixels.js';

export interface SaliencyJobInput {
  readonly modality: string | null;
  readonly slices: readonly SliceSource[];
  /** What to name, blind; absent when only checks are wanted. */
  readonly nominate?: { readonly blobs: BlobSettings; readonly pick: NominateSettings };
  /** What to rate. */
  readonly checks: readonly {
    readonly signature: Signature;
    readonly candidates: readonly number[];
    readonly blobs: BlobSettings;
    readonly rate: RateSettings;
  }[];
}

export interface SaliencyJobOutput {
  readonly picks: SaliencyPick[];
  readonly ratings: SliceRating[][];
}

/** Looks at one stack: names what stands out, and rates candidates for findings. */
export async function run(input: SaliencyJobInput): Promise<SaliencyJobOutput> {
  const maps = deviationMaps(await loadCoarseStack(input.slices), input.modality);
  const kept = new Map<string, Blob[][]>();
  const blobsFor = (settings: BlobSettings): Blob[][] => {
    const key = JSON.stringify(settings);
    const known = kept.get(key) ?? sliceBlobs(maps, settings);
    kept.set(key, known);
    return known;
  };
  const picks = input.nominate
    ? nominate(withoutGas(blobsFor(input.nominate.blobs), input.modality), input.nominate.pick)
    : [];
  const ratings = input.checks.map((check) =>
    rate(blobsFor(check.blobs), maps, check.signature, check.candidates, check.rate),
  );
  return { picks, ratings };
}

/** Darker places filled with gas are lung, bowel and sinuses far more often than a finding: they are not nominated. */
function withoutGas(blobs: Blob[][], modality: string | null): Blob[][] {
  if (modality !== 'CT') return blobs;
  return blobs.map((slice) => slice.filter(({ sign, value }) => sign > 0 || value > GAS_HU));
}

const GAS_HU = -200;
