import path from 'node:path';
import { sha256 } from '../../util/hash.js';
import type { Store } from './store.js';

/** Where everything lies in a workspace. CONTRACT.md "Workspace"; a workspace is private, only `public` leaves it. */
export function workspacePaths(root: string) {
  const at = (...parts: string[]): string => path.join(root, ...parts);
  return {
    root,
    config: at('groundmark.yaml'),
    state: at('.groundmark'),
    lock: at('.groundmark', 'lock'),
    manifests: at('.groundmark', 'manifests'),
    steps: at('.groundmark', 'steps'),
    /** Copies of what DICOMweb URLs name. */
    dicomweb: at('.groundmark', 'dicomweb'),
    /** The index for SQL; made anew from the rows. */
    indexDatabase: at('.groundmark', 'index.duckdb'),
    index: at('extract', 'index.jsonl'),
    /** Stacks: how their slices lie. */
    volumes: at('extract', 'volumes.jsonl'),
    indexSkipped: at('extract', 'index-skipped.jsonl'),
    findings: at('extract', 'findings.jsonl'),
    targets: at('extract', 'targets.jsonl'),
    /** Cases that could not be used, each with its reason. */
    caseRecords: at('extract', 'cases.jsonl'),
    series: at('retrieve', 'series.jsonl'),
    sheets: at('retrieve', 'sheets'),
    nominations: at('retrieve', 'nominations.jsonl'),
    pools: at('retrieve', 'pools.jsonl'),
    ratings: at('retrieve', 'ratings.jsonl'),
    evidence: at('retrieve', 'evidence.jsonl'),
    items: at('mcq', 'items.jsonl'),
    key: at('mcq', 'key.jsonl'),
    splits: at('mcq', 'splits.json'),
    /** Contrast sets with their checks and gates, and targets that gave no item: private. */
    contrastSets: at('mcq', 'contrast-sets.jsonl'),
    itemImages: at('mcq', 'images'),
    audit: at('audit', 'audit.json'),
    /** What the pixel gate of a release found; private. */
    deidReport: at('audit', 'deid.json'),
    auditHtml: at('audit', 'audit.html'),
    public: at('release', 'public'),
    sealed: at('release', 'sealed'),
    runs: at('runs'),
    report: at('report.html'),
  } as const;
}
export type WorkspacePaths = ReturnType<typeof workspacePaths>;

/**
 * The workspace's secret, from which opaque ids come: a hash of its private inputs (UIDs, report sentences) and the
 * seed. Repeatable for whoever has the workspace, out of reach for whoever has only the public bundle.
 */
export async function workspaceSecret(store: Store, paths: WorkspacePaths, seed: number): Promise<string> {
  const [index, targets] = await Promise.all([store.read(paths.index), store.read(paths.targets)]);
  return sha256(`groundmark-workspace-secret\n${seed}\n${sha256(index)}\n${sha256(targets)}`);
}
