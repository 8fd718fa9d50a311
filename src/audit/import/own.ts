import path from 'node:path';
import { z } from 'zod';
import { itemSchema, LETTERS } from '../../domain/item.js';
import { GroundmarkError } from '../../domain/error.js';
import { parseJsonl } from '../../adapters/store/index.js';
import type { Imported, Importer } from './importer.js';
import { firstLineFits } from './json-lines.js';
import { makeItem } from './make-item.js';

/** Enough to know our own layout; the whole record is checked on reading. */
const recognised = z.looseObject({
  schemaVersion: z.number(),
  id: z.string(),
  question: z.string(),
  choices: z.array(z.looseObject({ letter: z.string(), text: z.string() })),
  images: z.array(z.unknown()),
});

/** Our own items.jsonl with its private key.jsonl: the only layout that has evidence to audit. */
export const own: Importer = {
  name: 'groundmark',
  layout: 'our own items.jsonl, with --key key.jsonl',
  detect: (file) => firstLineFits(file, recognised),
  read(file, { key }) {
    if (key === null) {
      throw new GroundmarkError(
        'no-key',
        `${file.name} holds items of ours, but no key.jsonl lies beside it. Name it with --key FILE.`,
        { file: file.name },
      );
    }
    const seen = new Set<string>();
    return parseJsonl(file.text, itemSchema, file.name).map((item, i): Imported => {
      const where = `${file.name}, record ${i + 1}`;
      if (seen.has(item.id)) return { status: 'skipped', where, reason: 'duplicate-id' };
      seen.add(item.id);
      const entry = key.get(item.id);
      if (entry === undefined) return { status: 'skipped', where, reason: 'no-key' };
      const choices = [...item.choices].sort((a, b) => LETTERS.indexOf(a.letter) - LETTERS.indexOf(b.letter));
      const made = makeItem({
        where,
        id: item.id,
        stem: item.question,
        options: choices.map(({ text }) => text),
        answer: choices.findIndex(({ letter }) => letter === entry.answer),
        slice: entry.strata,
        caseGroup: entry.caseGroup,
      });
      return made.status === 'item'
        ? { ...made, own: { item, key: entry, folder: path.dirname(file.path) } }
        : made;
    });
  },
};
