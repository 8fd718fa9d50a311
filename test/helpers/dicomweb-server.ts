import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One instance that the stand-in holds. */
export interface StandInInstance {
  readonly study: string;
  readonly series: string;
  readonly uid: string;
  readonly file: Uint8Array;
  /** Further attributes of the study's answers, such as PatientID. */
  readonly studyAttributes?: Readonly<Record<string, unknown>>;
}

/** What the stand-in was asked. */
export interface AskedFor {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** How often this path had been asked for before. */
  readonly earlier: number;
}

/** How it differs from a good server. */
export interface Behaviour {
  /** The Authorization header that it wants. */
  readonly authorization?: string;
  readonly ignoresLimit?: boolean;
  readonly ignoresOffset?: boolean;
  readonly ignoresFilters?: boolean;
  readonly pageCap?: number;
  /** What it says when there are no results (left): status 204, or 200 with []. */
  readonly end?: 204 | 200;
  /** Gives every result twice. */
  readonly duplicates?: boolean;
  /** Does not say how many series and instances there are, or a wrong number. */
  readonly counts?: 'none' | number;
  /** Accept headers that it does not know, answered with this status. */
  readonly refusesAccept?: (accept: string) => number | null;
  /** Answers instead of the stand-in when it gives true. */
  readonly instead?: (asked: AskedFor, response: ServerResponse) => boolean | Promise<boolean>;
}

export interface StandIn {
  /** As a source of `groundmark index`. */
  readonly source: string;
  readonly base: string;
  readonly asked: AskedFor[];
  close(): Promise<void>;
}

const UIDS: Record<string, string> = {
  StudyInstanceUID: 'study',
  SeriesInstanceUID: 'series',
  SOPInstanceUID: 'uid',
};

/** A small DICOMweb server (QIDO-RS, WADO-RS) on a free port of this machine, good but for what `behaviour` says. */
export async function standInServer(
  instances: readonly StandInInstance[],
  behaviour: Behaviour = {},
  port = 0,
): Promise<StandIn> {
  const asked: AskedFor[] = [];
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://stand-in');
    const entry: AskedFor = {
      path: pathname.replace(/^\/dicom-web\//u, ''),
      query: searchParams,
      headers: request.headers,
      earlier: asked.filter(({ path }) => pathname.endsWith(`/dicom-web/${path}`)).length,
    };
    asked.push(entry);
    void answer(entry, response).catch(() => response.destroy());
  });

  const answer = async (entry: AskedFor, response: ServerResponse): Promise<void> => {
    if (behaviour.authorization !== undefined && entry.headers.authorization !== behaviour.authorization) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="stand-in"' }).end('no');
      return;
    }
    if (await behaviour.instead?.(entry, response)) return;
    const parts = entry.path.split('/');
    if (parts.length % 2 === 1) search(entry, parts, response);
    else retrieve(entry, parts.at(-1)!, response);
  };

  const search = ({ query }: AskedFor, parts: readonly string[], response: ServerResponse): void => {
    const level = parts.length === 1 ? 'study' : parts.length === 3 ? 'series' : 'uid';
    const inside = instances.filter(
      (one) =>
        (parts.length < 3 || one.study === parts[1]) &&
        (parts.length < 5 || one.series === parts[3]) &&
        (behaviour.ignoresFilters === true ||
          Object.entries(UIDS).every(([keyword, field]) => {
            const wanted = query.get(keyword);
            return wanted === null || wanted === (one as unknown as Record<string, unknown>)[field];
          })),
    );
    let found = [...new Map(inside.map((one) => [one[level], one])).values()];
    if (behaviour.duplicates) found = found.flatMap((one) => [one, one]);
    const offset = behaviour.ignoresOffset ? 0 : Number(query.get('offset') ?? 0);
    const limit = behaviour.ignoresLimit ? Infinity : Number(query.get('limit') ?? Infinity);
    const page = found.slice(offset, offset + Math.min(limit, behaviour.pageCap ?? Infinity));
    if (page.length === 0 && behaviour.end === 204) response.writeHead(204).end();
    else
      json(
        response,
        page.map((one) => attributes(one, level)),
      );
  };

  const attributes = (one: StandInInstance, level: 'study' | 'series' | 'uid'): Record<string, unknown> => {
    const count = (of: (other: StandInInstance) => string | null): unknown => {
      if (behaviour.counts === 'none') return {};
      const distinct = new Set(instances.map(of).filter((value) => value !== null)).size;
      return { vr: 'IS', Value: [behaviour.counts ?? distinct] };
    };
    const uid = (value: string): unknown => ({ vr: 'UI', Value: [value] });
    return {
      '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Sorglos^Susi' }] },
      '0020000D': uid(one.study),
      ...one.studyAttributes,
      ...(level === 'study' && {
        '00201206': count((other) => (other.study === one.study ? other.series : null)),
      }),
      ...(level !== 'study' && { '0020000E': uid(one.series) }),
      ...(level === 'series' && {
        '00201209': count((other) => (other.series === one.series ? other.uid : null)),
      }),
      ...(level === 'uid' && { '00080018': uid(one.uid) }),
    };
  };

  const retrieve = ({ headers }: AskedFor, uid: string, response: ServerResponse): void => {
    const refused = behaviour.refusesAccept?.(headers.accept ?? '') ?? null;
    const one = instances.find((other) => other.uid === uid);
    if (refused !== null || one === undefined) response.writeHead(refused ?? 404).end();
    else if (headers.accept?.startsWith('application/dicom')) {
      response.writeHead(200, { 'content-type': 'application/dicom', 'content-length': one.file.length });
      response.end(one.file);
    } else multipart(response, one.file);
  };

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}/dicom-web`;
  return {
    source: `dicomweb+${base}`,
    base,
    asked,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/dicom+json' }).end(JSON.stringify(value));
}

/** A good multipart answer of one DICOM file. */
export function multipart(response: ServerResponse, file: Uint8Array): void {
  response.writeHead(200, { 'content-type': MULTIPART });
  response.end(multipartBody(file));
}

export const MULTIPART = 'multipart/related; type="application/dicom"; boundary="=_edge of 1/2"';

export function multipartBody(file: Uint8Array): Buffer {
  return Buffer.concat([
    Buffer.from('--=_edge of 1/2\r\nContent-Type: application/dicom\r\n\r\n'),
    file,
    Buffer.from('\r\n--=_edge of 1/2--\r\n'),
  ]);
}
