export { EVIDENCE_TOLERANCE_SLICES } from '../evidence.js';
export { acceptableImages } from './acceptable-images.js';
export { evidenceChance } from './evidence-chance.js';
export { scoreAnswer } from './score-answer.js';
export {
  isEvidenceHit,
  neededHits,
  scoreEvidence,
  SELECTION_MAX,
  type EvidenceScore,
} from './score-evidence.js';
export { isScorable, scoreItem, type ReplyScore } from './score-item.js';
export { normaliseImageId, selectedIds } from './selected-ids.js';
