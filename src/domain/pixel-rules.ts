/** Rules by which pixels are suspected to show who the patient is. `burned-in-text` is found in the pixels themselves. */
export const PIXEL_RULES = [
  'burned-in-annotation',
  'burned-in-text',
  'burned-in-unknown',
  'embedded-overlay',
  'encapsulated-document',
  'recognizable-features',
  'screen-save',
  'secondary-capture',
] as const;
export type PixelRule = (typeof PIXEL_RULES)[number];
