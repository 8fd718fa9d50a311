import { rng } from '../util/rng.js';
import type { Ending } from './protocol.js';
import type { FakeQuestion, FaultKind } from './types.js';

/** What the stand-in says when no script does: a letter and one or two of the ids, by seed and question. */
export function seededAnswer(seed: number): (question: FakeQuestion) => string {
  return ({ key, letters, imageIds }) => {
    const random = rng(seed, 'fake-answer', key);
    const answer = letters.length > 0 ? random.pick(letters) : 'A';
    return JSON.stringify({ answer, evidence: random.shuffle(imageIds).slice(0, 1 + random.int(2)) });
  };
}

/** How a reply ends under a fault; a fault of the transport leaves the reply as it is. */
export function endingOf(text: string, fault: FaultKind | null, question: FakeQuestion): Ending {
  if (fault === 'refusal') return { kind: 'refusal', text: "I'm sorry, but I can't help with that." };
  if (fault === 'truncation') return { kind: 'truncation', text: text.slice(0, Math.ceil(text.length / 2)) };
  if (fault === 'blocked') return { kind: 'blocked', text: '' };
  const spoil = fault === null ? undefined : SPOILS[fault];
  return { kind: 'complete', text: spoil ? spoil(text, question) : text };
}

type Spoil = (text: string, question: FakeQuestion) => string;

const SPOILS: Readonly<Partial<Record<FaultKind, Spoil>>> = {
  malformed: (text) => text.slice(0, -2),
  'wrong-ids': said((reply) => ({ ...reply, evidence: ['img99'] })),
  'five-ids': said((reply, { imageIds }) => ({ ...reply, evidence: imageIds.slice(0, 5) })),
  'no-ids': said((reply) => ({ ...reply, evidence: [] })),
  'duplicate-ids': said((reply) => ({ ...reply, evidence: reply.evidence.flatMap((id) => [id, id, id]) })),
  'lower-case': said((reply) => ({ ...reply, answer: reply.answer.toLowerCase() })),
  prose: (text) => `Looking at the images, this fits best.\n\n${text}\n\nThis is not medical advice.`,
  fenced: (text) => `\`\`\`json\n${text}\n\`\`\``,
};

interface Spoken {
  readonly answer: string;
  readonly evidence: readonly string[];
}

/** A change of the answer inside a text; a script's text that is no answer stays as it is. */
function said(change: (reply: Spoken, question: FakeQuestion) => Spoken): Spoil {
  return (text, question) => {
    const reply = spoken(text);
    return reply === null ? text : JSON.stringify(change(reply, question));
  };
}

function spoken(text: string): Spoken | null {
  try {
    const { answer, evidence } = JSON.parse(text) as Partial<Spoken>;
    return typeof answer === 'string' && Array.isArray(evidence) ? { answer, evidence } : null;
  } catch {
    return null;
  }
}
