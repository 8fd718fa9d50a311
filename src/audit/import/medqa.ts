import { z } from 'zod';
import type { Importer } from './importer.js';
import { firstLineFits, importLines } from './json-lines.js';
import { makeItem } from './make-item.js';

const schema = z.looseObject({
  question: z.string(),
  options: z.record(z.string().regex(/^[A-Z]$/u), z.string()),
  answer: z.string(),
  answer_idx: z.string().optional(),
});

/** MedQA (jind11/MedQA): one JSON object a line, options by letter, the key as letter and as text. */
export const medqa: Importer = {
  name: 'medqa',
  layout: 'JSONL with question, options {A: …}, answer_idx or answer',
  detect: (file) => firstLineFits(file, schema),
  read: (file) =>
    importLines(file, schema, ({ question, options, answer, answer_idx: letter }, where) => {
      const letters = Object.keys(options);
      const texts = Object.values(options);
      return makeItem({
        where,
        stem: question,
        options: texts,
        answer: letter === undefined ? texts.indexOf(answer) : letters.indexOf(letter.trim()),
      });
    }),
};
