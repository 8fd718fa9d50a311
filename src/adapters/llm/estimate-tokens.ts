import type { ChatPart, ChatRequest } from './chat-model.js';
import type { ImageSize } from './image-size.js';

/** Output tokens taken for a request that sets no bound. */
export const ASSUMED_OUTPUT_TOKENS = 8192;

/** An estimate, never a bill: what the provider counts comes with the reply. */
export interface TokenEstimate {
  readonly inputTokens: number;
  /** The bound that the request sets, or {@link ASSUMED_OUTPUT_TOKENS}. */
  readonly maxOutputTokens: number;
}

/**
 * Tokens of a request, estimated: text at 4 characters a token plus 8 a part, images by the provider's published rule.
 *
 * @param imageTokens - name of that rule, from the capability table; null or unknown: by area
 */
export function estimateTokens(
  request: Pick<ChatRequest, 'parts' | 'maxOutputTokens'>,
  imageTokens: string | null,
): TokenEstimate {
  const rule = imageTokens !== null && Object.hasOwn(RULES, imageTokens) ? RULES[imageTokens]! : byArea;
  const inputTokens = request.parts.reduce((sum, part) => sum + partTokens(part, rule), 0);
  return { inputTokens, maxOutputTokens: request.maxOutputTokens ?? ASSUMED_OUTPUT_TOKENS };
}

function partTokens(part: ChatPart, rule: ImageRule): number {
  return 8 + (part.type === 'text' ? Math.ceil(part.text.length / 4) : Math.ceil(rule(part)));
}

type ImageRule = (size: ImageSize) => number;

/** Names that the capability table may use. Sources: the providers' guides to image input. */
const RULES: Readonly<Record<string, ImageRule>> = {
  /** Anthropic: width × height / 750. */
  'anthropic-area': byArea,
  /** OpenAI, tiles of 512: base and tile tokens of the model family. */
  'openai-tiles-85-170': openaiTiles(85, 170),
  'openai-tiles-70-140': openaiTiles(70, 140),
  'openai-tiles-75-150': openaiTiles(75, 150),
  'openai-tiles-2833-5667': openaiTiles(2833, 5667),
  /** OpenAI, patches of 32, at most 1536, times the model family's factor. */
  'openai-patches-1': openaiPatches(1),
  'openai-patches-1.62': openaiPatches(1.62),
  'openai-patches-1.72': openaiPatches(1.72),
  'openai-patches-2.46': openaiPatches(2.46),
  /** Gemini to 2.5: 258 for a small image, and for each tile of a larger one. */
  'gemini-tiles': geminiTiles,
  /** Gemini 3 at high media resolution: at most 1120. */
  'gemini-high-1120': () => 1120,
};

/** Names of the rules, for the check of the table. */
export const IMAGE_TOKEN_RULES: readonly string[] = Object.keys(RULES);

function byArea({ width, height }: ImageSize): number {
  return (width * height) / 750;
}

/** Fitted into 2048 × 2048, then the shorter side to 768 when it is longer, then cut into tiles of 512. */
function openaiTiles(base: number, tile: number): ImageRule {
  return ({ width, height }) => {
    const fit = Math.min(1, 2048 / Math.max(width, height));
    const scale = fit * Math.min(1, 768 / (fit * Math.min(width, height)));
    return base + tile * Math.ceil((width * scale) / 512) * Math.ceil((height * scale) / 512);
  };
}

function openaiPatches(factor: number): ImageRule {
  return ({ width, height }) => Math.min(1536, Math.ceil(width / 32) * Math.ceil(height / 32)) * factor;
}

/** Tiles are as wide as two thirds of the shorter side, between 256 and 768 pixels. */
function geminiTiles({ width, height }: ImageSize): number {
  if (width <= 384 && height <= 384) return 258;
  const unit = Math.min(768, Math.max(256, Math.floor(Math.min(width, height) / 1.5)));
  return 258 * Math.ceil(width / unit) * Math.ceil(height / unit);
}
