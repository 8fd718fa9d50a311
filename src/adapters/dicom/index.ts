export { isColour, lumaOf, rgbOf } from './colour.js';
export { fileStamp } from './file-stamp.js';
export { missingReferences, readDicomdir, type DicomdirReference } from './dicomdir.js';
export { framePng } from './frame-png.js';
export type { AcquisitionFields, HeaderRow, StackFields } from './header-row.js';
export { inspectDicom, type DicomInspection } from './inspect-dicom.js';
export { greyLevels, type GreyFrame } from './grey-levels.js';
export {
  modalityTransform,
  modalityValue,
  modalityValues,
  NO_TRANSFORM,
  type ModalityTransform,
} from './modality-transform.js';
export {
  forEachFrame,
  forFrames,
  readFramePixels,
  withFrames,
  type FramePixels,
  type FrameReader,
} from './read-frame-pixels.js';
export { chooseVoi, renderFrame, type RenderedFrame, type VoiChoice } from './render-frame.js';
export type { Samples } from './samples.js';
export { scanHeader } from './scan-header.js';
export { readScanResults, scanJob, type ScanResult } from './scan-job.js';
export { walkFiles, type FoundFile } from './walk-files.js';
export {
  above,
  autoWindow,
  distributionOf,
  flatWindow,
  valueAtRank,
  windowBetween,
  type ValueDistribution,
} from './value-distribution.js';
export { isUsable, isVoiTable, type Voi, type VoiTable, type Window, type WindowShape } from './voi.js';
export { applyWindow, levelOf } from './window.js';
