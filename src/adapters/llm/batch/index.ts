export type {
  BatchHandle,
  BatchModel,
  BatchPart,
  BatchResult,
  BatchStatus,
  SubmitOptions,
} from './batch-model.js';
export { makeBatchModel } from './registry.js';
