export { ANSWER_CHANCE, chanceScores, evidenceChance, PICK_COUNTS } from './chance.js';
export { comparePairs } from './compare.js';
export { scoreModel, type ScoredModel } from './score-model.js';
export { scoreResponses } from './score-report.js';
