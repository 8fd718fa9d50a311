import { Rejected } from './rejected.js';
import type { Provider, SeenImage } from './types.js';

interface ProviderLimits {
  readonly images: number;
  readonly requestBytes: number;
  readonly imageBytes: number;
  /** Longest side, pixels; and the same when there are more than 20 images. */
  readonly side: number;
  readonly sideOfMany: number;
}

const NONE = Number.POSITIVE_INFINITY;

/** As documented: PROVIDERS.md §7 "Limits". */
const LIMITS: Readonly<Record<Provider, ProviderLimits>> = {
  openai: { images: 500, requestBytes: 50_000_000, imageBytes: NONE, side: NONE, sideOfMany: NONE },
  'openai-chat': { images: 500, requestBytes: 50_000_000, imageBytes: NONE, side: NONE, sideOfMany: NONE },
  anthropic: { images: 100, requestBytes: 32_000_000, imageBytes: 5_000_000, side: 8000, sideOfMany: 2000 },
  gemini: { images: 3000, requestBytes: 20_000_000, imageBytes: 7_000_000, side: NONE, sideOfMany: NONE },
};
const MANY = 20;

/** Bytes that a request of a provider may have. */
export function requestLimit(provider: Provider): number {
  return LIMITS[provider].requestBytes;
}

/** @throws {Rejected} when there are too many images, or one is too large */
export function checkImageLimits(provider: Provider, images: readonly SeenImage[]): void {
  const limits = LIMITS[provider];
  if (images.length > limits.images) {
    throw new Rejected(
      `Too many images: ${images.length}, at most ${limits.images}.`,
      null,
      'too_many_images',
    );
  }
  const side = images.length > MANY ? limits.sideOfMany : limits.side;
  images.forEach(({ width, height, bytes }, i) => {
    if (Math.max(width, height) <= side && bytes <= limits.imageBytes) return;
    throw new Rejected(
      `Image ${i} is too large: ${width} x ${height} pixels, ${bytes} bytes.`,
      null,
      'image_too_large',
    );
  });
}
