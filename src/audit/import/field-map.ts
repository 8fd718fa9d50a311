import { EXIT, GroundmarkError } from '../../domain/error.js';
import { answerKinds, type AnswerKind, type FieldMap } from './importer.js';

const EXAMPLE = 'question=stem,choices=a+b+c+d,answer=key';

/**
 * The fields named by `--map question=…,choices=…,answer=…[:letter|text|index0|index1][,id=…]`.
 *
 * `choices` names one field that holds a list, or several fields joined by `+`. Dots lead into JSON objects.
 *
 * @throws {GroundmarkError} `bad-map` naming the part that is wrong
 */
export function parseFieldMap(text: string): FieldMap {
  const parts = new Map<string, string>();
  for (const part of text.split(',')) {
    const [name, field] = splitOnce(part.trim(), '=');
    if (!['question', 'choices', 'answer', 'id'].includes(name) || !field) {
      throw badMap(`"${part}" is not one of question=, choices=, answer=, id=`);
    }
    parts.set(name, field);
  }
  for (const needed of ['question', 'choices', 'answer']) {
    if (!parts.has(needed)) throw badMap(`${needed}= is missing`);
  }
  const [answer, kind] = splitOnce(parts.get('answer')!, ':');
  if (kind !== null && !answerKinds.includes(kind as AnswerKind)) {
    throw badMap(`"${kind}" is not one of ${answerKinds.join(', ')}`);
  }
  return {
    question: parts.get('question')!,
    choices: parts.get('choices')!.split('+'),
    answer,
    answerAs: kind as AnswerKind | null,
    id: parts.get('id') ?? null,
  };
}

/** What stands before and after the first separator; null after it when there is none. */
function splitOnce(text: string, separator: string): [string, string | null] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, null] : [text.slice(0, at).trim(), text.slice(at + separator.length).trim()];
}

function badMap(what: string): GroundmarkError {
  return new GroundmarkError(
    'bad-map',
    `--map: ${what}. Write it like ${EXAMPLE}.`,
    {},
    { exit: EXIT.usage },
  );
}
