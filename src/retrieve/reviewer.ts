import type { RatingValue, SliceRef } from '../domain/evidence.js';
import type { Finding } from '../domain/finding.js';
import type { IndexRow } from '../domain/index-row.js';
import type { Sheet } from '../domain/retrieve.js';

/** One label that a reviewer named, blind to what is looked for. */
export interface LabelNomination {
  readonly label: string;
  readonly description: string;
  readonly confidence: number | null;
}

/** What a reviewer may see while nominating: the slices behind their labels. No target, report, case or other answer. */
export interface NominationInput {
  readonly sheets: readonly BlindSheet[];
}

/** Where a tile's pixels are. */
export interface PixelSource {
  /** Relative to the workspace. */
  readonly path: string;
  readonly frame: number;
  readonly imageOrientationPatient: readonly number[] | null;
}

/** A sheet without anything that names the case. */
export interface BlindSheet {
  readonly modality: string | null;
  /** `pixels` says where a tile's pixels are read from; a reviewer looks at nothing else of it. */
  readonly tiles: readonly { readonly label: string; readonly pixels: PixelSource }[];
  /** Sheets of one stack share a token. */
  readonly stack: string;
}

/** One candidate with the neighbours of its stack, by position. */
export interface CheckInput {
  readonly finding: Finding;
  readonly stack: readonly IndexRow[];
  readonly candidates: readonly SliceRef[];
}

export interface CandidateRating {
  readonly slice: SliceRef;
  readonly rating: RatingValue;
  readonly strength: number | null;
}

/** An image reviewer that looks for itself: a model or a classical algorithm. */
export interface ImageReviewer {
  readonly id: string;
  readonly model: string;
  nominate(input: NominationInput): Promise<LabelNomination[]>;
  rate(inputs: readonly CheckInput[]): Promise<CandidateRating[][]>;
}

/** A sheet stripped for a blinded reviewer. */
export function blind(
  sheet: Sheet,
  rowOf: (sopInstanceUid: string, frame: number) => IndexRow,
  stack: string,
): BlindSheet {
  return {
    modality: sheet.modality,
    stack,
    tiles: sheet.tiles.map(({ label, sopInstanceUid, frame }) => {
      const { path, imageOrientationPatient } = rowOf(sopInstanceUid, frame);
      return { label, pixels: { path, frame, imageOrientationPatient } };
    }),
  };
}
