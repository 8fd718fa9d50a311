import type { SkippedFile } from '../../../domain/index-row.js';
import { byCodeUnit } from '../../store/index.js';
import type { DicomwebFailure } from './failure.js';
import type { DicomwebFilters } from './filters.js';
import { inLanes } from './in-lanes.js';
import { searchAll, type SearchResult } from './search.js';
import { endsTheRun, type Service } from './service.js';

/** One instance of a service. */
export interface ListedInstance {
  readonly uid: string;
  /** Below the base: `studies/UID/series/UID/instances/UID`; also its place in the copy. */
  readonly path: string;
  readonly url: string;
}

/** All that match, and what could not be listed. */
export interface Listing {
  readonly studies: number;
  readonly series: number;
  /** Sorted by path in code-unit order. */
  readonly instances: readonly ListedInstance[];
  readonly skipped: readonly SkippedFile[];
}

/**
 * Lists instances level by level: studies, then the series of each, then the instances of each.
 *
 * A study or series that cannot be searched is a record, as is each with fewer results than the server says there are.
 *
 * @throws {DicomwebFailure} when the studies cannot be searched, or the credentials are refused anywhere
 */
export async function listInstances(
  service: Service,
  filters: DicomwebFilters,
  lanes: number,
  onStudies: (count: number) => { tick(): void; done(): void },
): Promise<Listing> {
  const skipped: SkippedFile[] = [];
  const skip = (path: string, reason: string, detail: string): void => {
    skipped.push({ path: `${service.base}/${path}`, reason, detail });
  };
  const search = async (
    path: string,
    level: keyof DicomwebFilters,
    related: number | null,
  ): Promise<SearchResult['found']> => {
    const filtered = Object.keys(filters[level]).length > 0;
    // With a filter, how many there are is not how many match.
    const expected = filtered ? null : related;
    const { found, unusable } = await searchAll(service, {
      path,
      filters: filters[level],
      ...TAGS[level],
      expected,
    });
    if (unusable > 0) {
      skip(path, 'dicomweb-bad-uid', `${unusable} results have no UID that can be used.`);
    }
    if (expected !== null && found.length + unusable < expected) {
      const detail = `The server speaks of ${expected} results and lists ${found.length + unusable}.`;
      skip(path, 'dicomweb-incomplete-list', detail);
    }
    return found;
  };
  const searchOrSkip: typeof search = async (path, level, related) => {
    try {
      return await search(path, level, related);
    } catch (error) {
      if (endsTheRun(error)) throw error;
      const { code, message } = error as DicomwebFailure;
      skip(path, code, message);
      return [];
    }
  };

  const studies = await search('studies', 'studies', null);
  const task = onStudies(studies.length);
  let series = 0;
  try {
    const listed = await inLanes(studies, lanes, async (study) => {
      const at = `studies/${study.uid}/series`;
      const instances: ListedInstance[] = [];
      for (const one of await searchOrSkip(at, 'series', study.related)) {
        const below = `${at}/${one.uid}/instances`;
        series++;
        for (const { uid } of await searchOrSkip(below, 'instances', one.related)) {
          instances.push({ uid, path: `${below}/${uid}`, url: `${service.base}/${below}/${uid}` });
        }
      }
      task.tick();
      return instances;
    });
    return {
      studies: studies.length,
      series,
      instances: listed.flat().sort((a, b) => byCodeUnit(a.path, b.path)),
      skipped: skipped.sort((a, b) => byCodeUnit(a.path, b.path) || byCodeUnit(a.reason, b.reason)),
    };
  } finally {
    task.done();
  }
}

/** UID of each level, and the count of the level below. PS3.18 tables 10.6.3-3 to 10.6.3-5. */
const TAGS = {
  studies: { uidTag: '0020000D', relatedTag: '00201206' },
  series: { uidTag: '0020000E', relatedTag: '00201209' },
  instances: { uidTag: '00080018', relatedTag: null },
} as const;
