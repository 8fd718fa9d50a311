import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { fetchDicomweb, type DicomwebCopy } from '../adapters/dicom/dicomweb/index.js';
import { workspacePaths } from '../adapters/store/index.js';
import { EXIT, GroundmarkError } from '../domain/error.js';
import type { IndexSummary, SkippedFile } from '../domain/index-row.js';
import type { IndexSource } from '../extract/index-studies/index.js';
import { readConfig } from './read-config.js';

/** Copies of DICOMweb services for one `index` run. */
export interface DicomwebSources {
  /** The copy as a folder to index; its rows show instance URLs. null when nothing of it could be had. */
  open(url: string, caseId: string | null): Promise<IndexSource | null>;
  /** Counts with what the services listed and did not give. */
  counted(summary: IndexSummary): IndexSummary;
  /** Throws why nothing could be had, when a service was asked; call it when no source is left. */
  refuse(): void;
  /** Removes copies that no workspace keeps. */
  close(): Promise<void>;
}

/**
 * DICOMweb sources copied into the workspace, where a second run finds them; without a workspace into a temporary
 * folder, removed by `close`.
 *
 * @param auth - `--dicomweb-auth`; null: what the workspace's groundmark.yaml names, or none
 */
export function dicomwebSources(workspace: string, auth: string | null, deps: Deps): DicomwebSources {
  const copies: DicomwebCopy[] = [];
  let temporary: string | null = null;
  const options = async (): Promise<Parameters<typeof fetchDicomweb>[1]> => {
    const paths = workspacePaths(workspace);
    if (await deps.store.exists(paths.config)) {
      const own = readConfig((await deps.store.read(paths.config)).toString('utf8'), paths.config).dicomweb;
      return {
        folder: paths.dicomweb,
        auth: auth ?? own.auth,
        authFolder: auth === null ? paths.root : process.cwd(),
      };
    }
    temporary ??= await mkdtemp(path.join(tmpdir(), 'groundmark-dicomweb-'));
    return { folder: temporary, auth, authFolder: process.cwd() };
  };
  return {
    async open(url, caseId) {
      const copy = await fetchDicomweb(url, await options(), deps);
      const none = nothingHad(copy);
      const own = none === null ? copy.skipped : [...copy.skipped, none];
      copies.push({ ...copy, skipped: own.map((entry) => ({ ...entry, caseId })) });
      return none === null ? { caseId, root: copy.root, shownRoot: copy.shownRoot } : null;
    },
    counted: (summary) => ({
      ...summary,
      files: copies.reduce((files, copy) => files + notGiven(copy), summary.files),
      skipped: [...copies.flatMap(({ skipped }) => skipped), ...summary.skipped],
    }),
    refuse() {
      if (copies[0] === undefined) return;
      const { shownRoot, instances, skipped } = copies[0];
      const { reason, detail } = skipped[0]!;
      throw new GroundmarkError(
        reason === 'dicomweb-no-match' ? reason : 'dicomweb-nothing-fetched',
        reason === 'dicomweb-no-match'
          ? `${shownRoot} lists no instance that matches. Check the filters.`
          : `${shownRoot}: none of ${instances} instances could be fetched; the first reason is ${reason} ` +
              `(${String(detail)})`,
        { source: shownRoot, instances, reason },
        { exit: EXIT.provider },
      );
    },
    async close() {
      if (temporary !== null) await rm(temporary, { recursive: true, force: true });
    },
  };
}

/** Instances that were listed and are not in the copy. */
function notGiven({ instances, fetched, kept }: DicomwebCopy): number {
  return instances - fetched - kept;
}

function nothingHad(copy: DicomwebCopy): SkippedFile | null {
  if (copy.fetched + copy.kept > 0) return null;
  const reason = copy.instances === 0 ? 'dicomweb-no-match' : 'dicomweb-nothing-fetched';
  return { path: copy.shownRoot, reason };
}
