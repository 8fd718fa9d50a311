export { checkYaml, dataPath, readDataText, readDataYaml } from './data-files.js';
export { byCodeUnit, fileError, fileStore } from './file-store.js';
export { parseJsonl, readJsonl, toJsonl, writeJsonl } from './jsonl.js';
export type { Store } from './store.js';
export { workspacePaths, workspaceSecret, type WorkspacePaths } from './workspace.js';
export { takeLock, withLock } from './lock.js';
export { manifestSchema, runStage, willSkip, type Manifest, type StageRun } from './stage-run.js';
export { folderFingerprint, keepStep } from './steps.js';
export { appendDurably, splitTornTail } from './append-log.js';
