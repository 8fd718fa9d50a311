import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { drawContactSheet, encodeGreyPng, readGreyPng } from '../../adapters/image/index.js';
import type { Item, KeyEntry } from '../../domain/item.js';
import { sheetSchema, type Sheet } from '../../domain/retrieve.js';
import type { ReportPicture } from '../../score/index.js';
import type { Workspace } from '../workspace.js';

/** Examples for the report: one contact sheet a kind of study, then an item a kind of study as a model sees it. */
export async function demoGallery(
  { paths }: Workspace,
  items: readonly Item[],
  key: readonly KeyEntry[],
  deps: Deps,
): Promise<ReportPicture[]> {
  const sheets: Sheet[] = [];
  for (const file of await deps.store.list(paths.sheets)) {
    if (!file.endsWith('-002.json')) continue;
    sheets.push(
      sheetSchema.parse(JSON.parse((await deps.store.read(path.join(paths.sheets, file))).toString('utf8'))),
    );
  }
  const pictures: ReportPicture[] = [];
  for (const sheet of firstOfEach(sheets, ({ modality }) => modality ?? '')) {
    const png = await deps.store.read(path.join(paths.root, sheet.file));
    pictures.push({
      dataUri: dataUri(png),
      caption: `Contact sheet, ${sheet.modality ?? 'image'}: twelve slices in spatial order, as blinded reviewers see them.`,
    });
  }
  const strataOf = new Map(key.map(({ id, strata }) => [id, strata]));
  const kind = ({ id }: Item): string =>
    `${strataOf.get(id)?.['modality'] ?? ''} ${strataOf.get(id)?.['region'] ?? ''}`;
  for (const item of firstOfEach(items, kind)) {
    pictures.push({ dataUri: dataUri(await itemSheet(item, paths.items, deps)), caption: captionOf(item) });
  }
  return pictures;
}

async function itemSheet(item: Item, itemsFile: string, deps: Deps): Promise<Uint8Array> {
  const tiles = [];
  for (const { id, file } of item.images) {
    const png = await deps.store.read(path.join(path.dirname(itemsFile), file));
    tiles.push({ label: id.toUpperCase(), picture: await readGreyPng(png, TILE) });
  }
  return encodeGreyPng(drawContactSheet(tiles, TILE), 9);
}

const TILE = 200;

function captionOf({ question, choices }: Item): string {
  return `An item as a model sees it. ${question} ${choices.map(({ letter, text }) => `${letter}) ${text}`).join('  ')}`;
}

function firstOfEach<T>(values: readonly T[], of: (value: T) => string): T[] {
  const seen = new Set<string>();
  return values.filter((value) => {
    const name = of(value);
    if (seen.has(name)) return false;
    seen.add(name);
    return true;
  });
}

function dataUri(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`;
}
