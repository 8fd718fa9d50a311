export { checkYaml, dataPath, readDataText, readDataYaml } from './data-files.js';
export { byCodeUnit, fileError, fileStore } from './file-store.js';
export { parseJsonl, readJsonl, toJsonl, writeJsonl } from './jsonl.js';
export type { Store } from './store.js';
export { workspacePaths, workspaceSecret, type WorkspacePaths } from './workspace.js';
