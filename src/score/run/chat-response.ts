import type { ChatError, ChatReply } from '../../adapters/llm/index.js';
import { SCHEMA_VERSION } from '../../domain/record.js';
import type { Condition, Outcome, Response } from '../../domain/response.js';
import { PARSER_VERSION, parseReply } from '../parse-response.js';
import { itemLetter } from './choice-order.js';
import type { ShownItem } from './shown-item.js';

/** What of a call goes into its record beside the reply. */
export interface CallFacts {
  readonly model: string;
  readonly condition: Condition;
  /** Of the call alone; undefined when there was none (a cached reply) or it is not known (a batch). */
  readonly ms?: number | undefined;
  /** US dollars by the price table, whenever they were paid; null: not known. */
  readonly usd: number | null;
}

/** A reply as a line of `responses.jsonl`. */
export function replyRecord(reply: ChatReply, shown: ShownItem, facts: CallFacts): Response {
  const { answer, evidence, outcome } = readReply(reply, shown);
  return {
    ...head(shown, facts, { answer, evidence, outcome }),
    raw: reply.text,
    ...(reply.usage === null ? {} : { usage: reply.usage }),
    ...(facts.ms === undefined ? {} : { ms: Math.round(facts.ms) }),
    ...tail(shown, facts),
    ...(reply.servedModel === null ? {} : { servedModel: reply.servedModel }),
    ...(reply.stopDetail === null ? {} : { stop: reply.stopDetail }),
    ...(facts.usd === null ? {} : { usd: facts.usd }),
    ...(reply.fromCache ? { cached: true } : {}),
  };
}

/** A call that brought no reply. It is asked again by the next run; the provider's words are not in it. */
export function failureRecord(error: ChatError, shown: ShownItem, facts: CallFacts): Response {
  const { status } = error.detail;
  return {
    ...head(shown, facts, { answer: null, evidence: [], outcome: 'transport' }),
    ...tail(shown, facts),
    failure: { kind: error.kind, ...(status === undefined ? {} : { status }) },
  };
}

interface Read {
  readonly answer: string | null;
  readonly evidence: readonly string[];
  readonly outcome: Outcome;
}

/** Only a reply that came to its end is read; of the others nothing is taken, even where a part looks like an answer. */
function readReply({ stop, text }: ChatReply, shown: ShownItem): Read {
  if (stop !== 'complete') return { answer: null, evidence: [], outcome: stop };
  const parsed = parseReply(
    text,
    shown.images.map(({ id }) => id),
  );
  return { ...parsed, answer: itemLetter(parsed.answer, shown.order) };
}

function head(shown: ShownItem, { model }: CallFacts, { answer, evidence, outcome }: Read) {
  const { itemId } = shown;
  return {
    schemaVersion: SCHEMA_VERSION as typeof SCHEMA_VERSION,
    itemId,
    model,
    answer,
    evidence: [...evidence],
    outcome,
  };
}

function tail({ epoch, images, order, imagesOf }: ShownItem, { condition }: CallFacts) {
  return {
    epoch,
    ...(condition === 'real' ? {} : { condition }),
    parser: PARSER_VERSION,
    sent: {
      count: images.length,
      images: images.map(({ id, sha256, width, height }) => ({ id, sha256, width, height })),
    },
    ...(order === null ? {} : { choiceOrder: [...order] }),
    ...(imagesOf === null ? {} : { imagesOf }),
  };
}
