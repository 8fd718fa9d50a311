export { reviewerMaker } from './make-reviewer.js';
export { fileName } from './plan-sheets.js';
export { runCheck, runEvidence, runNominate, runPools, runSeries, runSheets } from './stage.js';
