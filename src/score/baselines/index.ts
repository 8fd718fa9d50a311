export type { AnswerModel, Corpus, Reply } from './answer-model.js';
export { BASELINES, makeBaseline } from './baselines.js';
export { pickEvidence } from './pick-evidence.js';
export { scriptedModel, scriptedReplySchema, type ScriptedReply } from './scripted.js';
export { centralityScores, lengthScores, similarityScores, type ChoiceScores } from './text-scores.js';
