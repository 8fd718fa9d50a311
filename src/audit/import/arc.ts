import { z } from 'zod';
import type { Importer } from './importer.js';
import { firstLineFits, importLines } from './json-lines.js';
import { makeItem } from './make-item.js';

const schema = z.looseObject({
  id: z.string().optional(),
  question: z.looseObject({
    stem: z.string(),
    choices: z.array(z.looseObject({ text: z.string(), label: z.string() })),
  }),
  answerKey: z.string(),
});

/** ARC (AI2) and CommonsenseQA: one JSON object a line, labelled choices inside the question. Labels may be digits. */
export const arc: Importer = {
  name: 'arc',
  layout: 'JSONL with question {stem, choices [{text, label}]}, answerKey',
  detect: (file) => firstLineFits(file, schema),
  read: (file) =>
    importLines(file, schema, ({ id, question, answerKey }, where) =>
      makeItem({
        where,
        id,
        stem: question.stem,
        options: question.choices.map(({ text }) => text),
        answer: question.choices.findIndex(({ label }) => label === answerKey),
      }),
    ),
};
