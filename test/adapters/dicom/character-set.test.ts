import { describe, expect, it } from 'vitest';
import { textReader, valuesOf } from '../../../src/adapters/dicom/character-set.js';

/** Bytes as PS3.5 prints them: text, and hexadecimal in angle brackets. */
function bytes(text: string): Uint8Array {
  const found: number[] = [];
  for (const [, hex, plain] of text.matchAll(/<([0-9A-Fa-f ]+)>|([^<]+)/g)) {
    if (hex !== undefined)
      found.push(
        ...hex
          .trim()
          .split(/ +/)
          .map((byte) => Number.parseInt(byte, 16)),
      );
    else found.push(...Buffer.from(plain!, 'latin1'));
  }
  return Uint8Array.from(found);
}

describe('Text by SpecificCharacterSet, after the examples of PS3.5', () => {
  // Annexes H.3.1, H.3.2, I.2, J.1, J.2, K.2; PS3.3 C.12.1.1.2 for the single-byte sets.
  const examples: readonly (readonly [string, string, string, string])[] = [
    [
      'H.3.1 Japanese with kanji and hiragana',
      '\\ISO 2022 IR 87',
      'Yamada^Tarou=<1B 24 42 3B 33 45 44 1B 28 42>^<1B 24 42 42 40 4F 3A 1B 28 42>=<1B 24 42 24 64 24 5E 24 40 1B 28 42>^<1B 24 42 24 3F 24 6D 24 26 1B 28 42>',
      'Yamada^Tarou=山田^太郎=やまだ^たろう',
    ],
    [
      'H.3.2 Japanese with half-width katakana first',
      'ISO 2022 IR 13\\ISO 2022 IR 87',
      '<D4 CF C0 DE>^<C0 DB B3>=<1B 24 42 3B 33 45 44 1B 28 4A>^<1B 24 42 42 40 4F 3A 1B 28 4A>=<1B 24 42 24 64 24 5E 24 40 1B 28 4A>^<1B 24 42 24 3F 24 6D 24 26 1B 28 4A>',
      'ﾔﾏﾀﾞ^ﾀﾛｳ=山田^太郎=やまだ^たろう',
    ],
    [
      'I.2 Korean',
      '\\ISO 2022 IR 149',
      'Hong^Gildong=<1B 24 29 43 FB F3>^<1B 24 29 43 D1 CE D4 D7>=<1B 24 29 43 C8 AB>^<1B 24 29 43 B1 E6 B5 BF>',
      'Hong^Gildong=洪^吉洞=홍^길동',
    ],
    [
      'J.1 Chinese in UTF-8',
      'ISO_IR 192',
      'Wang^XiaoDong=<E7 8E 8B>^<E5 B0 8F E6 9D B1>=',
      'Wang^XiaoDong=王^小東=',
    ],
    ['J.3 Chinese in GB18030', 'GB18030', 'Wang^XiaoDong=<CD F5>^<D0 A1 B6 AB>=', 'Wang^XiaoDong=王^小东='],
    [
      'K.2 Chinese with GB 2312 by escape sequences',
      '\\ISO 2022 IR 58',
      'Zhang^XiaoDong=<1B 24 29 41 D5 C5>^<1B 24 29 41 D0 A1 B6 AB>=',
      'Zhang^XiaoDong=张^小东=',
    ],
    ['Latin 1', 'ISO_IR 100', 'Buc^J<E9>r<F4>me', 'Buc^Jérôme'],
    ['Latin 2', 'ISO_IR 101', 'Wa<B3><EA>sa', 'Wałęsa'],
    ['Cyrillic', 'ISO_IR 144', '<BB EE DA D5 DC D1 D5 E0 D3>', 'Люкемберг'],
    ['Greek', 'ISO_IR 126', '<C4 E9 EF ED F5 F3 E9 EF F2>', 'Διονυσιος'],
    ['Thai', 'ISO_IR 166', '<B7 D2 C2>', 'ทาย'],
    [
      'two single-byte sets in one value',
      'ISO 2022 IR 100\\ISO 2022 IR 144',
      'Dion<E9>=<1B 2D 4C BB EE>^<E9>',
      'Dioné=Лю^é',
    ],
  ];
  it.each(examples)('reads %s', (_, specificCharacterSet, value, expected) => {
    expect(textReader(specificCharacterSet).decode(bytes(value))).toBe(expected);
  });

  it('takes the second byte 5C of a GB18030 character for no delimiter of values', () => {
    const values = valuesOf(textReader('GB18030').decode(bytes('A<95 5C>B\\C'))!);
    expect(values).toHaveLength(2);
    expect(values[0]).toMatch(/^A\p{Script=Han}B$/u);
    expect(values[1]).toBe('C');
  });

  it('reads JIS X 0212 by its escape sequence', () => {
    // Row 16, cell 1, the first kanji of JIS X 0212, is U+4E02.
    expect(textReader('\\ISO 2022 IR 159').decode(bytes('<1B 24 28 44 30 21 1B 28 42>'))).toBe('丂');
  });

  it('takes the names of the sets with other spellings, and an unknown one for Latin 1', () => {
    expect(textReader('ISO-IR 100 ').decode(bytes('<E9>'))).toBe('é');
    expect(textReader('ISO 2022 IR 100').decode(bytes('<E9>'))).toBe('é');
    expect(textReader('KLINGON').decode(bytes('<E9>'))).toBe('é');
    expect(textReader(null).decode(bytes('<E9>'))).toBe('é');
  });

  it('drops padding, and is null when nothing is left', () => {
    expect(textReader(null).decode(bytes(' CT <00>'))).toBe('CT');
    expect(textReader(null).decode(bytes('<20 00>'))).toBeNull();
    expect(valuesOf('ORIGINAL\\PRIMARY \\AXIAL')).toEqual(['ORIGINAL', 'PRIMARY', 'AXIAL']);
  });

  it('ends on an escape sequence that is cut off', () => {
    expect(textReader('\\ISO 2022 IR 87').decode(bytes('A<1B 24>'))).toBe('A');
    expect(textReader('\\ISO 2022 IR 87').decode(bytes('A<1B>'))).toBe('A');
  });
});
