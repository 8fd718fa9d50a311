import path from 'node:path';
import { z } from 'zod';
import type { Deps } from '../../adapters/deps.js';
import { GroundmarkError } from '../../domain/error.js';
import type { CandidateRating, ImageReviewer, PixelSource } from '../reviewer.js';
import type { SaliencyJobInput, SaliencyJobOutput } from './saliency-job.js';
import { signatureOf, type SaliencyData } from './signature.js';
import type { BlobSettings, Cue } from './slice-blobs.js';

/** Settings of one `offline/saliency` reviewer in groundmark.yaml; two reviewers should differ in `cue`. */
export const saliencySettingsSchema = z.strictObject({
  cue: z.enum(['compact', 'one-sided', 'either']).default('either'),
  threshold: z.number().positive().default(2.5),
  minArea: z.number().int().positive().default(3),
  areaCap: z.number().positive().default(40),
  heightCap: z.number().positive().default(15),
  places: z.number().int().positive().default(10),
  slicesPerPlace: z.number().int().positive().default(1),
  direct: z.number().min(0).max(1).default(0.75),
  possible: z.number().min(0).max(1).default(0.4),
  floor: z.number().nonnegative().default(8),
});
export type SaliencySettings = z.infer<typeof saliencySettingsSchema>;

/** Name of this reviewer in every record: classical image analysis, fit for phantoms and gross findings only. */
export const SALIENCY_MODEL = 'offline/saliency';

interface SaliencyOptions {
  readonly id: string;
  readonly settings: unknown;
  readonly root: string;
  readonly data: SaliencyData;
}

/**
 * The offline image reviewer. It names what stands out from the slices above and below, from its surroundings and from the other side, and
 * rates candidates by whether such a place looks and lies as the finding should. No training, no network.
 *
 * @throws {GroundmarkError} `bad-config` when its settings are wrong
 */
export function saliencyReviewer({ id, settings, root, data }: SaliencyOptions, deps: Deps): ImageReviewer {
  const parsed = saliencySettingsSchema.safeParse(settings ?? {});
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    const key = issue.path.join('.') || 'settings';
    throw new GroundmarkError(
      'bad-config',
      `groundmark.yaml, reviewer ${id}, settings ${key}: ${issue.message}.`,
      { key },
    );
  }
  const own = parsed.data;
  const source = ({ path: file, frame, imageOrientationPatient }: PixelSource) => ({
    file: path.resolve(root, file),
    frame,
    orientation: imageOrientationPatient,
  });
  const work = (inputs: readonly SaliencyJobInput[]): Promise<SaliencyJobOutput[]> =>
    deps.queue.map(
      {
        module: new URL(
          `./saliency-job${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`,
          import.meta.url,
        ).href,
      },
      inputs,
      { signal: deps.signal },
    );
  const blobs = (cue: Cue): BlobSettings => {
    const { threshold, minArea, areaCap, heightCap } = own;
    return { cue, threshold, minArea, areaCap, heightCap };
  };

  return {
    id,
    model: SALIENCY_MODEL,
    async nominate({ sheets }) {
      const stacks = [...new Set(sheets.map(({ stack }) => stack))];
      const tilesOf = (stack: string) =>
        sheets.filter((sheet) => sheet.stack === stack).flatMap(({ tiles }) => tiles);
      const inputs = stacks.map((stack): SaliencyJobInput => ({
        modality: sheets.find((sheet) => sheet.stack === stack)!.modality,
        slices: tilesOf(stack).map(({ pixels }) => source(pixels)),
        nominate: {
          blobs: blobs(own.cue),
          pick: { places: own.places, slicesPerPlace: own.slicesPerPlace },
        },
        checks: [],
      }));
      const outputs = await work(inputs);
      return stacks.flatMap((stack, s) => {
        const tiles = tilesOf(stack);
        return outputs[s]!.picks.map(({ position, description, confidence }) => ({
          label: tiles[position]!.label,
          description,
          confidence,
        }));
      });
    },
    async rate(checks) {
      // One job a stack: its maps are the dear part and serve every finding looked for in it.
      const groups = new Map<string, number[]>();
      checks.forEach(({ stack }, i) => {
        const key = stack[0]?.volumeId ?? '';
        groups.set(key, [...(groups.get(key) ?? []), i]);
      });
      const members = [...groups.values()];
      const inputs = members.map((indexes): SaliencyJobInput => {
        const { stack } = checks[indexes[0]!]!;
        const modality = stack[0]?.modality ?? null;
        return {
          modality,
          slices: stack.map(source),
          checks: indexes.map((i) => {
            const { finding, candidates } = checks[i]!;
            const signature = signatureOf(finding, modality, data);
            // What lies in the middle, or on both sides, cannot differ from its mirror image.
            const oneSide = finding.laterality === 'left' || finding.laterality === 'right';
            const cue = oneSide ? (signature.cue ?? own.cue) : 'either';
            return {
              signature,
              candidates: candidates.map(({ position }) => position),
              blobs: blobs(cue),
              rate: { direct: own.direct, possible: own.possible, floor: own.floor },
            };
          }),
        };
      });
      const outputs = await work(inputs);
      const ratings = new Array<CandidateRating[]>(checks.length);
      members.forEach((indexes, g) =>
        indexes.forEach((i, k) => {
          const { candidates } = checks[i]!;
          ratings[i] = outputs[g]!.ratings[k]!.map(({ rating, strength }, c) => ({
            slice: candidates[c]!,
            rating,
            strength,
          }));
        }),
      );
      return ratings;
    },
  };
}
