import { describe, expect, it } from 'vitest';
import { MultipartParser } from '../../../../src/adapters/dicom/dicomweb/multipart.js';
import { parseMediaType } from '../../../../src/adapters/dicom/dicomweb/media-type.js';

/** Parts of a body that comes in pieces of `size` bytes: headers and data. */
function partsOf(body: string, size: number, boundary = 'b'): [Record<string, string>, string][] {
  const parser = new MultipartParser(boundary);
  const bytes = Buffer.from(body, 'latin1');
  const parts: [Record<string, string>, string][] = [];
  let open = false;
  const take = (events: ReturnType<MultipartParser['push']>): void => {
    for (const event of events) {
      if (event.kind === 'part') {
        parts.push([Object.fromEntries(event.headers), '']);
        open = true;
      } else if (event.kind === 'data') parts.at(-1)![1] += event.bytes.toString('latin1');
      else open = false;
    }
  };
  for (let i = 0; i < bytes.length; i += size) take(parser.push(bytes.subarray(i, i + size)));
  take(parser.finish());
  expect(open).toBe(false);
  return parts;
}

describe('MultipartParser', () => {
  const cases: [string, string, [Record<string, string>, string][]][] = [
    ['one part', '--b\r\nA: 1\r\n\r\nxyz\r\n--b--\r\n', [[{ a: '1' }, 'xyz']]],
    [
      'two parts',
      '--b\r\n\r\nx\r\n--b\r\n\r\ny\r\n--b--',
      [
        [{}, 'x'],
        [{}, 'y'],
      ],
    ],
    ['no part', '--b--\r\n', []],
    ['an empty part', '--b\r\nA: 1\r\n\r\n\r\n--b--', [[{ a: '1' }, '']]],
    ['an empty part without a line of its own', '--b\r\nA: 1\r\n\r\n--b--', [[{ a: '1' }, '']]],
    ['a preamble and an epilogue', 'hello\r\n--b\r\n\r\nx\r\n--b--\r\n--b\r\nbye', [[{}, 'x']]],
    ['an empty line first', '\r\n--b\r\n\r\nx\r\n--b--', [[{}, 'x']]],
    ['line ends of LF alone', '--b\nA: 1\n\nx\n--b--\n', [[{ a: '1' }, 'x']]],
    ['data that end in CR before a line end of LF', '--b\nA: 1\n\nx\r\n--b--\n', [[{ a: '1' }, 'x\r']]],
    ['data that end in CR LF', '--b\r\n\r\nx\r\n\r\n--b--', [[{}, 'x\r\n']]],
    ['a last boundary without dashes', '--b\r\n\r\nx\r\n--b\r\n', [[{}, 'x']]],
    ['a last boundary without anything after it', '--b\r\n\r\nx\r\n--b', [[{}, 'x']]],
    [
      'no last boundary but a length',
      '--b\r\nContent-Length: 2\r\n\r\nxy',
      [[{ 'content-length': '2' }, 'xy']],
    ],
    [
      'the same with a line end',
      '--b\r\nContent-Length: 2\r\n\r\nxy\r\n',
      [[{ 'content-length': '2' }, 'xy']],
    ],
    [
      'blanks after a boundary',
      '--b \t\r\n\r\nx\r\n--b  \r\n\r\ny\r\n--b--',
      [
        [{}, 'x'],
        [{}, 'y'],
      ],
    ],
    [
      'header names of any case',
      '--b\r\ncOnTeNt-TyPe:a/B\r\n\r\n\r\n--b--',
      [[{ 'content-type': 'a/B' }, '']],
    ],
    ['a header on two lines', '--b\r\nA: 1;\r\n  c=2\r\n\r\nx\r\n--b--', [[{ a: '1; c=2' }, 'x']]],
    ['a longer boundary in the data', '--b\r\n\r\nx\r\n--bc\r\ny\r\n--b--', [[{}, 'x\r\n--bc\r\ny']]],
    ['a boundary inside a line of the data', '--b\r\n\r\nx--b\r\n\r\ny\r\n--b--', [[{}, 'x--b\r\n\r\ny']]],
    [
      'a boundary in the data before the announced length',
      '--b\r\nContent-Length: 9\r\n\r\nx\r\n--b\r\ny\r\n--b--',
      [[{ 'content-length': '9' }, 'x\r\n--b\r\ny']],
    ],
    [
      'a CR at the end that the announced length counts',
      '--b\r\nContent-Length: 2\r\n\r\nx\r\n--b--',
      [[{ 'content-length': '2' }, 'x\r']],
    ],
  ];
  it.each(cases)('reads %s, however the bytes come', (_what, body, expected) => {
    for (const size of [1, 2, 3, 5, 7, 1000]) expect([size, partsOf(body, size)]).toEqual([size, expected]);
  });

  it.each([
    ['an end inside the data', '--b\r\n\r\nxyz', 'truncated'],
    ['an end just before the boundary', '--b\r\n\r\nxyz\r\n--', 'truncated'],
    ['an end inside the headers', '--b\r\nContent-Ty', 'truncated'],
    ['an end before the announced length', '--b\r\nContent-Length: 9\r\n\r\nxyz', 'truncated'],
    ['a boundary before the announced length', '--b\r\nContent-Length: 9\r\n\r\nx\r\n--b--', 'truncated'],
    ['more data than announced', '--b\r\nContent-Length: 1\r\n\r\nxyz\r\n--b--', 'malformed'],
    ['more data than announced and no boundary', '--b\r\nContent-Length: 1\r\n\r\nxyz', 'truncated'],
    ['another boundary', '--c\r\n\r\nx\r\n--c--', 'malformed'],
    ['nothing', '', 'malformed'],
    ['a page of HTML', '<html><body>Busy</body></html>', 'malformed'],
    ['a header without colon', '--b\r\nnonsense\r\n\r\nx\r\n--b--', 'malformed'],
    ['headers that do not end', `--b\r\nA: ${'x'.repeat(20_000)}`, 'malformed'],
  ])('refuses %s, however the bytes come', (_what, body, kind) => {
    for (const size of [1, 3, 1000, 100_000]) {
      expect(() => partsOf(body, size)).toThrow(
        expect.objectContaining({ name: 'MultipartError', kind }) as Error,
      );
    }
  });

  it('holds no more than a delimiter of a large part', () => {
    const parser = new MultipartParser('b');
    let given = 0;
    const count = (bytes: Uint8Array): void => {
      for (const event of parser.push(bytes)) if (event.kind === 'data') given += event.bytes.length;
    };
    count(Buffer.from('--b\r\n\r\n'));
    for (let i = 1; i <= 100; i++) {
      count(Buffer.alloc(65_536, '\r\n'));
      expect(i * 65_536 - given).toBeLessThanOrEqual(5);
    }
  });
});

describe('parseMediaType', () => {
  it.each([
    ['multipart/related; type="application/dicom"; boundary=abc', 'multipart/related', 'abc'],
    ['Multipart/Related;Boundary="a;b=c";type=application/dicom', 'multipart/related', 'a;b=c'],
    ['multipart/related; boundary="a\\"b" ', 'multipart/related', 'a"b'],
    ['multipart/related ; boundary = abc ; charset=utf-8', 'multipart/related', 'abc'],
    ['application/dicom', 'application/dicom', undefined],
    ['', '', undefined],
    [null, '', undefined],
  ])('reads %s', (header, type, boundary) => {
    const media = parseMediaType(header);
    expect([media.type, media.parameters.get('boundary')]).toEqual([type, boundary]);
  });
});
