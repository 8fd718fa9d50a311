import { stat } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { TEXT_SEARCH_VERSION, type GateInput, type GateResult } from '../adapters/dicom/deid/index.js';
import { readDataText, type Store, type WorkspacePaths } from '../adapters/store/index.js';
import { PIXEL_RULES } from '../domain/pixel-rules.js';
import { hashValue, sha256 } from '../util/hash.js';

const cacheSchema = z.object({
  /** What the judgments were made by: another one makes them all anew. */
  by: z.string(),
  judged: z.record(z.string(), z.array(z.enum(PIXEL_RULES))),
});

/** Judgments of an earlier release that still hold. */
export interface GateCache {
  /** The judgment of a file as it is now; undefined when it was not judged, or has changed since. */
  get(input: GateInput): Promise<GateResult | undefined>;
  /** Keeps the judgments of this release, and no others. */
  write(inputs: readonly GateInput[], results: readonly GateResult[]): Promise<void>;
}

/**
 * The judgments kept in `.groundmark/pixel-gate.json`, by path, size and time of change of the file and by the frames
 * looked at. A file that could not be judged is never kept.
 */
export async function openGateCache(paths: WorkspacePaths, store: Store): Promise<GateCache> {
  const file = path.join(paths.state, 'pixel-gate.json');
  const by = hashValue([TEXT_SEARCH_VERSION, sha256(await readDataText('deid-pixel-rules.yaml'))]);
  const known = await readCache(file, by, store);
  const keyOf = async ({ file: source, frames }: GateInput): Promise<string> => {
    const { size, mtimeMs } = await stat(source);
    return hashValue([path.relative(paths.root, source), size, mtimeMs, frames]);
  };
  return {
    async get(input) {
      const rules = known[await keyOf(input).catch(() => '')];
      return rules && { rules };
    },
    async write(inputs, results) {
      const judged: Record<string, unknown> = {};
      for (const [i, result] of results.entries()) {
        if ('rules' in result) judged[await keyOf(inputs[i]!)] = result.rules;
      }
      await store.write(file, `${JSON.stringify({ by, judged })}\n`);
    },
  };
}

/** {} when there is no cache, when it was made by other rules, or is no cache at all. */
async function readCache(
  file: string,
  by: string,
  store: Store,
): Promise<z.infer<typeof cacheSchema>['judged']> {
  try {
    const cache = cacheSchema.parse(JSON.parse((await store.read(file)).toString('utf8')));
    return cache.by === by ? cache.judged : {};
  } catch {
    return {};
  }
}
