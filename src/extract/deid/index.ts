export { runDeid, type DeidInput, type DeidSummary } from './stage.js';
