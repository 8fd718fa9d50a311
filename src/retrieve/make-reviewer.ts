import type { Deps } from '../adapters/deps.js';
import { readDataYaml } from '../adapters/store/index.js';
import type { ReviewerConfig } from '../domain/config.js';
import { EXIT, GroundmarkError } from '../domain/error.js';
import type { ImageReviewer } from './reviewer.js';
import { SALIENCY_MODEL, saliencyReviewer } from './saliency/saliency-reviewer.js';
import { saliencyDataSchema } from './saliency/signature.js';

/**
 * Makes reviewers from configuration; `file` gives null, since its lines are read from its files.
 *
 * @param root - the workspace, which index paths are relative to
 */
export async function reviewerMaker(
  root: string,
  deps: Deps,
): Promise<(config: ReviewerConfig) => ImageReviewer | null> {
  const data = await readDataYaml('saliency.yaml', saliencyDataSchema);
  return (config) => {
    if (config.model === 'file') {
      if (config.nominations === undefined && config.ratings === undefined) {
        throw new GroundmarkError(
          'bad-config',
          `groundmark.yaml: reviewer ${config.id} is a file reviewer without files. Give it nominations and ratings.`,
          { reviewer: config.id },
        );
      }
      return null;
    }
    if (config.model === SALIENCY_MODEL) {
      return saliencyReviewer({ id: config.id, settings: config.settings, root, data }, deps);
    }
    throw new GroundmarkError(
      'not-built',
      `groundmark.yaml: reviewer ${config.id} has the model ${config.model}. Only file and ${SALIENCY_MODEL} are built yet.`,
      { reviewer: config.id, model: config.model },
      { exit: EXIT.usage },
    );
  };
}
