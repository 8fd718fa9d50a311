import { z } from 'zod';
import { GroundmarkError } from '../../../domain/error.js';
import { readDataText } from '../../store/index.js';
import { isPrivate } from './dictionary.js';

export const PROFILE_FILE = 'deid-profile.tsv';
/** Edition of PS3.15 that the table states. */
export const PROFILE_EDITION = '2024b';

const action = z.enum(['', 'K', 'C']);
const rowSchema = z.strictObject({
  /** `(0010,0010)`, `(60xx,3000)`, or `(gggg,eeee)` for private attributes. */
  tag: z.string().regex(/^\(([0-9A-F]{4}|[56]0xx),([0-9A-F]{4}|xxxx)\)$|^\(gggg,eeee\)$/u, 'not a tag'),
  keyword: z.string().regex(/^[A-Za-z0-9]+$/u, 'not a keyword'),
  basicProfile: z.enum(['X', 'Z', 'D', 'U', 'X/Z', 'X/D', 'Z/D', 'X/Z/D', 'X/Z/U*']),
  retainUids: action,
  retainDeviceIdentity: action,
  retainInstitutionIdentity: action,
  retainPatientCharacteristics: action,
  retainFullDates: action,
  retainModifiedDates: action,
  cleanDescriptors: action,
  cleanStructuredContent: action,
  cleanGraphics: action,
  /** The standard's table, or what we add to it. */
  source: z.enum(['E.1-1', 'added']),
  note: z.enum(['', 'public-date']),
});
export type ProfileRow = z.infer<typeof rowSchema>;

/** PS3.15 table E.1-1 and our additions. */
export interface Profile {
  readonly rows: readonly ProfileRow[];
  /** The row of an attribute (eight hexadecimal digits, lower case); null when it may stay. */
  rowOf(tag: string): ProfileRow | null;
}

/**
 * The profile out of its tab-separated text.
 *
 * @throws {GroundmarkError} `bad-data-file` naming line and column
 */
export function parseProfile(text: string): Profile {
  const lines = text.split('\n').map((line, i) => ({ line, number: i + 1 }));
  const content = lines.filter(({ line }) => line !== '' && !line.startsWith('#'));
  const columns = content[0]?.line.split('\t') ?? [];
  const rows = content.slice(1).map(({ line, number }) => {
    const cells = line.split('\t');
    const parsed = rowSchema.safeParse(Object.fromEntries(columns.map((name, i) => [name, cells[i]])));
    if (parsed.success && cells.length === columns.length) return parsed.data;
    const issue = parsed.error?.issues[0];
    const column = issue?.path.join('.') ?? '';
    throw badFile(
      `line ${number}, column ${column || '(all)'}: ${issue?.message ?? 'wrong number of cells'}`,
    );
  });
  const exact = new Map<string, ProfileRow>();
  for (const row of rows) {
    const tag = row.tag.replace(/[(),]/gu, '').toLowerCase();
    if (exact.has(tag)) throw badFile(`${row.tag} stands twice`);
    exact.set(tag, row);
  }
  return {
    rows,
    rowOf(tag) {
      if (isPrivate(tag)) return exact.get('ggggeeee') ?? null;
      const repeating = /^[56]0/u.test(tag) ? `${tag.slice(0, 2)}xx` : null;
      if (repeating === null) return exact.get(tag) ?? null;
      return (
        exact.get(`${repeating}${tag.slice(4)}`) ?? exact.get(`${repeating}xxxx`) ?? exact.get(tag) ?? null
      );
    },
  };
}

let loaded: Promise<Profile> | null = null;

/** The profile that the package carries, read once. */
export function loadProfile(): Promise<Profile> {
  loaded ??= readDataText(PROFILE_FILE).then(parseProfile);
  return loaded;
}

function badFile(what: string): GroundmarkError {
  return new GroundmarkError('bad-data-file', `data/${PROFILE_FILE}, ${what}. Install the package again.`, {
    file: `data/${PROFILE_FILE}`,
  });
}
