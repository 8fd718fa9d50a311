import { toJsonl } from '../adapters/store/index.js';
import type { CommitmentRecord, PublicItem, ReleaseManifest } from '../domain/release.js';
import { BUNDLE_FILES, bundleTexts, manifestText } from './bundle-texts.js';
import type { Needle } from './leak/needle.js';
import { leakScanner, type LeakScanner } from './leak/scan.js';

/** What a bundle's own records say; null where one cannot be read. */
export interface BundleRecords {
  readonly items: readonly PublicItem[];
  readonly commitment: CommitmentRecord | null;
  readonly manifest: ReleaseManifest | null;
  /** The prompt of this version. */
  readonly prompt: string;
}

/** Stands between two values, so that a private value cannot seem to begin in one and end in the next. */
const BETWEEN = '\n|\n';

/**
 * Gives, of a text file that is word for word what `release` writes, the part that comes from the workspace: a private
 * value that also stands in our own wording is no leak there. Null for any other file: all of it is searched.
 */
export function variableParts(records: BundleRecords): (file: string, bytes: Buffer) => string | null {
  const { items, commitment, manifest, prompt } = records;
  const promised = commitment?.commitment ?? '';
  const own = new Map<string, { readonly texts: readonly string[]; readonly variable: readonly string[] }>();
  // The averages in the card come from the key, which is not at hand: the card is compared without its percentages.
  const variants = [null, { evidence: [0, 0, 0] as const }].map((chance) =>
    bundleTexts(items, promised, chance, prompt),
  );
  for (const name of variants[0]!.keys()) {
    own.set(name, { texts: variants.map((texts) => texts.get(name)!), variable: [] });
  }
  own.set('commitment.json', { ...own.get('commitment.json')!, variable: [promised] });
  own.set('items.jsonl', { texts: [toJsonl(items)], variable: items.flatMap(itemStrings) });
  if (manifest !== null) {
    const variable = manifest.files
      .filter(({ path }) => !(BUNDLE_FILES as readonly string[]).includes(path))
      .flatMap(({ path, sha256 }) => [path, sha256]);
    own.set('manifest.json', { texts: [manifestText(manifest.files)], variable });
  }
  return (file, bytes) => {
    const known = own.get(file);
    if (known === undefined) return null;
    const same = file === 'README.md' ? withoutPercentages : (text: string) => text;
    const text = same(bytes.toString('utf8'));
    return known.texts.some((each) => same(each) === text) ? known.variable.join(BETWEEN) : null;
  };
}

/** A leak scanner that looks for private values in the workspace's part of a file only, and for general patterns in all of it. */
export function bundleScanner(needles: readonly Needle[], records: BundleRecords): LeakScanner {
  const scan = leakScanner(needles);
  const variable = variableParts(records);
  return (file) => {
    const all = scan(file);
    const part = variable(file.path, Buffer.from(file.bytes));
    if (part === null) return all;
    return [
      ...all.filter(({ needle, form }) => needle < 0 || ENCODED.has(form)),
      ...scan({ path: file.path, bytes: Buffer.from(part) }).filter(
        ({ needle, place, form }) => needle >= 0 && place !== 'name' && !ENCODED.has(form),
      ),
    ];
  };
}

/** Our own wording does not decode to anything, so these are looked for everywhere. */
const ENCODED: ReadonlySet<string> = new Set(['base64', 'hex', 'utf-16']);

function withoutPercentages(text: string): string {
  return text.replace(/\b\d{1,3} %/g, '0 %');
}

function itemStrings({ id, question, choices, images }: PublicItem): string[] {
  return [
    id,
    question,
    ...choices.map(({ text }) => text),
    ...images.flatMap((image) => [image.id, image.file, image.sha256]),
  ];
}
