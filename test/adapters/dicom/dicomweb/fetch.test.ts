import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fetchDicomweb, type FetchOptions } from '../../../../src/adapters/dicom/dicomweb/index.js';
import type { Deps } from '../../../../src/adapters/deps.js';
import { testDeps } from '../../../helpers/deps.js';
import {
  json,
  MULTIPART,
  multipart,
  multipartBody,
  standInServer,
  type AskedFor,
  type Behaviour,
  type StandIn,
  type StandInInstance,
} from '../../../helpers/dicomweb-server.js';
import { ctFile } from '../make-ct.js';

/** Seven instances: study 1.1 has series 1.1.1 (three) and 1.1.2 (two), study 1.2 has series 1.2.1 (two). */
const INSTANCES: StandInInstance[] = [
  ['1.1', '1.1.1', '1.1.1.1'],
  ['1.1', '1.1.1', '1.1.1.2'],
  ['1.1', '1.1.1', '1.1.1.3'],
  ['1.1', '1.1.2', '1.1.2.1'],
  ['1.1', '1.1.2', '1.1.2.2'],
  ['1.2', '1.2.1', '1.2.1.1'],
  ['1.2', '1.2.1', '1.2.1.2'],
].map(([study, series, uid], i) => instance(study!, series!, uid!, i));

function instance(study: string, series: string, uid: string, i: number): StandInInstance {
  const file = ctFile({ z: i, instanceNumber: i, sopInstanceUid: uid, seriesInstanceUid: series });
  return { study, series, uid, file };
}

const PLACES = INSTANCES.map(
  ({ study, series, uid }) => `studies/${study}/series/${series}/instances/${uid}`,
);
const ONE = PLACES[1]!;

let folder: string;
let server: StandIn | null = null;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'gm-dicomweb-'));
});
afterEach(async () => {
  await server?.close();
  server = null;
  await rm(folder, { recursive: true, force: true });
});

async function start(
  behaviour: Behaviour = {},
  instances: readonly StandInInstance[] = INSTANCES,
): Promise<StandIn> {
  await server?.close();
  return (server = await standInServer(instances, behaviour));
}

async function fetchAll(options: Partial<FetchOptions> & { query?: string } = {}, deps: Partial<Deps> = {}) {
  const { query = '', ...rest } = options;
  const own = testDeps(deps);
  const copy = await fetchDicomweb(
    `${server!.source}${query}`,
    { folder, auth: null, authFolder: folder, firstWaitMs: 1, longestWaitMs: 50, ...rest },
    own,
  );
  return { ...copy, lines: own.lines };
}

/** Instances of a copy by place, whether they are whole. */
async function copied(root: string): Promise<string[]> {
  const files = (await readdir(root, { recursive: true, withFileTypes: true })).filter((entry) =>
    entry.isFile(),
  );
  const places = files.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))).sort();
  for (const place of places) {
    const sent = INSTANCES.find(({ uid }) => place.endsWith(`/${uid}`))?.file;
    expect(Buffer.compare(await readFile(path.join(root, place)), Buffer.from(sent!))).toBe(0);
  }
  return places;
}

const retrieved = (): AskedFor[] => server!.asked.filter((asked) => asked.path.split('/').length === 6);

/** A fault for one instance only, as often as `times`. */
function fault(break_: (response: ServerResponse) => void | Promise<void>, times = Infinity): Behaviour {
  return {
    instead: async (asked, response) => {
      if (asked.path !== ONE || asked.earlier >= times) return false;
      await break_(response);
      return true;
    },
  };
}

describe('fetchDicomweb, servers of all kinds', () => {
  it.each<[string, Behaviour, Partial<FetchOptions>]>([
    ['a good one', {}, {}],
    ['a good one, by pages of one', {}, { pageSize: 1 }],
    ['one that ignores limit', { ignoresLimit: true }, { pageSize: 2 }],
    ['one that ignores limit and offset', { ignoresLimit: true, ignoresOffset: true }, { pageSize: 2 }],
    ['the same without counts', { ignoresLimit: true, ignoresOffset: true, counts: 'none' }, { pageSize: 2 }],
    ['one that ignores offset', { ignoresOffset: true, counts: 'none' }, { pageSize: 1 }],
    ['one that caps pages', { pageCap: 1 }, {}],
    ['one that caps pages and gives no counts', { pageCap: 1, counts: 'none' }, {}],
    ['one that ends with 204', { end: 204, counts: 'none' }, {}],
    ['one that gives everything twice', { duplicates: true }, { pageSize: 2 }],
    ['one that gives everything twice by capped pages', { duplicates: true, pageCap: 2 }, {}],
    [
      'one that knows no transfer-syntax=*',
      { refusesAccept: (accept) => (accept.includes('*') ? 406 : null) },
      {},
    ],
    [
      'one that gives single files only',
      { refusesAccept: (accept) => (accept.startsWith('multipart') ? 400 : null) },
      {},
    ],
  ])('%s gives the seven instances', async (_what, behaviour, options) => {
    await start(behaviour);
    const copy = await fetchAll(options);
    expect(copy).toMatchObject({ studies: 2, series: 3, instances: 7, fetched: 7, kept: 0, skipped: [] });
    expect(copy.shownRoot).toBe(server!.base);
    expect(await copied(copy.root)).toEqual(PLACES);
  });

  it('asks for pixel data as stored, and warns when it cannot have them', async () => {
    await start();
    await fetchAll();
    expect(new Set(retrieved().map(({ headers }) => headers.accept))).toEqual(
      new Set(['multipart/related; type="application/dicom"; transfer-syntax=*']),
    );
    await rm(folder, { recursive: true });
    await start({ refusesAccept: (accept) => (accept.includes('*') ? 406 : null) });
    const { lines } = await fetchAll({ lanes: 1 });
    expect(lines.filter((line) => line.includes('as stored'))).toHaveLength(1);
    // Three tries for the first instance, one for each of the others.
    expect(retrieved()).toHaveLength(9);
  });

  it('has no more requests under way than lanes', async () => {
    let [now, most] = [0, 0];
    await start({
      instead: async (asked) => {
        if (asked.path.split('/').length !== 6) return false;
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 10));
        now--;
        return false;
      },
    });
    await fetchAll({ lanes: 3 });
    expect(most).toBe(3);
  });

  it('undoes gzip', async () => {
    await start({
      instead: (asked, response) => {
        if (asked.path !== ONE) return false;
        expect(asked.headers['accept-encoding']).toContain('gzip');
        response.writeHead(200, { 'content-type': MULTIPART, 'content-encoding': 'gzip' });
        response.end(gzipSync(multipartBody(INSTANCES[1]!.file)));
        return true;
      },
    });
    expect(await copied((await fetchAll()).root)).toEqual(PLACES);
  });
});

describe('fetchDicomweb, filters', () => {
  it('fetches what the filters of all three levels leave', async () => {
    await start();
    const copy = await fetchAll({
      query: '?StudyInstanceUID=1.1&SeriesInstanceUID=1.1.1&SOPInstanceUID=1.1.1.2',
    });
    expect(copy).toMatchObject({ studies: 1, series: 1, instances: 1, fetched: 1, skipped: [] });
    expect(await copied(copy.root)).toEqual([ONE]);
  });

  it('leaves out what does not match when the server ignores a filter, and says so', async () => {
    await start({ ignoresFilters: true });
    const copy = await fetchAll({ query: '?StudyInstanceUID=1.2' });
    expect(await copied(copy.root)).toEqual(PLACES.slice(5));
    expect(copy.lines.join('\n')).toMatch(/ignores the filter StudyInstanceUID: 1 results/u);
  });

  it('gives an empty copy when nothing matches', async () => {
    await start();
    expect(await fetchAll({ query: '?StudyInstanceUID=9.9' })).toMatchObject({ instances: 0, skipped: [] });
  });
});

describe('fetchDicomweb, going on', () => {
  it('fetches only what is missing, and removes what is no longer listed', async () => {
    await start(fault((response) => void response.writeHead(404).end()));
    const first = await fetchAll();
    expect(first).toMatchObject({ fetched: 6, kept: 0, skipped: [{ reason: 'dicomweb-404' }] });
    // The same port is not to be had for certain: the second server answers in the first one's place.
    const [base, source] = [server!.base, server!.source];
    await server!.close();
    server = null;
    const again = await standInServer(INSTANCES.slice(1), {}, Number(new URL(base).port));
    server = again;
    expect(again.source).toBe(source);
    const second = await fetchAll();
    expect(second).toMatchObject({ instances: 6, fetched: 1, kept: 5, skipped: [] });
    expect(retrieved().map((asked) => asked.path)).toEqual([ONE]);
    expect(await copied(second.root)).toEqual(PLACES.slice(1));
  });

  it('keeps what it has when the list is not whole', async () => {
    let broken = false;
    await start({
      instead: (asked, response) => {
        if (!broken || asked.path !== 'studies/1.1/series') return false;
        response.writeHead(500).end();
        return true;
      },
    });
    await fetchAll();
    broken = true;
    const copy = await fetchAll({ attempts: 2 });
    expect(copy).toMatchObject({
      studies: 2,
      instances: 2,
      skipped: [{ path: `${server!.base}/studies/1.1/series`, reason: 'dicomweb-500' }],
    });
    expect(await copied(copy.root)).toEqual(PLACES);
  });

  it('stops on a signal, and goes on with what it had', async () => {
    const stop = new AbortController();
    await start({
      instead: (asked) => {
        if (asked.path === PLACES[4] && asked.earlier === 0) {
          stop.abort(new Error('stopped by the test'));
          return true;
        }
        return false;
      },
    });
    await expect(fetchAll({ lanes: 1 }, { signal: stop.signal })).rejects.toThrow('stopped by the test');
    const copy = await fetchAll({ lanes: 1 });
    expect(copy).toMatchObject({ fetched: 3, kept: 4, skipped: [] });
    expect((await readdir(path.dirname(copy.root))).sort()).toEqual(['dicom', 'fetched.json']);
  });
});

describe('fetchDicomweb, faults', () => {
  const half = INSTANCES[1]!.file.subarray(0, 300);

  it.each<[string, Behaviour]>([
    [
      '429 with Retry-After',
      fault((response) => void response.writeHead(429, { 'retry-after': '0' }).end(), 2),
    ],
    ['500', fault((response) => void response.writeHead(500).end('oops'), 1)],
    [
      '503 with a date',
      fault((r) => void r.writeHead(503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }).end(), 1),
    ],
    ['a connection that is cut before the answer', fault((response) => void response.destroy(), 1)],
    [
      'a connection that is cut inside the answer',
      fault((response) => {
        response.writeHead(200, { 'content-type': MULTIPART, 'content-length': 9999 });
        response.write(multipartBody(half).subarray(0, 200), () => response.destroy());
      }, 2),
    ],
    ['a page of HTML', fault((r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<html>'), 1)],
    [
      'an answer that ends in the middle, as if it were whole',
      fault(
        (r) => void r.writeHead(200, { 'content-type': MULTIPART }).end(multipartBody(half).subarray(0, 200)),
        1,
      ),
    ],
    ['another instance', fault((response) => multipart(response, INSTANCES[0]!.file), 1)],
  ])('%s and then a good answer: nothing is missing', async (_what, behaviour) => {
    await start(behaviour);
    const copy = await fetchAll();
    expect(copy).toMatchObject({ fetched: 7, skipped: [] });
    expect(await copied(copy.root)).toEqual(PLACES);
    expect(retrieved().length).toBeGreaterThan(7);
  });

  it.each<[string, string, (response: ServerResponse) => void]>([
    ['404', 'dicomweb-404', (r) => void r.writeHead(404).end()],
    ['403', 'dicomweb-403', (r) => void r.writeHead(403).end()],
    ['500', 'dicomweb-500', (r) => void r.writeHead(500).end('Sorglos^Susi')],
    ['HTML', 'dicomweb-wrong-type', (r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<p>')],
    [
      'XML with status 200',
      'dicomweb-wrong-type',
      (r) => void r.writeHead(200, { 'content-type': 'application/dicom+xml' }).end('<a/>'),
    ],
    ['multipart without boundary', 'dicomweb-wrong-type', (r) => head(r, 'multipart/related').end('--b')],
    [
      'another boundary',
      'dicomweb-malformed',
      (r) => head(r, 'multipart/related; boundary=x').end('--b\r\n\r\n'),
    ],
    [
      'two instances',
      'dicomweb-malformed',
      (r) => {
        const body = multipartBody(INSTANCES[1]!.file);
        head(r, MULTIPART).end(Buffer.concat([body.subarray(0, body.length - 4), Buffer.from('\r\n'), body]));
      },
    ],
    ['no part', 'dicomweb-no-instance', (r) => head(r, MULTIPART).end('--=_edge of 1/2--')],
    ['a part that is no DICOM', 'dicomweb-not-dicom', (r) => multipart(r, Buffer.from('<html>busy</html>'))],
    ['an empty part', 'dicomweb-not-dicom', (r) => multipart(r, Buffer.alloc(0))],
    [
      'half a part',
      'dicomweb-truncated',
      (r) => head(r, MULTIPART).end(multipartBody(half).subarray(0, 250)),
    ],
    [
      'a single file whose length nobody knows',
      'dicomweb-truncated',
      (r) => {
        // HTTP/1.0 style: the end of the connection is the end of the answer.
        r.useChunkedEncodingByDefault = false;
        r.shouldKeepAlive = false;
        head(r, 'application/dicom').end(half);
      },
    ],
    ['another instance', 'dicomweb-wrong-instance', (r) => multipart(r, INSTANCES[0]!.file)],
    ['a cut connection', 'dicomweb-connection', (r) => void r.destroy()],
  ])('%s every time: one record, all others whole', async (_what, reason, break_) => {
    await start(fault(break_));
    const copy = await fetchAll({ attempts: 3 });
    expect(copy).toMatchObject({ instances: 7, fetched: 6, kept: 0 });
    expect(copy.skipped).toEqual([
      { path: `${server!.base}/${ONE}`, reason, detail: expect.any(String) as string },
    ]);
    expect(await copied(copy.root)).toEqual(PLACES.filter((place) => place !== ONE));
    expect(JSON.stringify(copy)).not.toContain('Sorglos');
    expect((await readdir(path.dirname(copy.root))).sort()).toEqual(['dicom', 'fetched.json']);
  });

  const head = (response: ServerResponse, type: string): ServerResponse =>
    response.writeHead(200, { 'content-type': type });

  it.each<[string, (response: ServerResponse) => void]>([
    ['silence', () => undefined],
    ['silence after the head', (response) => void head(response, MULTIPART).flushHeaders()],
    [
      'a trickle',
      (response) => {
        const drip = setInterval(() => response.write('-'), 20);
        response.on('close', () => clearInterval(drip));
        head(response, MULTIPART).flushHeaders();
      },
    ],
  ])('%s is a timeout', async (_what, break_) => {
    await start(fault(break_));
    const copy = await fetchAll({ attempts: 2, stallMs: 300 });
    expect(copy).toMatchObject({ fetched: 6, skipped: [{ reason: 'dicomweb-timeout' }] });
  });

  it('waits for a slow answer that goes on coming', async () => {
    const body = multipartBody(INSTANCES[1]!.file);
    const filler = Buffer.alloc(70_000, 'x');
    await start(
      fault((response) => {
        head(response, MULTIPART);
        let left = 6;
        // A preamble: as long as it likes.
        const drip = setInterval(() => {
          if (left-- > 0) return void response.write(filler);
          clearInterval(drip);
          response.end(Buffer.concat([Buffer.from('\r\n'), body]));
        }, 100);
      }),
    );
    const copy = await fetchAll({ stallMs: 300 });
    expect(copy).toMatchObject({ fetched: 7, skipped: [] });
  });

  it('ends the run when the credentials are refused in the middle', async () => {
    await start(fault((response) => void response.writeHead(401).end()));
    await expect(fetchAll()).rejects.toMatchObject({ code: 'dicomweb-401', exit: 4 });
  });

  it('ends the run when nobody answers any more', async () => {
    const many = Array.from({ length: 40 }, (_, i) => instance('1.1', '1.1.1', `1.1.1.${i + 1}`, i));
    await start({ instead: (asked, r) => asked.path.split('/').length === 6 && (r.destroy(), true) }, many);
    await expect(fetchAll({ attempts: 2, lanes: 2 })).rejects.toMatchObject({ code: 'dicomweb-connection' });
    expect(retrieved().length).toBeLessThan(30);
  });
});

describe('fetchDicomweb, searches that fail', () => {
  it.each<[string, string, number, (response: ServerResponse) => void]>([
    ['404', 'dicomweb-404', 1, (r) => void r.writeHead(404).end()],
    ['401', 'dicomweb-401', 1, (r) => void r.writeHead(401).end()],
    ['403', 'dicomweb-403', 1, (r) => void r.writeHead(403).end()],
    ['503', 'dicomweb-503', 3, (r) => void r.writeHead(503).end()],
    [
      'a page of HTML',
      'dicomweb-wrong-type',
      3,
      (r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    ],
    ['broken JSON', 'dicomweb-malformed', 3, (r) => jsonText(r, '[{"00100010":{"Value":["Sorglos')],
    ['an object', 'dicomweb-malformed', 3, (r) => json(r, { error: 'Sorglos' })],
    ['a list of words', 'dicomweb-malformed', 3, (r) => json(r, ['Sorglos'])],
  ])('%s for the studies is an error, after %s in %i tries', async (_what, code, tries, break_) => {
    await start({ instead: (_asked, response) => (break_(response), true) });
    const error: unknown = await fetchAll({ attempts: 3, query: '?PatientName=Sorglos' }).catch(
      (e: unknown) => e,
    );
    expect(error).toMatchObject({ code, exit: 4, context: { url: `${server!.base}/studies` } });
    expect(server!.asked).toHaveLength(tries);
    const { message, stack, cause } = error as Error;
    expect(`${message} ${stack} ${String(cause)} ${JSON.stringify(error)}`).not.toContain('Sorglos');
  });

  const jsonText = (response: ServerResponse, text: string): void =>
    void response.writeHead(200, { 'content-type': 'application/json' }).end(text);

  it('is an error when a server says that there is more and gives the same page again', async () => {
    await start({
      instead: (_asked, response) => {
        response.setHeader('warning', '299 PACS: There are 5 additional results that can be requested');
        json(response, [{ '0020000D': { vr: 'UI', Value: ['1.1'] } }]);
        return true;
      },
    });
    await expect(fetchAll()).rejects.toMatchObject({ code: 'dicomweb-no-paging' });
  });

  it('records a list that is shorter than the server says', async () => {
    await start({ counts: 3 });
    const copy = await fetchAll({ query: '?StudyInstanceUID=1.2' });
    expect(copy).toMatchObject({ instances: 2, fetched: 2 });
    expect(copy.skipped).toEqual([
      {
        path: `${server!.base}/studies/1.2/series`,
        reason: 'dicomweb-incomplete-list',
        detail: 'The server speaks of 3 results and lists 1.',
      },
      {
        path: `${server!.base}/studies/1.2/series/1.2.1/instances`,
        reason: 'dicomweb-incomplete-list',
        detail: 'The server speaks of 3 results and lists 2.',
      },
    ]);
  });

  it.each(['..', '../../../etc/passwd', 'a/b', '', ' 1.2', `1.${'2'.repeat(200)}`])(
    'records a result whose UID %o cannot be a file name',
    async (uid) => {
      await start({}, [...INSTANCES, { ...INSTANCES[0]!, uid }]);
      const copy = await fetchAll();
      expect(copy).toMatchObject({ fetched: 7, skipped: [{ reason: 'dicomweb-bad-uid' }] });
      expect(await copied(copy.root)).toEqual(PLACES);
    },
  );

  it('is a clear error when nobody listens', async () => {
    await start();
    await server!.close();
    await expect(fetchAll({ attempts: 2 })).rejects.toMatchObject({
      code: 'dicomweb-connection',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });
});

describe('fetchDicomweb, credentials', () => {
  const environment = (name: string): string | undefined =>
    name === 'PACS' ? 'Bearer t0ken.of-the-test' : undefined;

  it('sends a bearer token, and only where it is asked to', async () => {
    await start({ authorization: 'Bearer t0ken.of-the-test' });
    const copy = await fetchAll({ auth: 'env:PACS' }, { environment });
    expect(copy).toMatchObject({ fetched: 7, skipped: [] });
    expect(JSON.stringify(copy)).not.toContain('t0ken');
    await expect(fetchAll({ auth: null }, { environment })).rejects.toMatchObject({
      code: 'dicomweb-401',
      exit: 4,
    });
  });

  it('does not follow a redirect to another origin with them', async () => {
    const other = await standInServer(INSTANCES);
    try {
      await start({
        instead: (asked, response) => {
          response
            .writeHead(302, { location: `${other.base}/${asked.path}?${asked.query.toString()}` })
            .end();
          return true;
        },
      });
      expect(await fetchAll({ auth: 'env:PACS' }, { environment })).toMatchObject({ fetched: 7 });
      expect(server!.asked.every(({ headers }) => headers.authorization !== undefined)).toBe(true);
      expect(other.asked.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    } finally {
      await other.close();
    }
  });
});

describe('fetchDicomweb, a large instance', () => {
  it('streams 150 MB and never holds more than 64 MB of it', async () => {
    const [pieces, piece] = [2400, Buffer.alloc(65_536, 7)];
    const dicom = Buffer.from(ctFile({ z: 0, sopInstanceUid: '1.1.1.2', seriesInstanceUid: '1.1.1' }));
    await start(
      fault(async (response) => {
        response.writeHead(200, { 'content-type': MULTIPART });
        response.write(multipartBody(dicom).subarray(0, -21));
        for (let i = 0; i < pieces; i++) {
          if (!response.write(piece)) await new Promise((resolve) => response.once('drain', resolve));
        }
        response.end('\r\n--=_edge of 1/2--\r\n');
      }),
      [INSTANCES[1]!],
    );
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const look = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 5);
    const copy = await fetchAll();
    clearInterval(look);
    expect(copy).toMatchObject({ fetched: 1, skipped: [] });
    const file = await readFile(path.join(copy.root, ONE));
    expect(file.length).toBe(dicom.length + pieces * piece.length);
    expect(file.subarray(0, dicom.length).equals(dicom)).toBe(true);
    expect(most).toBeLessThan(64 * 1024 * 1024);
  });
});
