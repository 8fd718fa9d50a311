import { textReader, type TextReader } from '../character-set.js';
import type { Element } from './element-tree.js';
import type { FileParts } from './file-parts.js';

/** Top-level attributes of a file by tag (eight hexadecimal digits, lower case). */
export interface HeaderView {
  readonly reader: TextReader;
  readonly hasPixels: boolean;
  /** A DICOMDIR: records about other files. PS3.10 section 8. */
  readonly isDirectory: boolean;
  /** Groups 60xx that the file has, such as `6000`. */
  readonly overlayGroups: readonly string[];
  /** Text without padding; null when absent or empty. */
  text(tag: string): string | null;
  uint16(tag: string): number | null;
  /** Texts of an attribute that lies anywhere in the file, upper case, in sequences too. */
  textsAnywhere(tag: string): string[];
  /** Whether it is there with a value. */
  has(tag: string): boolean;
}

export function headerView({ head, tail, encoding, pixel }: FileParts): HeaderView {
  const elements = new Map<string, Element>();
  for (const element of head.elements) if (!elements.has(element.tag)) elements.set(element.tag, element);
  const bytes = (tag: string): Buffer | null => {
    const element = elements.get(tag);
    return element && element.valueEnd > element.valueStart
      ? head.buffer.subarray(element.valueStart, element.valueEnd)
      : null;
  };
  const reader = textReader(bytes('00080005')?.toString('latin1') ?? null);
  return {
    reader,
    hasPixels: pixel !== null,
    isDirectory: elements.has('00041220'),
    overlayGroups: [
      ...new Set([...elements.keys()].filter((tag) => /^60/u.test(tag)).map((tag) => tag.slice(0, 4))),
    ],
    text: (tag) => {
      const value = bytes(tag);
      return value === null ? null : reader.decode(value);
    },
    textsAnywhere: (tag) =>
      [head, tail].flatMap(({ buffer, elements: all }) =>
        elementsAnywhere(all, tag).flatMap(({ valueStart, valueEnd }) => {
          const text = reader.decode(buffer.subarray(valueStart, valueEnd));
          return text === null ? [] : [text.toUpperCase()];
        }),
      ),
    uint16(tag) {
      const value = bytes(tag);
      if (value === null || value.length < 2) return null;
      return encoding.bigEndian ? value.readUInt16BE(0) : value.readUInt16LE(0);
    },
    has: (tag) => bytes(tag) !== null,
  };
}

function elementsAnywhere(elements: readonly Element[], tag: string): Element[] {
  return elements.flatMap((element) => [
    ...(element.tag === tag ? [element] : []),
    ...(element.items ?? []).flatMap((item) => elementsAnywhere(item.elements, tag)),
  ]);
}
