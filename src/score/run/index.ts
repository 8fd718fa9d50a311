export { parseModelSpec, runFolderName, type ModelSpec } from './make-model.js';
export { planRun, type RunPlan } from './plan-run.js';
export type { RunModelInput, RunSummary } from './run-input.js';
export { runModel } from './stage.js';
