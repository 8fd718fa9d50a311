import { isProviderModel, parseModelId, PROVIDER_KINDS } from '../../adapters/llm/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { Condition } from '../../domain/response.js';
import { nearest } from '../../util/text.js';
import { BASELINES } from '../baselines/index.js';

/** What a `--model` word asks for. */
export type ModelSpec =
  | { readonly kind: 'baseline'; readonly id: string }
  | { readonly kind: 'scripted'; readonly id: string; readonly file: string }
  | { readonly kind: 'chat'; readonly id: string };

/**
 * Reads `--model`. A scripted model is named for its file alone: a path says where private things lie.
 *
 * @throws {GroundmarkError} `unknown-model`
 */
export function parseModelSpec(word: string): ModelSpec {
  if (Object.hasOwn(BASELINES, word)) return { kind: 'baseline', id: word };
  const slash = word.indexOf('/');
  const [provider, name] = [word.slice(0, slash), word.slice(slash + 1)];
  if (provider === 'scripted' && name !== '') {
    const stem = name.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
    return { kind: 'scripted', id: `scripted/${stem}`, file: name };
  }
  if (isProviderModel(word)) return { kind: 'chat', id: parseModelId(word).id };
  const near = nearest(word, Object.keys(BASELINES));
  throw new GroundmarkError(
    'unknown-model',
    `--model ${word} names no model.${near === null ? '' : ` Did you mean ${near}?`} ` +
      `Built in are ${Object.keys(BASELINES).join(', ')} and scripted/FILE; providers are ` +
      `${PROVIDER_KINDS.map((kind) => (kind === 'openai-compatible' ? `${kind}/NAME/…` : `${kind}/…`)).join(', ')}.`,
    { model: word },
    { exit: EXIT.usage },
  );
}

/**
 * A model's folder under the runs: its id with `-` for `/` and for whatever else a file name had better not hold, and the
 * condition when it is not `real`.
 */
export function runFolderName(modelId: string, condition: Condition = 'real'): string {
  const name = modelId.replace(/[^A-Za-z0-9._-]/gu, '-');
  return condition === 'real' ? name : `${name}--${condition}`;
}

/** @throws {GroundmarkError} `duplicate-model` when two models would write to one folder */
export function checkDistinct(specs: readonly ModelSpec[]): void {
  const seen = new Set<string>();
  for (const { id } of specs) {
    const folder = runFolderName(id);
    if (seen.has(folder)) {
      throw new GroundmarkError(
        'duplicate-model',
        `--model names ${id} twice. Name each model once; scripted files need different names.`,
        { model: id },
        { exit: EXIT.usage },
      );
    }
    seen.add(folder);
  }
}

/**
 * What only means something for a model that is shown items.
 *
 * @throws {GroundmarkError} `offline-only-real`, `offline-no-batch`
 */
export function checkOffline(specs: readonly ModelSpec[], condition: Condition, batch: boolean): void {
  const offline = specs.find(({ kind }) => kind !== 'chat');
  if (!offline) return;
  if (condition !== 'real') {
    const why =
      offline.kind === 'baseline'
        ? 'looks at no image and at no more of the text than its rule says, so it would reply as under real'
        : 'holds replies to the items as they are';
    throw new GroundmarkError(
      'offline-only-real',
      `--condition ${condition} is for providers' models: ${offline.id} ${why}. Run it without --condition.`,
      { model: offline.id, condition },
      { exit: EXIT.usage },
    );
  }
  if (batch) {
    throw new GroundmarkError(
      'offline-no-batch',
      `--batch is for providers' models; ${offline.id} has no batches. Run it without --batch.`,
      { model: offline.id },
      { exit: EXIT.usage },
    );
  }
}
