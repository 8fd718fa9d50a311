import { describe, expect, it } from 'vitest';
import { datasetFlags } from '../../src/audit/dataset-flags.js';
import { evidenceFigures } from '../../src/audit/evidence/evidence-figures.js';
import { featureNames, type FeatureName } from '../../src/audit/evidence/features.js';
import { itemAuc } from '../../src/audit/evidence/item-auc.js';
import { auditRulesSchema } from '../../src/audit/rules.js';
import { datasetFigures, textFigures } from '../../src/audit/text/text-figures.js';
import { readDataYaml } from '../../src/adapters/store/index.js';
import { anOwnSet, type DraftImage, type OwnSet } from './helpers/own-set.js';

/** The two images with the greatest value. */
const top = (value: (image: DraftImage) => number) => (images: DraftImage[]) =>
  [...images].sort((a, b) => value(b) - value(a)).slice(0, 2);

/** How each feature is made to give the references away. */
const PLANTS: Record<FeatureName, (images: DraftImage[]) => DraftImage[]> = {
  imageId: top(({ id }) => Number(id.slice(3))),
  order: top(({ order }) => -order),
  positionFromMiddle: top(({ position }) => -Math.abs(position - 100)),
  seriesShare: (images) => {
    images.forEach((image, i) => (image.series = i < 2 ? 'odd' : 'main'));
    return images.slice(0, 2);
  },
  adjacency: (images) => {
    images.forEach((image, i) => (image.position = 10 * i));
    images[1]!.series = images[0]!.series;
    images[1]!.position = 1;
    return images.slice(0, 2);
  },
  brightness: top(({ brightness }) => brightness),
  entropy: top(({ entropy }) => entropy),
  pixelSize: top(({ pixels }) => pixels),
  byteSize: top(({ bytes }) => bytes),
};

async function flaggedFeatures({ items, statistics }: OwnSet): Promise<string[]> {
  const rules = await readDataYaml('audit-rules.yaml', auditRulesSchema);
  const texts = items.map(({ item }) => ({
    stem: item.question,
    options: item.choices.map(({ text }) => text),
    answer: 0,
  }));
  const figures = {
    schemaVersion: 1 as const,
    dataset: {
      format: 'groundmark',
      items: items.length,
      severalKeys: 0,
      skipped: [],
      ...datasetFigures(texts),
    },
    ...textFigures(texts, { joinStems: false }),
    evidence: evidenceFigures(items, statistics, 0),
  };
  return datasetFlags(figures, rules, { own: true })
    .filter(({ rule }) => rule === 'evidence-shortcut')
    .map(({ figure }) => figure!);
}

describe('evidence shortcuts', () => {
  it.each(featureNames)('flags references that %s gives away', async (name) => {
    expect(await flaggedFeatures(anOwnSet(60, PLANTS[name]))).toContain(name);
  });

  it('flags nothing where the references were drawn at random', async () => {
    expect(await flaggedFeatures(anOwnSet(60))).toEqual([]);
  });

  it('gives the same figures for the same seed, and an interval around the figure', () => {
    const set = anOwnSet(40, PLANTS.brightness);
    const [first, second] = [0, 0].map((seed) => evidenceFigures(set.items, set.statistics, seed));
    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
    expect(first!.features.brightness).toEqual({ auc: 1, ci95: [1, 1], items: 40 });
    expect(first!.clusters).toBe(20);
    expect(first!.images).toBe(360);
  });

  it('counts an unreadable image and leaves the items without any known value out', () => {
    const set = anOwnSet(10);
    set.statistics[0] = set.statistics[0]!.map(() => ({ ok: false, reason: 'missing' }));
    const { unreadableImages, features } = evidenceFigures(set.items, set.statistics, 0);
    expect(unreadableImages).toHaveLength(9);
    expect(unreadableImages[0]).toEqual({
      where: `gm-0 ${set.items[0]!.item.images[0]!.id}`,
      reason: 'missing',
    });
    expect(features.brightness!.items).toBe(9);
    expect(features.order!.items).toBe(10);
  });

  it('gives no interval where all items come from one case', () => {
    const set = anOwnSet(2);
    expect(evidenceFigures(set.items, set.statistics, 0).features.entropy!.ci95).toBeNull();
  });
});

describe('AUC of one item', () => {
  it.each([
    { references: [3], comparisons: [1, 2], auc: 1, why: 'above both' },
    { references: [1], comparisons: [1, 2], auc: 0.25, why: 'one tie, one below' },
    { references: [5, 1], comparisons: [3], auc: 0.5, why: 'one above, one below' },
    { references: [], comparisons: [3], auc: null, why: 'no reference' },
  ])('$references against $comparisons is $auc: $why', ({ references, comparisons, auc }) => {
    expect(itemAuc(references, comparisons)).toBe(auc);
  });
});
