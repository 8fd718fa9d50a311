import type { Outcome } from '../domain/response.js';
import { canonicalJson } from '../util/canonical-json.js';
import { normaliseImageId, selectedIds, SELECTION_MAX } from '../domain/protocol/index.js';

/** Written into every run: another version may read the same reply differently. */
export const PARSER_VERSION = 'mcq-reply/1';

export interface ParsedReply {
  readonly answer: string | null;
  readonly evidence: readonly string[];
  readonly outcome: Extract<Outcome, 'ok' | 'unparsed' | 'invalid-selection' | 'unknown-id'>;
}

/**
 * The letter and the image ids of a raw reply `{"answer": "B", "evidence": ["img03"]}`.
 *
 * Taken in this order: the whole text as a JSON object; the fenced blocks; the JSON objects inside prose. Where the
 * text holds several different objects with an answer, or none, the reply is `unparsed`: nothing is ever guessed.
 * Zero or more than three distinct ids, or evidence that is not a list of texts, is `invalid-selection`.
 *
 * @param shownIds - ids of the item's images
 */
export function parseReply(text: string, shownIds: readonly string[]): ParsedReply {
  const object = wholeObject(text) ?? onlyObject(fencedBlocks(text)) ?? onlyObject(embeddedObjects(text));
  if (object === null) return { answer: null, evidence: [], outcome: 'unparsed' };
  const answer = typeof object.answer === 'string' ? object.answer.trim() : null;
  const evidence = readEvidence(object.evidence);
  if (evidence === null) return { answer, evidence: [], outcome: 'invalid-selection' };
  const selected = selectedIds(evidence);
  if (selected.length < 1 || selected.length > SELECTION_MAX)
    return { answer, evidence, outcome: 'invalid-selection' };
  const shown = new Set(shownIds.map(normaliseImageId));
  return { answer, evidence, outcome: selected.every((id) => shown.has(id)) ? 'ok' : 'unknown-id' };
}

type Reply = Readonly<Record<string, unknown>>;

/** A reply must say `answer`, as a text or null; whatever else it says is not this function's business. */
function isReply(value: unknown): value is Reply {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  const { answer } = value as Reply;
  return typeof answer === 'string' || answer === null;
}

/** One id may stand without its list. */
function readEvidence(value: unknown): string[] | null {
  if (typeof value === 'string') return [value];
  if (!Array.isArray(value) || !value.every((id) => typeof id === 'string')) return null;
  return value;
}

function wholeObject(text: string): Reply | null {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  return isReply(value) ? value : null;
}

/** The one reply among several texts; the same one said twice is one. */
function onlyObject(texts: readonly string[]): Reply | null {
  const replies = texts.map(parseJson).filter(isReply);
  const distinct = new Set(replies.map(canonicalJson));
  return distinct.size === 1 ? replies[0]! : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Insides of the ``` blocks, whatever their language mark. */
function fencedBlocks(text: string): string[] {
  return [...text.matchAll(/```[^\n`]*\n([\s\S]*?)```/g)].map((match) => match[1]!);
}

/** Outermost `{…}` spans; braces inside JSON strings do not count. */
function embeddedObjects(text: string): string[] {
  const spans: string[] = [];
  let start = -1;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"' && depth > 0) inString = true;
    else if (character === '{' && depth++ === 0) start = i;
    else if (character === '}' && depth > 0 && --depth === 0) spans.push(text.slice(start, i + 1));
  }
  return spans;
}
