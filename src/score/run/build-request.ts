import { answerSchema, type ChatPart, type ChatRequest, type SentImage } from '../../adapters/llm/index.js';
import { GroundmarkError } from '../../domain/error.js';
import type { ShownImage, ShownItem } from './shown-item.js';

/** What every request of a run has in common. */
export interface RequestOptions {
  /** The prompt's text. */
  readonly prompt: string;
  /** @param take - memory that it may be read into; absent: fresh memory */
  readonly readFile: (file: string, take?: (length: number) => Buffer) => Promise<Uint8Array>;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/**
 * The request for one item: the prompt, each image right after its id (`Image img03:`), then question and choices.
 *
 * @param key - names the request in batches and logs
 * @throws {GroundmarkError} `bad-request-order`: a bug, and a reply to such a request must never be scored
 */
export function buildRequest(shown: ShownItem, key: string, options: RequestOptions): ChatRequest {
  const { maxOutputTokens, temperature } = options;
  const parts: ChatPart[] = [{ type: 'text', text: options.prompt }];
  for (const image of shown.images) {
    parts.push({ type: 'text', text: imageLabel(image.id) }, imagePart(image, options));
  }
  parts.push({ type: 'text', text: questionText(shown) });
  assertOrder(parts, shown);
  return {
    key,
    parts,
    schema: answerSchema(shown.choices.map(({ letter }) => letter)),
    epoch: shown.epoch,
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

function imageLabel(id: string): string {
  return `Image ${id}:`;
}

function imagePart(
  { sha256, width, height, mediaType, source }: ShownImage,
  { readFile }: RequestOptions,
): ChatPart {
  const bytes = async (take?: (length: number) => Buffer): Promise<Uint8Array> =>
    'bytes' in source ? source.bytes : readFile(source.file, take);
  return { type: 'image', bytes, mediaType, sha256, width, height };
}

/** The question, an empty line, and `A. …` to `E. …`; without a question the choices alone. */
export function questionText({ question, choices }: Pick<ShownItem, 'question' | 'choices'>): string {
  const lines = choices.map(({ letter, text }) => `${letter}. ${text}`).join('\n');
  return question === null ? lines : `${question}\n\n${lines}`;
}

/** Every image right behind its own label, in the item's order, and nothing behind the question. PROVIDERS.md §10.5. */
function assertOrder(parts: readonly ChatPart[], shown: ShownItem): void {
  const inOrder = shown.images.every((image, i) => {
    const [label, picture] = [parts[1 + 2 * i], parts[2 + 2 * i]];
    return (
      label?.type === 'text' &&
      label.text === imageLabel(image.id) &&
      picture?.type === 'image' &&
      picture.sha256 === image.sha256
    );
  });
  if (inOrder && parts.length === 2 * shown.images.length + 2 && parts.at(-1)!.type === 'text') return;
  throw orderError(shown.itemId, 'the request that was built');
}

/**
 * Checks that what went out, as the adapter read it back, is what the item shows.
 *
 * @throws {GroundmarkError} `bad-request-order`
 */
export function assertSent(sent: readonly SentImage[] | undefined, shown: ShownItem): void {
  const images = sent ?? [];
  if (
    images.length === shown.images.length &&
    images.every(({ sha256 }, i) => sha256 === shown.images[i]!.sha256)
  )
    return;
  throw orderError(shown.itemId, 'the request that was sent');
}

function orderError(itemId: string, where: string): GroundmarkError {
  return new GroundmarkError(
    'bad-request-order',
    `Item ${itemId}: ${where} does not hold its images in their order. This is a bug; its reply is not kept. Report it.`,
    { itemId },
  );
}
