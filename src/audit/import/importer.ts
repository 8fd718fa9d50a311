import type { KeyEntry } from '../../domain/item.js';
import type { AuditItem, OwnItem } from '../audit-item.js';

/** A text file to import: byte-order mark and encoding are dealt with. */
export interface SourceFile {
  /** Absolute. */
  readonly path: string;
  /** As messages show it. */
  readonly name: string;
  readonly text: string;
}

/** Which fields of a csv or jsonl file hold what (`--map`). */
export interface FieldMap {
  readonly question: string;
  /** One field that holds all options, or one field an option. */
  readonly choices: readonly string[];
  readonly answer: string;
  readonly answerAs: AnswerKind | null;
  readonly id: string | null;
}

/** What the answer field holds: a letter, a place counted from 0 or 1, or the option's own text. */
export const answerKinds = ['letter', 'text', 'index0', 'index1'] as const;
export type AnswerKind = (typeof answerKinds)[number];

export interface ImportOptions {
  readonly map: FieldMap | null;
  /** Our own private keys, by item id; null when no key file is known. */
  readonly key: ReadonlyMap<string, KeyEntry> | null;
}

/** What one record of a file became. `where` is the file and the record's place in it, never its content. */
export type Imported =
  | { readonly status: 'item'; readonly item: AuditItem; readonly own?: OwnItem }
  | { readonly status: 'several-keys'; readonly where: string }
  | { readonly status: 'skipped'; readonly where: string; readonly reason: SkipReason };

export type SkipReason =
  'not-json' | 'missing-field' | 'too-few-options' | 'key-not-an-option' | 'no-key' | 'duplicate-id';

/** A reader of one layout. One file each; the registry lists them. */
export interface Importer {
  readonly name: string;
  /** One line for the list of formats in an error. */
  readonly layout: string;
  /** Whether the file has this layout, as far as its beginning tells. Must not throw. */
  detect(file: SourceFile): boolean;
  read(file: SourceFile, options: ImportOptions): Imported[];
}
