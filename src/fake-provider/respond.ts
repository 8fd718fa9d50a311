import { seededAnswer, endingOf } from './answers.js';
import type { Blobs } from './blobs.js';
import type { CallLog, OpenCall } from './call-log.js';
import { isTransportFault } from './faults.js';
import type { ImageChecker } from './images.js';
import { checkImageLimits } from './limits.js';
import type { HttpReply, Protocol } from './protocol.js';
import { readQuestion } from './question.js';
import { Rejected } from './rejected.js';
import type { FakeProviderOptions, FakeQuestion, Fault } from './types.js';

/** What every call needs. */
export interface Context {
  readonly options: FakeProviderOptions;
  readonly log: CallLog;
  readonly checker: ImageChecker;
  /** Of the server, such as `http://127.0.0.1:8080`. */
  readonly url: () => string;
}

/** A reply that is ready, and how it is to go wrong on its way. */
export interface Prepared {
  readonly reply: HttpReply;
  /** A fault of the transport, or null. */
  readonly fault: Fault | null;
}

/**
 * The reply to one request of a model, from its body or from an entry of a batch.
 *
 * @param value - the JSON body
 * @param blobs - what stands behind names in it; null: it holds none
 * @param model - from the path, where the protocol has it there
 */
export async function prepareReply(
  protocol: Protocol,
  value: unknown,
  model: string,
  call: OpenCall,
  { options, log, checker }: Context,
  blobs: Blobs | null = null,
): Promise<Prepared> {
  try {
    const request = protocol.read(value, model);
    const question = await readQuestion(request, protocol.provider, checker, (key) => log.count(key), blobs);
    checkImageLimits(protocol.provider, question.images);
    call.asked(question, request.notes);
    const fault = options.faults?.(question) ?? null;
    call.failsWith(fault);
    if (fault && isTransportFault(fault.kind) && fault.kind !== 'trickle') {
      return { reply: failureOf(fault, protocol), fault };
    }
    const text = (options.answer ?? seededAnswer(options.seed ?? 0))(question);
    const ending = endingOf(text, fault?.kind ?? null, question);
    const tokens = { input: inputTokens(question), output: Math.ceil(ending.text.length / 4) };
    return {
      reply: protocol.reply(ending, request, tokens, question.key),
      fault: fault?.kind === 'trickle' ? fault : null,
    };
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    return { reply: protocol.rejection(error), fault: null };
  }
}

/** The same for the same question: 4 characters a token, 258 an image. */
function inputTokens({ texts, images }: FakeQuestion): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  return Math.ceil(characters / 4) + 258 * images.length;
}

/** Only some faults have a reply; the others are made on the wire. */
function failureOf({ kind, retryAfterSeconds }: Fault, protocol: Protocol): HttpReply {
  if (kind === 'rate-limit') {
    const seconds = retryAfterSeconds ?? 1;
    return { ...protocol.rateLimit(), headers: { 'retry-after': String(seconds) } };
  }
  return protocol.serverError(kind === 'overloaded');
}
