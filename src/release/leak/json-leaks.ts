import { PRIVATE_FIELDS } from './general-patterns.js';

/** What the shape of a JSON value gives away: `key-field` for a private field name, `answer-letter` for an item tied to a letter. */
export function jsonLeaks(value: unknown, itemIds: ReadonlySet<string>): Set<string> {
  const found = new Set<string>();
  const walk = (node: unknown): void => {
    if (node === null || typeof node !== 'object') return;
    const entries = Object.entries(node);
    const values = entries.map(([, inner]) => inner as unknown);
    for (const [key, inner] of entries) {
      if (PRIVATE_FIELDS.has(key.toLowerCase().replace(/[_\- ]/g, ''))) found.add('key-field');
      if (itemIds.has(key) && isLetter(inner)) found.add('answer-letter');
      walk(inner);
    }
    if (values.some((v) => typeof v === 'string' && itemIds.has(v)) && values.some(isLetter)) {
      found.add('answer-letter');
    }
  };
  walk(value);
  return found;
}

function isLetter(value: unknown): boolean {
  return typeof value === 'string' && /^\s*[A-Ea-e]\s*$/.test(value);
}

/** Whether a line of prose names an item and, after it, a lone letter A to E. */
export function pairsItemWithLetter(text: string, itemIds: ReadonlySet<string>): boolean {
  if (itemIds.size === 0) return false;
  return text.split('\n').some((line) => {
    const parts = line.split(/[^\w.-]+/u);
    const at = parts.findIndex((part) => itemIds.has(part));
    return at >= 0 && parts.slice(at + 1).some((part) => /^[A-E]$/.test(part));
  });
}
