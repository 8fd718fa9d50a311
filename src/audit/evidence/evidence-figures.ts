import type { Audit, EvidenceFeature } from '../../domain/audit.js';
import { rng } from '../../util/rng.js';
import { bootstrapInterval, drawClusters, mean, numberClusters } from '../../util/stats.js';
import type { OwnItem } from '../audit-item.js';
import { featureNames, seriesExtents, shownImages, type FeatureName, type ShownImage } from './features.js';
import type { ImageStatistics } from './image-statistics-job.js';
import { itemAuc } from './item-auc.js';

const DRAWS = 2000;

/**
 * What each property of the images alone says about which are evidence: AUC of reference against comparison images
 * within an item, averaged over items, with a bootstrap interval over cases. PROTOCOL.md §4.
 *
 * @param statistics - for each item one entry an image, in the order shown
 */
export function evidenceFigures(
  items: readonly OwnItem[],
  statistics: readonly (readonly ImageStatistics[])[],
  seed: number,
): NonNullable<Audit['evidence']> {
  const extents = seriesExtents(items);
  const shown = items.map((item, i) => shownImages(item, statistics[i]!, extents));
  const cases = items.map(({ key }) => key.caseGroup);
  const features: Record<string, EvidenceFeature> = {};
  for (const name of featureNames) features[name] = featureFigure(shown, name, cases, seed);
  return {
    features,
    images: shown.reduce((sum, images) => sum + images.length, 0),
    unreadableImages: items.flatMap(({ item }, i) =>
      item.images.flatMap(({ id }, j) => {
        const file = statistics[i]![j]!;
        return file.ok ? [] : [{ where: `${item.id} ${id}`, reason: file.reason }];
      }),
    ),
    clusters: new Set(cases).size,
  };
}

function featureFigure(
  shown: readonly (readonly ShownImage[])[],
  name: FeatureName,
  cases: readonly string[],
  seed: number,
): EvidenceFeature {
  const aucs: number[] = [];
  const aucCases: string[] = [];
  shown.forEach((images, i) => {
    const auc = itemAuc(values(images, name, true), values(images, name, false));
    if (auc === null) return;
    aucs.push(auc);
    aucCases.push(cases[i]!);
  });
  const { ids, count } = numberClusters(aucCases);
  const draws = drawClusters(count, DRAWS, rng(seed, 'audit-evidence', name));
  const ci95 = bootstrapInterval(aucs, ids, draws);
  return { auc: mean(aucs), ci95: ci95 === null ? null : [...ci95], items: aucs.length };
}

function values(images: readonly ShownImage[], name: FeatureName, isReference: boolean): number[] {
  return images.flatMap((image) => {
    const value = image.features[name];
    return image.isReference === isReference && value !== null ? [value] : [];
  });
}
