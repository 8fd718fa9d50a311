import path from 'node:path';
import { workspacePaths, type Store } from '../adapters/store/index.js';
import { GroundmarkError } from '../domain/error.js';
import { sourceText } from './import/source-text.js';
import type { SourceFile } from './import/importer.js';

const READABLE = /\.(csv|tsv|jsonl)$/iu;

/** What to audit, as far as the paths given tell. */
export interface Sources {
  readonly files: readonly SourceFile[];
  /** key.jsonl beside the first file; null when there is none. */
  readonly keyFile: string | null;
  /** evidence.jsonl of the workspace named; null when no workspace was named or it has none. */
  readonly evidenceFile: string | null;
}

/**
 * The files behind the paths: files as they are, a workspace or a folder of ours as its items.jsonl, another folder as
 * its CSV, TSV and JSONL files sorted by name.
 *
 * @param paths - absolute; at least one
 * @throws {GroundmarkError} `no-files` for a folder without any
 */
export async function findSources(paths: readonly string[], store: Store): Promise<Sources> {
  const files: SourceFile[] = [];
  let evidenceFile: string | null = null;
  for (const given of paths) {
    const workspace = workspacePaths(given);
    if (await store.exists(workspace.items)) {
      files.push(await readSource(workspace.items, store));
      if (await store.exists(workspace.evidence)) evidenceFile = workspace.evidence;
    } else if (await store.exists(path.join(given, 'items.jsonl'))) {
      files.push(await readSource(path.join(given, 'items.jsonl'), store));
    } else files.push(...(await fileOrFolder(given, store)));
  }
  const beside = path.join(path.dirname(files[0]!.path), 'key.jsonl');
  return { files, keyFile: (await store.exists(beside)) ? beside : null, evidenceFile };
}

async function fileOrFolder(given: string, store: Store): Promise<SourceFile[]> {
  try {
    return [await readSource(given, store)];
  } catch (error) {
    if (!(error instanceof GroundmarkError) || error.code !== 'not-a-file') throw error;
  }
  const names = (await store.list(given)).filter((name) => READABLE.test(name));
  if (names.length === 0) {
    throw new GroundmarkError(
      'no-files',
      `${given} holds no items.jsonl and no CSV, TSV or JSONL file. Name a workspace or the files themselves.`,
      { path: given },
    );
  }
  return Promise.all(names.map((name) => readSource(path.join(given, name), store)));
}

async function readSource(file: string, store: Store): Promise<SourceFile> {
  const name = path.basename(file);
  return { path: file, name, text: sourceText(await store.read(file), name) };
}
