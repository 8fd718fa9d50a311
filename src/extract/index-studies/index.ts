export { assignVolumes, type CaseHeaderRow, type VolumeFields } from './assign-volumes.js';
export type { IndexSource } from './find-files.js';
export { runIndex, type IndexInput, type IndexOutput } from './stage.js';
export { writeIndex, type WriteIndexInput } from './write-index.js';
export { describeVolumes } from './describe-volumes.js';
