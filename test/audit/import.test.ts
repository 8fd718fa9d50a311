import { describe, expect, it } from 'vitest';
import { parseFieldMap } from '../../src/audit/import/field-map.js';
import { importFiles } from '../../src/audit/import/import-files.js';
import type { SourceFile } from '../../src/audit/import/importer.js';
import { IMPORTERS } from '../../src/audit/import/registry.js';
import { sourceText } from '../../src/audit/import/source-text.js';
import { itemsSha256 } from '../../src/audit/audit-item.js';

const file = (name: string, text: string): SourceFile => ({ path: `/data/${name}`, name, text });
const jsonl = (...records: unknown[]): string => records.map((record) => JSON.stringify(record)).join('\n');
const read = (files: SourceFile[], map: string | null = null, format: string | null = null) =>
  importFiles(files, { format, map: map === null ? null : parseFieldMap(map), key: null });

describe('foreign layouts', () => {
  it.each([
    {
      format: 'medqa',
      source: file(
        'm.jsonl',
        jsonl({ question: ' Q? ', options: { A: ' one ', B: 'two' }, answer: 'two', answer_idx: 'B' }),
      ),
    },
    {
      format: 'arc',
      source: file(
        'a.jsonl',
        jsonl({
          id: 'x1',
          question: {
            stem: 'Q?',
            choices: [
              { text: 'one', label: '1' },
              { text: 'two', label: '2' },
            ],
          },
          answerKey: '2',
        }),
      ),
    },
  ])('$format is known by its look, trimmed, and its key found', ({ format, source }) => {
    const set = read([source]);
    expect(set.format).toBe(format);
    expect(set.items).toMatchObject([{ stem: 'Q?', options: ['one', 'two'], answer: 1 }]);
  });

  it('reads MMLU files without a header in the order given, with the subject of the name', () => {
    const set = read([file('b_test.csv', '"Q, ""1""?",a,b,c,d,D\n'), file('a_test.csv', 'Q2,a,b,c,d,A\n')]);
    expect(set.format).toBe('mmlu');
    expect(set.items).toEqual([
      { stem: 'Q, "1"?', options: ['a', 'b', 'c', 'd'], answer: 3, id: 'b/0', slice: { subject: 'b' } },
      { stem: 'Q2', options: ['a', 'b', 'c', 'd'], answer: 0, id: 'a/0', slice: { subject: 'a' } },
    ]);
  });

  it('takes the key from the text where MedQA gives no letter', () => {
    const set = read([file('m.jsonl', jsonl({ question: 'Q', options: { A: 'x', B: 'y' }, answer: 'y' }))]);
    expect(set.items[0]!.answer).toBe(1);
  });

  it('skips and counts what cannot be scored, by place and reason', () => {
    const good = { question: 'Q', options: { A: 'x', B: 'y' }, answer: 'y', answer_idx: 'B' };
    const text = `${jsonl(good, { ...good, answer_idx: 'E' }, { question: 'no options' })}\n{broken`;
    const set = read([file('m.jsonl', text)]);
    expect(set.read).toBe(4);
    expect(set.items).toHaveLength(1);
    expect(set.skipped).toEqual([
      { where: 'm.jsonl:2', reason: 'key-not-an-option' },
      { where: 'm.jsonl:3', reason: 'missing-field' },
      { where: 'm.jsonl:4', reason: 'not-json' },
    ]);
  });

  it('lists every format when the layout is not known', () => {
    expect.assertions(IMPORTERS.length);
    try {
      read([file('x.jsonl', '{"text":"a"}')]);
    } catch (error) {
      for (const { name } of IMPORTERS) expect((error as Error).message).toContain(name);
    }
  });

  it.each([
    {
      what: 'a misspelt format',
      run: () => read([file('x.csv', 'a')], null, 'mmul'),
      code: 'unknown-format',
    },
    { what: 'csv without a map', run: () => read([file('x.csv', 'a,b\n1,2')], null, 'csv'), code: 'no-map' },
    {
      what: 'two layouts at once',
      run: () =>
        read([
          file('a_test.csv', 'Q,a,b,c,d,D'),
          file('m.jsonl', jsonl({ question: 'Q', options: { A: 'x' }, answer: 'x' })),
        ]),
      code: 'mixed-formats',
    },
    {
      what: 'a file none of whose items has a key among its options',
      run: () => read([file('m.jsonl', jsonl({ question: 'Q', options: { A: 'x', B: 'y' }, answer: 'z' }))]),
      code: 'no-items',
    },
    {
      what: 'a column that is not there',
      run: () => read([file('x.csv', 'q,o,k\n1,2,3')], 'question=q,choices=o,answer=key'),
      code: 'unknown-column',
    },
    { what: 'a map without an answer', run: () => parseFieldMap('question=a,choices=b'), code: 'bad-map' },
  ])('refuses $what', ({ run, code }) => {
    expect(run).toThrow(expect.objectContaining({ code }));
  });
});

describe('files with a map', () => {
  it('reads a CSV whose options lie in columns and whose key is a letter', () => {
    const set = read(
      [file('x.csv', 'id,stem,o1,o2,key\n7,Q?,left,right,b\n')],
      'question=stem,choices=o1+o2,answer=key,id=id',
    );
    expect(set.items).toEqual([{ id: '7', stem: 'Q?', options: ['left', 'right'], answer: 1 }]);
  });

  it.each([
    { answer: ['0', '1'], read: [0, 1], why: 'places from 0' },
    { answer: ['1', '2'], read: [0, 1], why: 'places from 1, since 2 is not a place from 0' },
    { answer: ['x', 'y'], read: [0, 1], why: 'the options’ own text' },
    { answer: ['A', 'B'], read: [0, 1], why: 'letters' },
  ])('takes the answers $answer as $why', ({ answer, read: expected }) => {
    const text = jsonl(...answer.map((key) => ({ a: { q: 'Q' }, c: ['x', 'y'], k: key })));
    const set = read([file('x.jsonl', text)], 'question=a.q,choices=c,answer=k');
    expect(set.items.map((item) => item.answer)).toEqual(expected);
  });

  it('reads answers as told, whatever looks likelier', () => {
    const text = jsonl({ q: 'Q', c: ['1', '0'], k: '1' });
    expect(read([file('x.jsonl', text)], 'question=q,choices=c,answer=k').items[0]!.answer).toBe(0);
    expect(read([file('x.jsonl', text)], 'question=q,choices=c,answer=k:index0').items[0]!.answer).toBe(1);
  });

  it('leaves items with several keys out and counts them', () => {
    const text = jsonl({ q: 'Q', c: ['x', 'y'], k: ['A', 'B'] }, { q: 'Q', c: ['x', 'y'], k: ['B'] });
    const set = read([file('x.jsonl', text)], 'question=q,choices=c,answer=k');
    expect(set).toMatchObject({ read: 2, severalKeys: 1, items: [{ answer: 1 }] });
  });
});

describe('bytes of a source file', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

  it('loses a byte-order mark, and falls back to Windows-1252', () => {
    expect(sourceText(bytes('\uFEFFa,b'), 'x')).toBe('a,b');
    expect(sourceText(Uint8Array.of(0x61, 0xe9, 0x92), 'x')).toBe('aé’');
  });

  it.each([
    { text: 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n', code: 'lfs-pointer' },
    { text: 'PAR1\u0000\u0001', code: 'binary-file' },
    { text: ' \n', code: 'empty-file' },
  ])('names the fault $code', ({ text, code }) => {
    expect(() => sourceText(bytes(text), 'x')).toThrow(expect.objectContaining({ code }));
  });
});

describe('items SHA-256', () => {
  it('hashes one [stem, options, key] a line, joined by line feeds', () => {
    const items = [
      { stem: 'é', options: ['a', 'b'], answer: 1, id: 'not hashed' },
      { stem: 'x', options: ['c', 'd'], answer: 0 },
    ];
    // printf '["é",["a","b"],1]\n["x",["c","d"],0]' | sha256sum
    expect(itemsSha256(items)).toBe('02541c56eb1e823e20da94077983ffaf84d4d5a1a01718f60cd02837c709ced4');
  });
});
