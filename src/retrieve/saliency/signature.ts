import { z } from 'zod';
import type { Finding } from '../../domain/finding.js';
import { normalise } from '../../util/text.js';

const share = z.tuple([z.number().min(0).max(1), z.number().min(0).max(1)]);
const signSchema = z.enum(['bright', 'dark', 'either']);

/** `data/saliency.yaml`: what a finding should look like to classical image analysis. */
export const saliencyDataSchema = z.strictObject({
  signatures: z.array(
    z.strictObject({
      concept: z.string(),
      modalities: z.array(z.string()).optional(),
      sign: signSchema,
      cue: z.enum(['mirror']).optional(),
      hu: z.tuple([z.number(), z.number()]).optional(),
    }),
  ),
  signWords: z.strictObject({ bright: z.array(z.string()), dark: z.array(z.string()) }),
  places: z.array(
    z.strictObject({
      anatomy: z.string(),
      x: share.optional(),
      y: share.optional(),
      z: share.optional(),
      ringHu: z.tuple([z.number(), z.number()]).optional(),
    }),
  ),
});
export type SaliencyData = z.infer<typeof saliencyDataSchema>;

/** What one finding should look like in one stack. Plain data: it crosses to a worker thread. */
export interface Signature {
  readonly sign: 'bright' | 'dark' | 'either';
  /** The cue that fits this finding better than the reviewer's own; null: the reviewer's own. */
  readonly cue: 'mirror' | null;
  readonly laterality: Finding['laterality'];
  /** Hounsfield units that the finding may have at its strongest place; null outside CT. */
  readonly hu: readonly [number, number] | null;
  /** Hounsfield units of what surrounds it; null outside CT. */
  readonly ringHu: readonly [number, number] | null;
  /** Shares of the body box; null is unlimited. x is given for the right side and mirrored for the left. */
  readonly x: readonly [number, number] | null;
  readonly y: readonly [number, number] | null;
  readonly z: readonly [number, number] | null;
}

/** The signature of a finding: its concept's, narrowed by words of its text, its side and its place. */
export function signatureOf(finding: Finding, modality: string | null, data: SaliencyData): Signature {
  const line = data.signatures.find(
    ({ concept, modalities }) =>
      concept === finding.concept && (modalities?.includes(modality ?? '') ?? true),
  );
  const place = data.places.find(({ anatomy }) => anatomy === finding.anatomy);
  const sign = line?.sign ?? 'either';
  return {
    sign: sign === 'either' ? signFromWords(finding.text, data) : sign,
    cue: line?.cue ?? null,
    laterality: finding.laterality,
    hu: modality === 'CT' ? (line?.hu ?? null) : null,
    ringHu: modality === 'CT' ? (place?.ringHu ?? null) : null,
    x: place?.x ?? null,
    y: place?.y ?? null,
    z: place?.z ?? null,
  };
}

function signFromWords(text: string, { signWords }: SaliencyData): Signature['sign'] {
  const plain = ` ${normalise(text).replace(/[^\p{L}\p{N}-]+/gu, ' ')} `;
  const first = (words: readonly string[]): number =>
    Math.min(...words.map((word) => plain.indexOf(` ${word} `)).filter((at) => at >= 0), Infinity);
  const bright = first(signWords.bright);
  const dark = first(signWords.dark);
  if (bright === dark) return 'either';
  return bright < dark ? 'bright' : 'dark';
}
