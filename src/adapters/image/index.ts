export { drawContactSheet, type SheetTile } from './contact-sheet.js';
export { encodeGreyPng, readGreyPng } from './png.js';
export type { RenderedPng } from './png-job.js';
export { renderPngs, renderSheets } from './render.js';
export type { GreyPicture, RenderInput, RenderSlice } from './render-job.js';
export type { SheetInput } from './sheet-job.js';
export {
  percentileWindow,
  pickWindow,
  presetOf,
  windowRulesSchema,
  type WindowChoice,
  type WindowPreset,
  type WindowRules,
} from './window.js';
