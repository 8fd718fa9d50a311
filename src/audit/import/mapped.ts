import { EXIT, GroundmarkError } from '../../domain/error.js';
import { csvRows } from './csv-rows.js';
import { answerKinds, type AnswerKind, type FieldMap, type Imported, type Importer } from './importer.js';
import { letterIndex, makeItem } from './make-item.js';

/** Any CSV or TSV with a header, fields named by --map. */
export const mappedCsv: Importer = {
  name: 'csv',
  layout: 'CSV or TSV with a header, with --map question=…,choices=…,answer=…',
  detect: () => false,
  read(file, { map }) {
    const fields = needMap(map, 'csv');
    const [header = [], ...rows] = csvRows(file);
    const named = [
      fields.question,
      ...fields.choices,
      fields.answer,
      ...(fields.id === null ? [] : [fields.id]),
    ];
    const unknown = named.find((name) => !header.includes(name));
    if (unknown !== undefined) {
      throw new GroundmarkError(
        'unknown-column',
        `${file.name} has no column "${unknown}". Its columns are: ${header.join(', ')}.`,
        { file: file.name, column: unknown },
      );
    }
    const records = rows.map((row, i) => ({
      where: `${file.name}, record ${i + 1}`,
      value: Object.fromEntries(header.map((name, column) => [name, row[column]])),
    }));
    return importRecords(records, fields, (value, name) => (value as Record<string, unknown>)[name]);
  },
};

/** Any JSONL, fields named by --map; dots lead into objects. */
export const mappedJsonl: Importer = {
  name: 'jsonl',
  layout: 'JSONL, with --map question=…,choices=…,answer=…',
  detect: () => false,
  read(file, { map }) {
    const fields = needMap(map, 'jsonl');
    const broken: Imported[] = [];
    const records: Record_[] = [];
    file.text.split('\n').forEach((line, i) => {
      if (line.trim() === '') return;
      const where = `${file.name}:${i + 1}`;
      try {
        records.push({ where, value: JSON.parse(line) });
      } catch {
        broken.push({ status: 'skipped', where, reason: 'not-json' });
      }
    });
    return [...importRecords(records, fields, atPath), ...broken];
  },
};

interface Record_ {
  readonly where: string;
  readonly value: unknown;
}

interface Parts {
  readonly where: string;
  readonly stem: unknown;
  readonly labels: readonly string[] | null;
  readonly options: readonly unknown[];
  readonly answer: unknown;
  readonly id: string | undefined;
}

function importRecords(
  records: readonly Record_[],
  map: FieldMap,
  field: (value: unknown, name: string) => unknown,
): Imported[] {
  const parts = records.map(({ where, value }): Parts => {
    const id = map.id === null ? undefined : field(value, map.id);
    return {
      where,
      stem: field(value, map.question),
      ...listOptions(map.choices.map((name) => field(value, name))),
      answer: field(value, map.answer),
      id: typeof id === 'string' || typeof id === 'number' ? String(id) : undefined,
    };
  });
  const kind = map.answerAs ?? likeliestKind(parts);
  return parts.map((part): Imported => {
    if (Array.isArray(part.answer) && part.answer.length > 1) {
      return { status: 'several-keys', where: part.where };
    }
    if (part.answer === undefined) return { status: 'skipped', where: part.where, reason: 'missing-field' };
    return makeItem({ ...part, answer: answerIndex(part, kind) });
  });
}

/** The reading of the answers under which most of them name an option; of equals the earlier in {@link answerKinds}. */
function likeliestKind(parts: readonly Parts[]): AnswerKind {
  let best: AnswerKind = answerKinds[0];
  let most = -1;
  for (const kind of answerKinds) {
    const hits = parts.filter((part) => {
      const index = answerIndex(part, kind);
      return index >= 0 && index < part.options.length;
    }).length;
    if (hits > most) [best, most] = [kind, hits];
  }
  return best;
}

function answerIndex({ answer: raw, options, labels }: Parts, kind: AnswerKind): number {
  const answer: unknown = Array.isArray(raw) ? raw[0] : raw;
  if (typeof answer !== 'string' && typeof answer !== 'number') return -1;
  const text = String(answer).trim();
  switch (kind) {
    case 'letter':
      return labels === null ? letterIndex(text) : labels.indexOf(text);
    case 'text':
      return options.findIndex((option) => typeof option === 'string' && option.trim() === text);
    case 'index0':
    case 'index1':
      return /^\d+$/u.test(text) ? Number(text) - (kind === 'index1' ? 1 : 0) : -1;
  }
}

/** Options as a list: several fields, a JSON list of texts or of labelled objects, or an object by letter. */
function listOptions(values: readonly unknown[]): Pick<Parts, 'options' | 'labels'> {
  if (values.length > 1) return { options: values, labels: null };
  const value = typeof values[0] === 'string' ? jsonOrText(values[0]) : values[0];
  if (Array.isArray(value)) {
    const entries = value as unknown[];
    const labels = entries.map((entry) => textOf(entry, ['label', 'letter', 'key']));
    return {
      options: entries.map((entry) =>
        typeof entry === 'object' ? textOf(entry, ['text', 'content', 'value']) : entry,
      ),
      labels: labels.every((label) => label !== null) && labels.length > 0 ? labels : null,
    };
  }
  if (typeof value === 'object' && value !== null) {
    const labels = Object.keys(value);
    return { options: labels.map((label) => (value as Record<string, unknown>)[label]), labels };
  }
  return { options: [], labels: null };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function textOf(entry: unknown, names: readonly string[]): string | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const found = names
    .map((name) => (entry as Record<string, unknown>)[name])
    .find((v) => typeof v === 'string');
  return found ?? null;
}

function atPath(value: unknown, dotted: string): unknown {
  return dotted
    .split('.')
    .reduce<unknown>(
      (at, name) =>
        typeof at === 'object' && at !== null ? (at as Record<string, unknown>)[name] : undefined,
      value,
    );
}

function needMap(map: FieldMap | null, format: string): FieldMap {
  if (map) return map;
  throw new GroundmarkError(
    'no-map',
    `--format ${format} needs --map question=…,choices=…,answer=… to name the fields.`,
    { format },
    { exit: EXIT.usage },
  );
}
