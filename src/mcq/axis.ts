import { z } from 'zod';
import { GroundmarkError } from '../domain/error.js';
import { lateralitySchema, type Laterality } from '../domain/finding.js';
import { prepareText } from './prepare-text.js';

/** The one way in which the choices of a set differ. PROTOCOL.md §3.11. */
export const axisKinds = ['location', 'extent', 'pattern', 'relationship'] as const;
export const axisKindSchema = z.enum(axisKinds);
export type AxisKind = z.infer<typeof axisKindSchema>;

const phrases = z.array(z.string().min(1)).min(1);

/** A value as `data/axes` writes it; with `sides` it stands for one value a side, `{side}` in its text. */
const valueRowSchema = z
  .strictObject({
    id: z.string().min(1),
    text: z.string().min(1),
    sides: z.array(z.enum(['left', 'right'])).optional(),
    side: lateralitySchema.optional(),
    /** Phrases that support the value wherever they stand. */
    match: phrases.optional(),
    /** Phrases that support the value when the report puts them on its side. */
    places: phrases.optional(),
    /** Values that cannot be told apart from this one: the id of a row (its same-side value) or of one value. */
    excludes: z.array(z.string()).default([]),
  })
  .refine((row) => row.match !== undefined || row.places !== undefined, 'give match or places')
  .refine(
    (row) => row.places === undefined || row.side !== undefined || row.sides !== undefined,
    'places needs side or sides',
  );
type ValueRow = z.infer<typeof valueRowSchema>;

const axisRowSchema = z.strictObject({
  id: z.string().min(1),
  axis: axisKindSchema,
  /** Used only when no other set of a target passes. PROTOCOL.md §3.13. */
  fallback: z.boolean().default(false),
  concepts: phrases,
  regions: z.union([z.literal('any'), phrases]),
  modalities: phrases.optional(),
  /** Words of which the finding's anatomy or sentence must hold one. */
  anatomies: phrases.optional(),
  /** Words for the whole of which the values are parts: "multiple … in both lungs" may be true of any lobe. */
  within: phrases.optional(),
  values: z.array(valueRowSchema).min(3),
  stems: phrases,
});

/** A file of `data/axes`. */
export const axisFileSchema = z.strictObject({ axes: z.array(axisRowSchema).min(1) });
export type AxisFile = z.infer<typeof axisFileSchema>;

export interface AxisValue {
  readonly id: string;
  readonly text: string;
  readonly side: Laterality | null;
  /** Prepared for matching, as are places. */
  readonly match: readonly string[];
  readonly places: readonly string[];
  /** Ids of values that cannot stand beside this one as right and wrong; symmetric. */
  readonly excludes: readonly string[];
}

export interface Axis extends Omit<AxisFile['axes'][number], 'values'> {
  readonly values: readonly AxisValue[];
}

/** Choices of one set. PROTOCOL.md §1. */
export const CHOICES = 5;

/**
 * The axes of one file, sided rows written out and exclusions made symmetric.
 *
 * @throws {GroundmarkError} `bad-axis` for fewer than five values, a repeated id or text, or an exclusion of no value
 */
export function expandAxes(file: AxisFile, name: string): Axis[] {
  return file.axes.map((row) => {
    const fail = (what: string): never => {
      throw new GroundmarkError('bad-axis', `${name}, axis ${row.id}: ${what}.`, {
        file: name,
        axis: row.id,
      });
    };
    const values = row.values.flatMap(expandValue);
    if (values.length < CHOICES) fail(`${values.length} values; a set needs ${CHOICES}`);
    for (const field of ['id', 'text'] as const) {
      const seen = new Set(values.map((value) => value[field].toLowerCase()));
      if (seen.size !== values.length) fail(`two values share their ${field}`);
    }
    const excludes = new Map(values.map((value) => [value.id, new Set<string>()]));
    for (const value of values) {
      for (const name of value.excludes) {
        const others = values.filter((other) => other.id === name || sameSideRow(other, value, name));
        if (others.length === 0) fail(`value ${value.id} excludes ${name}, which is not there`);
        for (const other of others) {
          excludes.get(value.id)!.add(other.id);
          excludes.get(other.id)!.add(value.id);
        }
      }
    }
    return {
      ...row,
      ...(row.within && { within: row.within.map(prepareText) }),
      ...(row.anatomies && { anatomies: row.anatomies.map(prepareText) }),
      values: values.map(({ row: _, ...value }) => ({
        ...value,
        excludes: [...excludes.get(value.id)!].sort(),
      })),
    };
  });
}

type Expanded = AxisValue & { readonly row: string };

function expandValue(row: ValueRow): Expanded[] {
  const common = {
    match: (row.match ?? []).map(prepareText),
    places: (row.places ?? []).map(prepareText),
    excludes: row.excludes,
    row: row.id,
  };
  if (!row.sides) return [{ ...common, id: row.id, text: row.text, side: row.side ?? null }];
  return row.sides.map((side) => ({
    ...common,
    id: `${side}-${row.id}`,
    text: row.text.replace('{side}', side === 'left' ? 'Left' : 'Right'),
    side,
  }));
}

function sameSideRow(other: Expanded, value: Expanded, row: string): boolean {
  return other.row === row && (other.side === value.side || value.side === null || other.side === null);
}
