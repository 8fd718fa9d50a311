import { describe, expect, it } from 'vitest';
import { capabilitiesOf, readCapabilityTable } from '../../../src/adapters/llm/capabilities.js';
import { checkRequest } from '../../../src/adapters/llm/check-request.js';
import { estimateTokens, IMAGE_TOKEN_RULES } from '../../../src/adapters/llm/estimate-tokens.js';
import type { ChatPart } from '../../../src/adapters/llm/chat-model.js';

const image = (width: number, height: number): ChatPart => ({
  type: 'image',
  bytes: () => Promise.reject(new Error('not read')),
  mediaType: 'image/png',
  sha256: '',
  width,
  height,
});

describe('the table of capabilities', () => {
  it('is read whole, and names only rules that there are', async () => {
    const { models } = await readCapabilityTable();
    for (const { imageTokens } of models) {
      if (imageTokens !== undefined) expect(IMAGE_TOKEN_RULES).toContain(imageTokens);
    }
    expect(new Set(models.map(({ prefix }) => prefix)).size).toBe(models.length);
  });

  it.each([
    ['openai/gpt-4o-mini', { temperature: true, imageTokens: 'openai-tiles-2833-5667', maxImages: 500 }],
    ['openai/gpt-5-mini-2025-08-07', { temperature: false, imageTokens: 'openai-patches-1.62' }],
    ['openai/gpt-5.2', { temperature: false, imageTokens: 'openai-patches-1' }],
    ['anthropic/claude-x', { temperature: false, maxImages: 100, maxImagePixels: null }],
    ['anthropic/claude-haiku-4-5', { maxImageSide: 1568 }],
    ['gemini/gemini-3-pro', { maxImages: 900, imageTokens: 'gemini-high-1120' }],
    ['openai-compatible/groq/m', { maxImages: 5, batch: false }],
    ['openai-compatible/x/m', { maxImages: null, structuredOutput: true }],
    ['else/m', { maxImages: null, batch: false }],
  ])('says of %s: %o', async (id, expected) => {
    expect(capabilitiesOf(id, await readCapabilityTable())).toMatchObject(expected);
  });
});

describe('pain 7: a request that a model cannot take is refused before the first call', () => {
  const check = async (id: string, parts: readonly ChatPart[], bytes?: readonly number[]): Promise<void> =>
    checkRequest(
      { id, capabilities: capabilitiesOf(id, await readCapabilityTable()) },
      { key: 'k', parts },
      bytes,
    );
  const many = (n: number, width = 100, height = 100): ChatPart[] =>
    Array.from({ length: n }, () => image(width, height));

  it.each([
    ['openai-compatible/groq/m', many(6), undefined, 'too-many-images'],
    ['anthropic/claude-x', many(101), undefined, 'too-many-images'],
    ['anthropic/claude-x', many(21, 2001, 10), undefined, 'image-too-large'],
    ['anthropic/claude-x', many(1, 10, 8001), undefined, 'image-too-large'],
    ['anthropic/claude-haiku-4-5', many(1, 1536, 1152), undefined, 'image-too-large'],
    ['anthropic/claude-x', many(1), [5_000_001], 'image-too-large'],
    ['gemini/gemini-x', many(3), [5_000_001, 5_000_000, 5_000_000], 'request-too-large'],
  ])('%s (%#)', async (id, parts, bytes, code) => {
    await expect(check(id, parts, bytes)).rejects.toMatchObject({ code, exit: 4 });
  });

  it.each([
    ['openai-compatible/groq/m', many(5), undefined],
    ['anthropic/claude-x', many(20, 2001, 10), undefined],
    ['anthropic/claude-haiku-4-5', many(12, 1024, 1024), undefined],
    ['openai-compatible/x/m', many(500, 9000, 9000), [50_000_000]],
    ['gemini/gemini-x', many(3), [4_000_000, 4_000_000, 4_000_000]],
  ])('but not one that it can: %s (%#)', async (id, parts, bytes) => {
    await expect(check(id, parts, bytes)).resolves.toBeUndefined();
  });
});

describe('tokens of an image, estimated', () => {
  it.each([
    // The providers' own examples.
    ['openai-tiles-85-170', 1024, 1024, 765],
    ['openai-tiles-85-170', 2048, 4096, 1105],
    ['openai-tiles-85-170', 512, 512, 255],
    ['openai-patches-1', 1024, 1024, 1024],
    ['openai-patches-1', 2000, 2000, 1536],
    ['anthropic-area', 1000, 1000, 1334],
    ['anthropic-area', 200, 200, 54],
    ['gemini-tiles', 384, 384, 258],
    ['gemini-tiles', 960, 540, 1548],
    ['gemini-high-1120', 100, 100, 1120],
    // 70 + 140; 1.62 × 16 × 16, rounded up.
    ['openai-tiles-70-140', 512, 512, 210],
    ['openai-patches-1.62', 512, 512, 415],
    [null, 1000, 1000, 1334],
    ['no such rule', 1000, 1000, 1334],
  ])('by %s, %i × %i, are %i and 8 more', (rule, width, height, expected) => {
    expect(estimateTokens({ parts: [image(width, height)] }, rule).inputTokens).toBe(expected + 8);
  });

  it('add up with the text, and the output is what is allowed', () => {
    const parts = [{ type: 'text' as const, text: 'x'.repeat(401) }, image(750, 1)];
    expect(estimateTokens({ parts, maxOutputTokens: 9 }, null)).toEqual({
      // 101 + 8 + 1 + 8.
      inputTokens: 118,
      maxOutputTokens: 9,
    });
    expect(estimateTokens({ parts: [] }, null)).toEqual({ inputTokens: 0, maxOutputTokens: 8192 });
  });
});
