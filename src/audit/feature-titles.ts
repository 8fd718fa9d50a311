/** What people call the evidence features of an audit. */
export const FEATURE_TITLES: Readonly<Record<string, string>> = {
  imageId: 'Number in the image id',
  order: 'Place in the list',
  positionFromMiddle: 'Distance from the middle of the series',
  seriesShare: 'Shown images of the same series',
  adjacency: 'A neighbouring slice is shown too',
  brightness: 'Mean brightness',
  entropy: 'Entropy of the grey values',
  pixelSize: 'Size in pixels',
  byteSize: 'Size of the file',
};
