import { EXIT, GroundmarkError } from '../../../domain/error.js';
import { parseModelId } from '../model-id.js';
import { providerAccess, type ModelSources } from '../registry.js';
import { anthropicBatch } from './anthropic-batch.js';
import type { BatchModel } from './batch-model.js';
import { geminiBatch } from './gemini-batch.js';
import { makeBatch } from './make-batch.js';
import { openaiBatch } from './openai-batch.js';

/**
 * A provider's model in batches; keys and base URL as with `makeChatModel`.
 *
 * @throws {GroundmarkError} `no-batch` for a compatible server; else as `makeChatModel`
 */
export async function makeBatchModel(id: string, sources: ModelSources): Promise<BatchModel> {
  const name = parseModelId(id);
  if (name.kind === 'openai-compatible') {
    throw new GroundmarkError(
      'no-batch',
      `${id} has no batches: servers that speak Chat Completions do not share them. Run it without --batch.`,
      { model: id },
      { exit: EXIT.usage },
    );
  }
  const access = await providerAccess(name, sources);
  const drivers = { openai: openaiBatch, anthropic: anthropicBatch, gemini: geminiBatch };
  return makeBatch(await drivers[name.kind](access));
}
