import type { OwnItem } from '../audit-item.js';
import type { ImageStatistics } from './image-statistics-job.js';

/** Slices that count as neighbours. PROTOCOL.md §2. */
const NEIGHBOUR_SLICES = 2;

/** Properties by which evidence might be told from comparison images without looking for the finding. */
export const featureNames = [
  /** Number in the image's id. */
  'imageId',
  /** Place in the item's list. */
  'order',
  /** Distance from the middle of the series' known slices, as a share of half their extent. */
  'positionFromMiddle',
  /** Shown images of the same series: small for the odd one out. */
  'seriesShare',
  /** 1 when another shown image lies in the same series at most two slices away. */
  'adjacency',
  'brightness',
  'entropy',
  'pixelSize',
  'byteSize',
] as const;
export type FeatureName = (typeof featureNames)[number];

/** One shown image: whether it is evidence, and its properties; null where a property is not known. */
export interface ShownImage {
  readonly isReference: boolean;
  readonly features: Readonly<Record<FeatureName, number | null>>;
}

/** Known extent of each series over all items. */
export type SeriesExtents = ReadonlyMap<string, { readonly low: number; readonly high: number }>;

/** Lowest and highest slice shown of each series, over all items: what is known of the series' extent. */
export function seriesExtents(items: readonly OwnItem[]): SeriesExtents {
  const extents = new Map<string, { low: number; high: number }>();
  for (const { key } of items) {
    for (const { series, position } of key.images) {
      const extent = extents.get(series);
      if (!extent) extents.set(series, { low: position, high: position });
      else {
        extent.low = Math.min(extent.low, position);
        extent.high = Math.max(extent.high, position);
      }
    }
  }
  return extents;
}

/**
 * The shown images of one item with their properties; an image that the key does not know is left out.
 *
 * @param statistics - one entry an image of `item.images`, in that order
 */
export function shownImages(
  { item, key }: OwnItem,
  statistics: readonly ImageStatistics[],
  extents: SeriesExtents,
): ShownImage[] {
  const known = new Map(key.images.map((image) => [image.id, image]));
  const shown = item.images.flatMap(({ id }) => known.get(id) ?? []);
  return item.images.flatMap(({ id }, order): ShownImage[] => {
    const image = known.get(id);
    if (!image) return [];
    const file = statistics[order]!;
    const sameSeries = shown.filter(({ series }) => series === image.series);
    const isNeighbour = sameSeries.some(
      (other) => other.id !== id && Math.abs(other.position - image.position) <= NEIGHBOUR_SLICES,
    );
    return [
      {
        isReference: image.role === 'reference',
        features: {
          imageId: Number(id.slice(3)),
          order,
          positionFromMiddle: fromMiddle(image.position, extents.get(image.series)!),
          seriesShare: sameSeries.length,
          adjacency: isNeighbour ? 1 : 0,
          brightness: file.ok ? file.brightness : null,
          entropy: file.ok ? file.entropy : null,
          pixelSize: file.ok ? file.pixels : null,
          byteSize: file.ok ? file.bytes : null,
        },
      },
    ];
  });
}

/** 0 in the middle, 1 at the ends; 0 for a series of one known slice. */
function fromMiddle(position: number, { low, high }: { low: number; high: number }): number {
  return high === low ? 0 : Math.abs(position - (low + high) / 2) / ((high - low) / 2);
}
