import { z } from 'zod';
import { toJsonl } from '../adapters/store/index.js';
import {
  publicItemSchema,
  RELEASE_FORMAT,
  type CommitmentRecord,
  type PublicItem,
  type ReleaseManifest,
} from '../domain/release.js';
import { cardFacts, datasetCard } from './dataset-card.js';
import type { ChanceLevels } from './chance-levels.js';

export const MANIFEST_FILE = 'manifest.json';
/** Files of every bundle beside its images. */
export const BUNDLE_FILES = [
  'README.md',
  'commitment.json',
  'items.jsonl',
  'items.schema.json',
  MANIFEST_FILE,
  'prompt.md',
] as const;

/** The texts of a bundle but its manifest, by path. The same items, key and secret give the same bytes. */
export function bundleTexts(
  items: readonly PublicItem[],
  commitment: string,
  chance: ChanceLevels | null,
  prompt: string,
): ReadonlyMap<string, string> {
  return new Map([
    ['README.md', datasetCard(cardFacts(items, chance))],
    ['commitment.json', pretty(commitmentRecord(commitment, items.length))],
    ['items.jsonl', toJsonl(items)],
    ['items.schema.json', itemsSchemaText()],
    ['prompt.md', prompt],
  ]);
}

/** Our own texts without a workspace's content: a value that stands in them is a plain word. */
export function fixedTexts(prompt: string): string[] {
  return [
    datasetCard(cardFacts([], null)),
    pretty(commitmentRecord('0'.repeat(64), 1)),
    itemsSchemaText(),
    prompt,
    manifestText([]),
  ];
}

export function manifestText(files: ReleaseManifest['files']): string {
  const manifest: ReleaseManifest = { schemaVersion: 1, format: RELEASE_FORMAT, files: [...files] };
  return pretty(manifest);
}

export function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function itemsSchemaText(): string {
  return pretty(z.toJSONSchema(publicItemSchema));
}

function commitmentRecord(commitment: string, items: number): CommitmentRecord {
  return {
    schemaVersion: 1,
    algorithm: 'sha256(salt.txt || key.jsonl)',
    commitment,
    items,
    promise:
      'The answers and the hidden evidence of these items were fixed when this bundle was made: ' +
      'no other file of answers gives this number.',
    howToVerify: [
      'Ask the owner to publish key.jsonl and salt.txt once the set is retired, or to open them for you.',
      'Run: cat salt.txt key.jsonl | sha256sum',
      'The number printed must be equal to the commitment above.',
    ],
  };
}
