import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { EXIT, GroundmarkError } from '../../../domain/error.js';
import type { SkippedFile } from '../../../domain/index-row.js';
import { rng } from '../../../util/rng.js';
import type { Deps } from '../../deps.js';
import { makeFolder } from '../../store/make-folder.js';
import { byCodeUnit, withLock } from '../../store/index.js';
import { copiedInstances, copyPlace, removeInstances, type CopyPlace } from './copy-place.js';
import { authorization } from './credentials.js';
import { parseDicomwebUrl } from './dicomweb-url.js';
import { writeCopyRecord, type CopyRecord } from './copy-record.js';
import type { DicomwebFailure } from './failure.js';
import { inLanes } from './in-lanes.js';
import { listInstances, type ListedInstance, type Listing } from './list-instances.js';
import { instanceRetriever } from './retrieve-instance.js';
import { dicomwebService, endsTheRun, type Service } from './service.js';

export interface FetchOptions {
  /** Holds the copies, one folder for each service and set of filters. */
  readonly folder: string;
  /** `env:NAME`, `file:PATH`, or null for none. */
  readonly auth: string | null;
  /** What PATH of `auth` is relative to. */
  readonly authFolder: string;
  /** Requests under way at a time. */
  readonly lanes?: number;
  readonly pageSize?: number;
  /** Tries of a request in all. */
  readonly attempts?: number;
  readonly firstWaitMs?: number;
  readonly longestWaitMs?: number;
  /** A request that brings next to nothing for so long has stalled. */
  readonly stallMs?: number;
}

/** A copy on disk, and what is in it. `instances` = `fetched` + `kept` + the instances among `skipped`. */
export interface DicomwebCopy extends CopyRecord {
  readonly root: string;
  readonly shownRoot: string;
}

export type FetchDeps = Pick<
  Deps,
  'environment' | 'clock' | 'seed' | 'log' | 'progress' | 'signal' | 'store'
>;

/** Instances that nobody answers for, one after another, before the run gives up. */
const MOST_UNREACHED = 10;

/**
 * Copies what a DICOMweb URL names to disk. Instances that are there already are not fetched again; those that the
 * service no longer lists are removed. Each that could not be fetched is one record in `skipped`, with its URL.
 *
 * @throws {GroundmarkError} for a URL or credentials that cannot be used; `dicomweb-401` and others when the studies
 * cannot be searched; `dicomweb-connection` when the service has gone away; `disk-full` and others of the file system
 */
export async function fetchDicomweb(
  url: string,
  options: FetchOptions,
  deps: FetchDeps,
): Promise<DicomwebCopy> {
  const { base, filters } = parseDicomwebUrl(url);
  const place = copyPlace(options.folder, url);
  const lanes = options.lanes ?? 4;
  const service = await connect(base, options, deps);
  return withLock(place.lock, deps.clock(), async () => {
    await rm(place.partial, { recursive: true, force: true });
    const listing = await listInstances(service, filters, lanes, (studies) =>
      deps.progress.start('search the PACS', studies),
    );
    const record = await fetchListed(service, place, listing, lanes, deps);
    await writeCopyRecord(deps.store, place.record, record);
    deps.log.info(
      `${base}: ${record.instances} instances, ${record.fetched} fetched, ${record.kept} here already, ` +
        `${record.instances - record.fetched - record.kept} skipped`,
    );
    return { ...record, root: place.root, shownRoot: base };
  });
}

async function connect(base: string, options: FetchOptions, deps: FetchDeps): Promise<Service> {
  const header =
    options.auth === null ? null : await authorization(options.auth, deps.environment, options.authFolder);
  const { protocol, host, hostname } = new URL(base);
  if (header !== null && protocol === 'http:' && !LOCAL.has(hostname)) {
    deps.log.warn(`the credentials and images of ${host} travel unencrypted (http)`);
  }
  const { signal, clock } = deps;
  return dicomwebService(base, {
    pageSize: options.pageSize ?? 200,
    http: {
      authorization: header,
      windowMs: options.stallMs ?? 120_000,
      leastBytes: LEAST_BYTES,
      clock,
      signal,
    },
    randomOf: (requested) => {
      const stream = rng(deps.seed, 'dicomweb', requested);
      return () => stream.next();
    },
    retry: {
      attempts: options.attempts ?? 5,
      firstWaitMs: options.firstWaitMs ?? 500,
      longestWaitMs: options.longestWaitMs ?? 60_000,
      sleep: (ms) => wait(ms, undefined, { signal }),
      signal,
    },
    warn: (message) => deps.log.warn(message),
  });
}

const LOCAL: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
/** The least that a window of `stallMs` must bring: about 0.5 kB/s in two minutes. */
const LEAST_BYTES = 65_536;

async function fetchListed(
  service: Service,
  place: CopyPlace,
  listing: Listing,
  lanes: number,
  deps: FetchDeps,
): Promise<CopyRecord> {
  await makeFolder(place.root);
  const here = await copiedInstances(place);
  // What could not be listed this time may still be there.
  if (listing.skipped.length === 0) {
    const listed = new Set(listing.instances.map((instance) => instance.path));
    await removeInstances(
      place,
      [...here].filter((instance) => !listed.has(instance)),
    );
  }
  const missing = listing.instances.filter((instance) => !here.has(instance.path));
  const retriever = instanceRetriever(service);
  const failed: SkippedFile[] = [];
  let fetched = 0;
  let unreached = 0;
  const fetchOne = async (instance: ListedInstance, index: number): Promise<void> => {
    deps.signal.throwIfAborted();
    try {
      const partial = path.join(place.partial, `${index}.dcm`);
      await retriever.retrieve(instance, partial, path.join(place.root, instance.path));
      fetched++;
      unreached = 0;
    } catch (error) {
      if (endsTheRun(error)) throw error;
      const { code, message } = error as DicomwebFailure;
      unreached = code === 'dicomweb-connection' ? unreached + 1 : 0;
      if (unreached >= MOST_UNREACHED) throw error;
      failed.push({ path: instance.url, reason: code, detail: message });
    }
  };
  const task = deps.progress.start('fetch from the PACS', missing.length);
  try {
    await inLanes(missing, lanes, (instance, index) => fetchOne(instance, index).finally(() => task.tick()));
  } finally {
    task.done();
    await rm(place.partial, { recursive: true, force: true });
  }
  const { studies, series, instances } = listing;
  const kept = instances.length - missing.length;
  if (fetched + kept + failed.length !== instances.length) throw miscounted(service.base, instances.length);
  return {
    schemaVersion: 1,
    studies,
    series,
    instances: instances.length,
    fetched,
    kept,
    skipped: [...listing.skipped, ...failed.sort((a, b) => byCodeUnit(a.path, b.path))],
  };
}

function miscounted(base: string, listed: number): GroundmarkError {
  return new GroundmarkError(
    'dicomweb-miscounted',
    `${base}: ${listed} instances were listed, and fetched and skipped ones do not add up to that. Please report this.`,
    { base, listed },
    { exit: EXIT.bug },
  );
}
