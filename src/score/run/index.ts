export { parseModelSpec, runFolderName, type ModelSpec } from './make-model.js';
export { runModel, type RunModelInput, type RunSummary } from './stage.js';
