import { readFileSync } from 'node:fs';
import dicomParser from 'dicom-parser';
import { expect, it } from 'vitest';
import { textReader, valuesOf } from '../../../src/adapters/dicom/character-set.js';
import { ESCAPES, GENERAL_TERMS, SINGLE_BYTE } from '../../../src/adapters/dicom/character-set-table.js';
import { describeShared, sharedPath } from '../../helpers/shared.js';

const ESC = '\x1b';
const bytes = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1');
const read = (set: string, latin1: string): string | null => textReader(set).decode(bytes(latin1));

// Python's codecs of the same sets; a byte that a set leaves free is not in the line.
const UPPER_HALVES: Readonly<Record<string, readonly [string, string]>> = {
  'ISO_IR 6': ['plain', 'plain'],
  'ISO_IR 100': ['\xa4\xb1\xc6\xe3\xee\xfa', '¤±Æãîú'],
  'ISO_IR 101': ['\xa4\xb1\xc6\xe3\xee\xfa', '¤ąĆăîú'],
  'ISO_IR 109': ['\xa4\xb1\xc6\xee\xfa', '¤ħĈîú'],
  'ISO_IR 110': ['\xa4\xb1\xc6\xe3\xee\xfa', '¤ąÆãîú'],
  'ISO_IR 144': ['\xa4\xb1\xc6\xe3\xee\xfa', 'ЄБЦуюњ'],
  'ISO_IR 127': ['\xa4\xc6\xe3\xee', '¤ئكَ'],
  'ISO_IR 126': ['\xa4\xb1\xc6\xe3\xee\xfa', '€±Ζγξϊ'],
  'ISO_IR 138': ['\xa4\xb1\xe3\xee\xfa', '¤±דמת'],
  'ISO_IR 148': ['\xa4\xb1\xc6\xe3\xee\xfa', '¤±Æãîú'],
  'ISO_IR 203': ['\xa4\xb1\xc6\xe3\xee\xfa', '€±Æãîú'],
  'ISO_IR 166': ['\xa4\xb1\xc6\xe3\xee\xfa', 'คฑฦใ๎๚'],
  'ISO_IR 13': ['\xa4\xb1\xc6', '､ｱﾆ'],
};

it.each(Object.keys(SINGLE_BYTE))('The upper half of %s is read, also by its code extension term', (term) => {
  const [stored, expected] = UPPER_HALVES[term]!;
  expect(read(term, stored)).toBe(expected);
  expect(read(term.replace('ISO_IR', 'ISO 2022 IR'), stored)).toBe(expected);
});

it('Every escape sequence calls its set, and those of two bytes give one character', () => {
  // Byte B1, or the pair 30 21 (B0 A1), in each: ISO 8859, TIS 620, JIS X 0208 and 0212, KS X 1001, GB 2312.
  const expected: Readonly<Record<string, readonly [string, string]>> = {
    '(B': ['A', 'A'],
    '(J': ['A', 'A'],
    ')I': ['\xb1', 'ｱ'],
    '-A': ['\xb1', '±'],
    '-B': ['\xb1', 'ą'],
    '-C': ['\xb1', 'ħ'],
    '-D': ['\xb1', 'ą'],
    '-L': ['\xb1', 'Б'],
    '-G': ['\xc6', 'ئ'],
    '-F': ['\xb1', '±'],
    '-H': ['\xee', 'מ'],
    '-M': ['\xfd', 'ı'],
    '-b': ['\xa4', '€'],
    '-T': ['\xb1', 'ฑ'],
    $B: ['\x30\x21', '亜'],
    '$@': ['\x30\x21', '亜'],
    '$(D': ['\x30\x21', '丂'],
    '$)C': ['\xb0\xa1', '가'],
    '$)A': ['\xb0\xa1', '啊'],
  };
  const found = Object.fromEntries(
    Object.keys(ESCAPES).map((name) => [
      name,
      read('\\ISO 2022 IR 6', `x${ESC}${name}${expected[name]![0]}`),
    ]),
  );
  expect(found).toEqual(
    Object.fromEntries(Object.entries(expected).map(([name, [, text]]) => [name, `x${text}`])),
  );
});

it.each(Object.keys(GENERAL_TERMS))('%s is read whole, also where it stands beside others', (term) => {
  const stored = term === 'ISO_IR 192' ? '\xe5\xb0\x8f' : '\xd0\xa1';
  for (const set of [term, `${term}\\ISO 2022 IR 87`, `\\${term}`]) expect(read(set, stored)).toBe('小');
});

it.each([
  [
    'I.3: Korean lines, each with its escape sequence',
    '\\ISO 2022 IR 149',
    `${ESC}$)CThe 1st line includes \xb1\xe6\xb5\xbf.\r\n${ESC}$)CThe 2nd line includes \xb1\xe6\xb5\xbf, too.\r\nThe 3rd line`,
    'The 1st line includes 길동.\r\nThe 2nd line includes 길동, too.\r\nThe 3rd line',
  ],
  [
    'K.3: Chinese lines, each with its escape sequence',
    '\\ISO 2022 IR 58',
    `${ESC}$)A\xb5\xda\xd2\xbb\xd0\xd0\xce\xc4\xd7\xd6\xa1\xa3\r\n${ESC}$)A\xb5\xda\xb6\xfe\xd0\xd0\xce\xc4\xd7\xd6\xa1\xa3`,
    '第一行文字。\r\n第二行文字。',
  ],
])('A text is read after PS3.5 %s', (_, set, stored, expected) => {
  expect(read(set, stored)).toBe(expected);
});

it.each([
  ['Shift JIS under ISO IR 13', 'ISO_IR 13', '\x95\x5c\\\xb1', ['表', 'ｱ']],
  ['GBK under ISO 2022 IR 58', '\\ISO 2022 IR 58', `${ESC}$)A\x81\x5c\\B`, ['乗', 'B']],
  ['GB18030', 'GB18030', '\x81\x5c\\\x81\x5c', ['乗', '乗']],
  ['GBK', 'GBK', '\x81\x5c\\\x81\x5c', ['乗', '乗']],
  ['JIS X 0208', '\\ISO 2022 IR 87', `${ESC}$B\x30\x5c${ESC}(B\\B`, ['移', 'B']],
])('A backslash that is half of a character in %s divides no values', (_, set, stored, expected) => {
  expect(valuesOf(read(set, stored)!)).toEqual(expected);
});

it.each([
  ['a backslash', '\\'],
  ['a caret', '^'],
  ['an equals sign', '='],
  ['a line feed', '\n'],
  ['a form feed', '\f'],
  ['a tab', '\t'],
])('The first set is in force again behind %s', (_, mark) => {
  const stored = `${ESC}-L\xbb${mark}\xe9`;
  expect(read('ISO 2022 IR 100\\ISO 2022 IR 144', stored)).toBe(`Л${mark}é`);
});

it('What has no meaning in a first set of ASCII keeps that of the set before', () => {
  expect(read('\\ISO 2022 IR 149', `${ESC}$)C\xb1\xe6=\xb5\xbf`)).toBe('길=동');
});

it('Both halves of the code table are in force at once', () => {
  const kanjiAndKatakana = `${ESC}$B\x3b\x33\xd4\x45\x44${ESC}(J\xd4A`;
  expect(read('ISO 2022 IR 13\\ISO 2022 IR 87', kanjiAndKatakana)).toBe('山ﾔ田ﾔA');
});

it('A line break ends kanji that no escape sequence ended, and a space does not', () => {
  expect(read('\\ISO 2022 IR 87', `${ESC}$B\x3b\x33 \x45\x44\r\nAB`)).toBe('山 田\r\nAB');
});

it('Half a character and an unknown escape sequence leave the rest readable', () => {
  expect(read('\\ISO 2022 IR 87', `${ESC}$B\x3b\x33\x45${ESC}(BAB`)).toBe('山AB');
  expect(read('\\ISO 2022 IR 87', `A${ESC}(ZB`)).toBe('AB');
});

it('A multi-byte first set is in force from the start', () => {
  expect(read('ISO 2022 IR 149', '\xb1\xe6\xb5\xbf')).toBe('길동');
  expect(read('ISO 2022 IR 149\\ISO 2022 IR 87', `\xb1\xe6^${ESC}$B\x3b\x33${ESC}(B^\xb5\xbf`)).toBe(
    '길^山^동',
  );
});

describeShared('The example files of the character sets', 'dicom', () => {
  // PatientName as pydicom reads it; the names are the standard's examples.
  it.each([
    ['chrArab', 'قباني^لنزار'],
    ['chrFren', 'Buc^Jérôme'],
    ['chrGerm', 'Äneas^Rüdiger'],
    ['chrH31', 'Yamada^Tarou=山田^太郎=やまだ^たろう'],
    ['chrI2', 'Hong^Gildong=洪^吉洞=홍^길동'],
    ['chrKoreanMulti', '김희중'],
    ['chrRuss', 'Люкceмбypг'],
    ['chrX1', 'Wang^XiaoDong=王^小東'],
  ])('%s is read as pydicom reads it', (name, expected) => {
    const dataSet = dicomParser.parseDicom(readFileSync(sharedPath('dicom/singles/charset', `${name}.dcm`)), {
      untilTag: 'x7fe00010',
    });
    const { dataOffset, length } = dataSet.elements.x00100010!;
    const reader = textReader(dataSet.string('x00080005') ?? null);
    const text = reader.decode(dataSet.byteArray.subarray(dataOffset, dataOffset + length));
    expect(text!.replace(/=$/u, '')).toBe(expected);
  });
});
