import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { byCodeUnit } from '../adapters/store/index.js';
import { GroundmarkError } from '../domain/error.js';
import type { Item } from '../domain/item.js';
import type { ReleaseManifest } from '../domain/release.js';
import { sha256 } from '../util/hash.js';
import { MANIFEST_FILE, manifestText } from './bundle-texts.js';
import { publicImagePath } from './public-items.js';

type WriteDeps = Pick<Deps, 'store' | 'progress' | 'signal'>;

/**
 * Writes a bundle into an empty folder: texts, images and, last, the manifest.
 *
 * @param itemsFolder - the folder that the items' `file` fields are relative to
 * @throws {GroundmarkError} `bad-image` when an image is missing, lies elsewhere or has another SHA-256 than its item tells
 */
export async function writeBundle(
  folder: string,
  texts: ReadonlyMap<string, string>,
  items: readonly Item[],
  itemsFolder: string,
  deps: WriteDeps,
): Promise<ReleaseManifest['files']> {
  const files: ReleaseManifest['files'] = [];
  const add = async (name: string, data: Uint8Array): Promise<void> => {
    await deps.store.write(path.join(folder, name), data);
    files.push({ path: name, sha256: sha256(data), bytes: data.length });
  };
  for (const [name, text] of texts) await add(name, Buffer.from(text, 'utf8'));
  const task = deps.progress.start('copying images', items.length);
  for (const item of items) {
    deps.signal.throwIfAborted();
    for (const image of item.images) {
      const source = path.resolve(itemsFolder, image.file);
      const inside = path.relative(itemsFolder, source);
      if (inside.startsWith('..') || path.isAbsolute(inside)) throw badImage(image.id, 'lies outside mcq/');
      if (!(await deps.store.exists(source))) throw badImage(image.id, 'is missing');
      const bytes = await deps.store.read(source);
      if (sha256(bytes) !== image.sha256) {
        throw badImage(image.id, 'has another SHA-256 than mcq/items.jsonl tells');
      }
      await add(publicImagePath(item.id, image.id), bytes);
    }
    task.tick();
  }
  task.done();
  files.sort((a, b) => byCodeUnit(a.path, b.path));
  await deps.store.write(path.join(folder, MANIFEST_FILE), manifestText(files));
  return files;
}

function badImage(imageId: string, what: string): GroundmarkError {
  return new GroundmarkError(
    'bad-image',
    `Image ${imageId} of an item ${what}. Run \`groundmark build --from questions\` to write it again.`,
    { imageId },
  );
}
