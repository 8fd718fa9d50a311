import { EXIT, GroundmarkError } from '../../domain/error.js';
import { nearest } from '../../util/text.js';
import { BASELINES } from '../baselines/index.js';

/** What a `--model` word asks for. */
export type ModelSpec =
  | { readonly kind: 'baseline'; readonly id: string }
  | { readonly kind: 'scripted'; readonly id: string; readonly file: string };

const PROVIDERS = ['openai', 'anthropic', 'gemini', 'openai-compatible'];

/**
 * Reads `--model`. A scripted model is named for its file alone: a path says where private things lie.
 *
 * @throws {GroundmarkError} `not-built` for paid providers; `unknown-model` for the rest
 */
export function parseModelSpec(word: string): ModelSpec {
  if (Object.hasOwn(BASELINES, word)) return { kind: 'baseline', id: word };
  const slash = word.indexOf('/');
  const [provider, name] = [word.slice(0, slash), word.slice(slash + 1)];
  if (provider === 'scripted' && name !== '') {
    const stem = name.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '');
    return { kind: 'scripted', id: `scripted/${stem}`, file: name };
  }
  if (PROVIDERS.includes(provider)) {
    throw new GroundmarkError(
      'not-built',
      `--model ${word}: models of ${provider} are not built yet. Built in are ${Object.keys(BASELINES).join(', ')} and scripted/FILE.`,
      { model: word },
      { exit: EXIT.usage },
    );
  }
  const near = nearest(word, Object.keys(BASELINES));
  throw new GroundmarkError(
    'unknown-model',
    `--model ${word} names no model.${near === null ? '' : ` Did you mean ${near}?`} ` +
      `Built in are ${Object.keys(BASELINES).join(', ')} and scripted/FILE.`,
    { model: word },
    { exit: EXIT.usage },
  );
}

/** A model's folder under the runs: its id with `/` as `-`. */
export function runFolderName(modelId: string): string {
  return modelId.replaceAll('/', '-');
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
