import { EXIT, GroundmarkError } from '../../domain/error.js';

/** The kinds of provider that {@link parseModelId} knows. */
export const PROVIDER_KINDS = ['openai', 'anthropic', 'gemini', 'openai-compatible'] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

export interface ModelId {
  readonly id: string;
  readonly kind: ProviderKind;
  /** What limits and keys are shared by: the kind, or `openai-compatible/NAME`. */
  readonly provider: string;
  /** Its key under `providers` in groundmark.yaml. */
  readonly configName: string;
  /** The model's name as the provider knows it; may hold slashes. */
  readonly model: string;
}

/** Whether an id belongs to a provider, whatever stands after it. */
export function isProviderModel(id: string): boolean {
  return PROVIDER_KINDS.some((kind) => id.startsWith(`${kind}/`));
}

/**
 * A model id taken apart: `openai/MODEL`, `anthropic/MODEL`, `gemini/MODEL`, `openai-compatible/NAME/MODEL`.
 *
 * @throws {GroundmarkError} `unknown-model`
 */
export function parseModelId(id: string): ModelId {
  const [kind, ...rest] = id.split('/');
  const known = PROVIDER_KINDS.find((name) => name === kind);
  const compatible = known === 'openai-compatible';
  const configName = compatible ? (rest.shift() ?? '') : (known ?? '');
  const model = rest.join('/');
  if (known === undefined || configName === '' || model === '') {
    throw new GroundmarkError(
      'unknown-model',
      `${id} names no model of a provider. Give openai/MODEL, anthropic/MODEL, gemini/MODEL or ` +
        `openai-compatible/NAME/MODEL, where NAME stands under providers in groundmark.yaml.`,
      { model: id },
      { exit: EXIT.usage },
    );
  }
  return { id, kind: known, provider: compatible ? `${known}/${configName}` : known, configName, model };
}
