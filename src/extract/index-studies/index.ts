export { assignVolumes, type CaseHeaderRow, type VolumeFields } from './assign-volumes.js';
export { runIndex, type IndexSource } from './stage.js';
export { writeIndex, type WriteIndexInput } from './write-index.js';
export { describeVolumes } from './describe-volumes.js';
