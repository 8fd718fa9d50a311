import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { readDataText, readJsonl, type Store, type WorkspacePaths } from '../../adapters/store/index.js';
import type { Case } from '../../domain/config.js';
import { indexRowSchema } from '../../domain/index-row.js';
import { keyEntrySchema } from '../../domain/item.js';
import type { z } from 'zod';
import { fixedTexts } from '../bundle-texts.js';
import type { Needle } from './needle.js';
import { patientNeedles } from './patient-header.js';
import { decodeText } from './text-views.js';
import { collectNeedles, firstFilesOfSeries } from './workspace-needles.js';

export interface Gathered {
  readonly needles: readonly Needle[];
  /** Values too short or too common to look for. */
  readonly tooCommon: number;
  /** DICOM files and reports that could not be read, so that their values are not looked for. */
  readonly unread: number;
}

/** The private values of a workspace, from cases.csv, index, key, reports and the header of one file a series. */
export async function gatherNeedles(
  paths: WorkspacePaths,
  cases: readonly Case[],
  { store, signal }: Pick<Deps, 'store' | 'signal'>,
): Promise<Gathered> {
  const index = await readWhenThere(store, paths.index, indexRowSchema);
  const key = await readWhenThere(store, paths.key, keyEntrySchema);
  let unread = 0;
  const patient: Needle[] = [];
  for (const file of firstFilesOfSeries(index)) {
    signal.throwIfAborted();
    try {
      patient.push(...(await patientNeedles(path.resolve(paths.root, file))));
    } catch {
      unread++;
    }
  }
  const reports: string[] = [];
  for (const { reportPath } of cases) {
    if (reportPath === null) continue;
    try {
      reports.push(decodeText(await store.read(reportPath)));
    } catch {
      unread++;
    }
  }
  const sources = { root: paths.root, cases, index, key, reports, patient };
  const texts = fixedTexts(await readDataText('prompts/answer.md'));
  return { ...collectNeedles(sources, texts), unread };
}

async function readWhenThere<T>(store: Store, file: string, schema: z.ZodType<T>): Promise<T[]> {
  return (await store.exists(file)) ? readJsonl(store, file, schema) : [];
}
