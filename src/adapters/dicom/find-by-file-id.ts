import { readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';

/** The entries of a folder by their names, and by what is left of a name on any system. */
interface Listing {
  readonly exact: ReadonlyMap<string, Dirent>;
  readonly plain: ReadonlyMap<string, Dirent>;
}

/**
 * Finds files below a folder by the components of a File ID (PS3.10 section 8.2). Media are written in capitals and read
 * back in any case, some with the version or the point that ISO 9660 puts behind a name; an exact name comes first.
 *
 * @returns a function that gives the path of a file, or null; every folder is listed once
 */
export function fileFinder(root: string): (components: readonly string[]) => string | null {
  const listings = new Map<string, Listing>();
  const entryOf = (folder: string, name: string): Dirent | undefined => {
    let listing = listings.get(folder);
    if (!listing) listings.set(folder, (listing = list(folder)));
    return listing.exact.get(name) ?? listing.plain.get(plainName(name));
  };
  return (components) => {
    let found = root;
    let isFolder = true;
    for (const component of components) {
      // A name such as `..` is in no listing, so nothing outside of the root is found.
      const entry = entryOf(found, component);
      if (!entry) return null;
      found = path.join(found, entry.name);
      isFolder = entry.isDirectory();
    }
    return isFolder ? null : found;
  };
}

function plainName(name: string): string {
  return name.replace(/\.?(?:;\d+)?$/u, '').toUpperCase();
}

function list(folder: string): Listing {
  const entries = entriesOf(folder);
  // From the last: of names that differ in case alone, the first stays.
  const plain = entries.map((entry) => [plainName(entry.name), entry] as const).reverse();
  return { exact: new Map(entries.map((entry) => [entry.name, entry])), plain: new Map(plain) };
}

/** Sorted by name; [] for what cannot be listed. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
