import type { KeyEntry, KeyImage } from '../../../src/domain/item.js';
import type { Outcome, Response } from '../../../src/domain/response.js';

/** A key entry whose images are written `series:position`, references with a leading `*`; ids are img01, img02, … */
export function aKey(images: string, overrides: Partial<KeyEntry> = {}): KeyEntry {
  return {
    schemaVersion: 1,
    id: 'item-1',
    answer: 'C',
    images: images
      .trim()
      .split(/\s+/)
      .map((word, i): KeyImage => {
        const [series, position] = word.replace('*', '').split(':');
        return {
          id: `img${String(i + 1).padStart(2, '0')}`,
          series: series!,
          position: Number(position),
          role: word.startsWith('*') ? 'reference' : 'comparison',
        };
      }),
    caseGroup: 'case-1',
    strata: {},
    ...overrides,
  };
}

export function aResponse(
  evidence: readonly string[],
  answer: string | null = 'C',
  outcome: Outcome = 'ok',
  overrides: Partial<Response> = {},
): Response {
  return {
    schemaVersion: 1,
    itemId: 'item-1',
    model: 'm',
    answer,
    evidence: [...evidence],
    outcome,
    ...overrides,
  };
}
