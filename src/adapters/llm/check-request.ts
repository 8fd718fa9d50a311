import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { ModelCapabilities } from './capabilities.js';
import type { ChatModel, ChatPart, ChatRequest } from './chat-model.js';

type ImagePart = Extract<ChatPart, { type: 'image' }>;

/**
 * Refuses a request that the model cannot take, before the first call: too many images, or one too large. What is not
 * known is not checked.
 *
 * @param imageBytes - size of each image's file in the order of the parts; absent: sizes are not checked
 * @throws {GroundmarkError} `too-many-images`, `image-too-large`, `request-too-large`
 */
export function checkRequest(
  model: Pick<ChatModel, 'id' | 'capabilities'>,
  request: Pick<ChatRequest, 'key' | 'parts'>,
  imageBytes?: readonly number[],
): void {
  const limits = model.capabilities as ChatModel['capabilities'] & Partial<ModelCapabilities>;
  const images = request.parts.filter((part): part is ImagePart => part.type === 'image');
  const context = { model: model.id, request: request.key };
  if (limits.maxImages !== null && images.length > limits.maxImages) {
    throw new GroundmarkError(
      'too-many-images',
      `${model.id} takes ${limits.maxImages} images a request and ${request.key} has ${images.length}. ` +
        `Choose another model, or raise providers.<name>.maxImages in groundmark.yaml if the server allows more.`,
      { ...context, images: images.length, limit: limits.maxImages },
      { exit: EXIT.provider },
    );
  }
  const side = sideLimit(limits, images.length);
  for (const [i, { width, height }] of images.entries()) {
    const tooLong = side !== null && Math.max(width, height) > side;
    const tooMany = limits.maxImagePixels !== null && width * height > limits.maxImagePixels;
    if (!tooLong && !tooMany) continue;
    throw new GroundmarkError(
      'image-too-large',
      `${model.id} takes images of ${tooLong ? `at most ${side} pixels a side` : `at most ${limits.maxImagePixels} pixels`} ` +
        `in a request of ${images.length}, and image ${i + 1} of ${request.key} is ${width} × ${height}. ` +
        `Images are never scaled on the way: choose another model, or release smaller images.`,
      { ...context, width, height },
      { exit: EXIT.provider },
    );
  }
  if (imageBytes) checkBytes(limits, imageBytes, model.id, request);
}

function sideLimit(limits: Partial<ModelCapabilities>, images: number): number | null {
  const many = limits.manyImages ?? null;
  if (many !== null && images > many) return limits.maxImageSideOfMany ?? limits.maxImageSide ?? null;
  return limits.maxImageSide ?? null;
}

function checkBytes(
  { maxImageBytes, maxRequestBytes }: ChatModel['capabilities'],
  imageBytes: readonly number[],
  model: string,
  request: Pick<ChatRequest, 'key' | 'parts'>,
): void {
  const largest = Math.max(0, ...imageBytes);
  if (maxImageBytes !== null && largest > maxImageBytes) {
    throw new GroundmarkError(
      'image-too-large',
      `${model} takes images of at most ${maxImageBytes} bytes, and ${request.key} has one of ${largest}. ` +
        `Choose another model, or release smaller images.`,
      { model, request: request.key, bytes: largest, limit: maxImageBytes },
      { exit: EXIT.provider },
    );
  }
  const total = requestBytes(request, imageBytes);
  if (maxRequestBytes === null || total <= maxRequestBytes) return;
  throw new GroundmarkError(
    'request-too-large',
    `${model} takes requests of at most ${maxRequestBytes} bytes, and ${request.key} has about ${total}. ` +
      `Choose another model, or release fewer or smaller images.`,
    { model, request: request.key, bytes: total, limit: maxRequestBytes },
    { exit: EXIT.provider },
  );
}

/** Bytes of the built request, about: base64 is four thirds of the file, and some JSON stands around every part. */
export function requestBytes({ parts }: Pick<ChatRequest, 'parts'>, imageBytes: readonly number[]): number {
  const text = parts.reduce(
    (sum, part) => sum + (part.type === 'text' ? Buffer.byteLength(part.text) : 0),
    0,
  );
  const images = imageBytes.reduce((sum, bytes) => sum + 4 * Math.ceil(bytes / 3), 0);
  return text + images + parts.length * 128;
}
