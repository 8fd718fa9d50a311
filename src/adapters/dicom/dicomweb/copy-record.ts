import { z } from 'zod';
import { skippedFileSchema } from '../../../domain/index-row.js';
import { record } from '../../../domain/record.js';
import type { Store } from '../../store/index.js';

const copyRecordSchema = record({
  studies: z.number().int(),
  series: z.number().int(),
  /** Listed by the service. */
  instances: z.number().int(),
  fetched: z.number().int(),
  /** Here from an earlier run. */
  kept: z.number().int(),
  skipped: z.array(skippedFileSchema),
});

/** What one run listed, fetched and left out (`fetched.json` beside the copy). */
export type CopyRecord = z.infer<typeof copyRecordSchema>;

export async function writeCopyRecord(store: Store, file: string, value: CopyRecord): Promise<void> {
  await store.write(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** The last run's record, or null when no run has come to its end. */
export async function readCopyRecord(store: Store, file: string): Promise<CopyRecord | null> {
  if (!(await store.exists(file))) return null;
  try {
    return copyRecordSchema.parse(JSON.parse((await store.read(file)).toString('utf8')));
  } catch {
    // Of another version: the run is made again, what was fetched stays.
    return null;
  }
}
