import { z } from 'zod';
import { DicomwebFailure, printedUrl } from './failure.js';
import { contradicts, firstValue, type Answer } from './filters.js';
import { parseMediaType } from './media-type.js';
import type { Reply } from './http.js';
import type { Service } from './service.js';

/** One thing that was found, without anything about the patient. */
export interface Found {
  readonly uid: string;
  /** How many series (of a study) or instances (of a series) the server says there are; null when it does not. */
  readonly related: number | null;
}

/** What a search gave. */
export interface SearchResult {
  /** Each UID once, in the server's order. */
  readonly found: readonly Found[];
  /** Results without a UID that can be used. */
  readonly unusable: number;
}

interface Search {
  /** Below the base: `studies`, `studies/UID/series`, … */
  readonly path: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly uidTag: string;
  readonly relatedTag: string | null;
  /** How many results there should be, so that the last page is known; null when unknown. */
  readonly expected: number | null;
}

/** PS3.5 §9.1 allows digits and dots; letters and dashes are seen in the wild. Safe as a file name and in a URL. */
const USABLE_UID = /^[0-9A-Za-z][0-9A-Za-z._-]{0,127}$/u;
const ANSWER = z.array(z.record(z.string(), z.looseObject({ Value: z.array(z.unknown()).optional() })));
/** Larger answers do not fit in a string. */
const MOST_BYTES = 256 * 1024 * 1024;

/**
 * Everything that a QIDO-RS search finds (PS3.18 §10.6), page by page. Works with servers that ignore `limit`, that
 * ignore `offset` (then it asks for larger pages), that give fewer results than asked for, that answer 204 or [] at
 * the end, and that repeat results.
 *
 * @throws {DicomwebFailure} `dicomweb-no-paging` when the server says that there is more and does not give it
 */
export async function searchAll(service: Service, search: Search): Promise<SearchResult> {
  const found = new Map<string, Found>();
  let [limit, offset, unusable, strangers, ignored] = [service.pageSize, 0, 0, 0, ''];
  for (;;) {
    const query = new URLSearchParams({
      ...search.filters,
      limit: String(limit),
      offset: String(offset),
    });
    const url = `${service.base}/${search.path}?${query.toString()}`;
    const { page, more } = await service.get(url, 'application/dicom+json', (reply) => readPage(reply, url));
    const before = found.size + unusable + strangers;
    for (const answer of page) {
      const uid = firstValue(answer, search.uidTag);
      const stranger = contradicts(answer, search.filters);
      if (stranger !== null) {
        strangers++;
        ignored = stranger;
      } else if (uid === null || !USABLE_UID.test(uid)) unusable++;
      else if (!found.has(uid)) found.set(uid, { uid, related: relatedCount(answer, search.relatedTag) });
    }
    offset += page.length;
    if (page.length === 0 || (search.expected !== null && found.size >= search.expected)) break;
    if (found.size + unusable + strangers === before) {
      // Nothing new: the server ignores `offset`. It gave all, unless it cut the list at our limit.
      if (page.length < limit) {
        if (more) throw noPaging(url, page.length);
        break;
      }
      limit *= 4;
      offset = 0;
    }
  }
  if (strangers > 0) {
    service.warn(
      `${service.base}/${search.path} ignores the filter ${ignored}: ${strangers} results that do not match were left out`,
    );
  }
  return { found: [...found.values()], unusable };
}

/** A page, and whether the server says that there is more (PS3.18 §8.3.4.4). */
async function readPage(
  reply: Reply,
  url: string,
): Promise<{ readonly page: readonly Answer[]; readonly more: boolean }> {
  if (reply.status === 204 || reply.headers.get('content-length') === '0') return { page: [], more: false };
  const more = /^\s*299\b.*additional results/iu.test(reply.headers.get('warning') ?? '');
  const { type } = parseMediaType(reply.headers.get('content-type'));
  if (!/^application\/(?:dicom\+)?json$/u.test(type)) {
    throw new DicomwebFailure(
      'dicomweb-wrong-type',
      `${printedUrl(url)} answered with ${type === '' ? 'no content type' : type}, not with DICOM JSON. ` +
        `Check that the path is that of the DICOMweb service (QIDO-RS).`,
      url,
      { retry: true },
    );
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of reply.body) {
    bytes += chunk.byteLength;
    if (bytes > MOST_BYTES) {
      throw new DicomwebFailure(
        'dicomweb-too-large',
        `${printedUrl(url)} gives more than ${MOST_BYTES / 1024 / 1024} MB of search results at once. Name a filter.`,
        url,
        { retry: false },
      );
    }
    chunks.push(chunk);
  }
  try {
    return { page: ANSWER.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))), more };
  } catch {
    // Without the cause: it repeats parts of the answer, which hold names.
    throw new DicomwebFailure(
      'dicomweb-malformed',
      `${printedUrl(url)} answered with something that is not a list of DICOM JSON objects (PS3.18 annex F).`,
      url,
      { retry: true },
    );
  }
}

function relatedCount(answer: Answer, tag: string | null): number | null {
  const text = tag === null ? null : firstValue(answer, tag);
  return text !== null && /^\d{1,9}$/u.test(text.trim()) ? Number(text) : null;
}

function noPaging(url: string, results: number): DicomwebFailure {
  return new DicomwebFailure(
    'dicomweb-no-paging',
    `${printedUrl(url)} gives the same ${results} results for every page and says that there are more. ` +
      `Name narrower filters.`,
    url,
    { retry: false },
  );
}
