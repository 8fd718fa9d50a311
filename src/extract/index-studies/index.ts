export { assignVolumes, type CaseHeaderRow, type VolumeFields } from './assign-volumes.js';
export { runIndex, type IndexSource } from './stage.js';
