export { answerSchema, ANSWER_SCHEMA_NAME } from './answer-schema.js';
export {
  makeBatchModel,
  type BatchHandle,
  type BatchModel,
  type BatchResult,
  type BatchStatus,
} from './batch/index.js';
export { Budget, dollars, requirePrice, withBudget, worstCostUsd } from './budget.js';
export { capabilitiesOf, readCapabilityTable, type ModelCapabilities } from './capabilities.js';
export {
  ChatError,
  type CallOptions,
  type ChatCapabilities,
  type ChatModel,
  type ChatPart,
  type ChatReply,
  type ChatRequest,
  type ChatStop,
  type ChatUsage,
  type SentImage,
} from './chat-model.js';
export { checkRequest } from './check-request.js';
export { ASSUMED_OUTPUT_TOKENS, estimateTokens, type TokenEstimate } from './estimate-tokens.js';
export { estimateFor, modelGuard, type GuardOptions } from './guard-model.js';
export { imageSize } from './image-size.js';
export { Limiter, withLimits, type Limits } from './limits.js';
export {
  isProviderModel,
  parseModelId,
  PROVIDER_KINDS,
  type ModelId,
  type ProviderKind,
} from './model-id.js';
export { costUsd, priceOf, readPriceTable, type DatedPrice, type PriceTable } from './prices.js';
export { makeChatModel, modelCapabilities, type ModelSources } from './registry.js';
export { requestCacheKey } from './request-key.js';
export { cachedReply, keepReply, withCache, type CacheOptions } from './response-cache.js';
export { withRetry, type RetryEvent, type RetryOptions } from './retry.js';
export { scriptedChatModel, type ChatScript, type ScriptedAnswer } from './scripted.js';
export { realTime, type Time } from './time.js';
