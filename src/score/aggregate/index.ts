export { evidenceChance } from '../../domain/protocol/index.js';
export { ANSWER_CHANCE, chanceScores, PICK_COUNTS } from './chance.js';
export { comparePairs } from './compare.js';
export { scoreModel, type ScoredModel } from './score-model.js';
export { scoreResponses } from './score-report.js';
