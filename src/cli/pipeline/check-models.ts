import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { GroundmarkError } from '../../domain/error.js';
import { checkEngine } from '../../extract/reports/index.js';
import { gatesNamed, generatorNamed, validatorNamed } from '../../mcq/index.js';
import { reviewerMaker } from '../../retrieve/index.js';
import type { Workspace } from '../workspace.js';

/**
 * Refuses a configuration that names an engine, model, gate or reader's file that is not there, before any stage runs:
 * the last stages come hours after the first.
 *
 * @throws {GroundmarkError} what the stage that needs it would throw, or `not-found` for a reader's file
 */
export async function checkModels({ config, paths }: Workspace, deps: Deps): Promise<void> {
  const { findings, questions, reviewers } = config;
  checkEngine(findings.engine);
  generatorNamed(questions.generator);
  validatorNamed(questions.validator);
  gatesNamed(questions.gates);
  const makeReviewer = await reviewerMaker(paths.root, deps);
  for (const reviewer of reviewers) {
    makeReviewer(reviewer);
    for (const kind of ['nominations', 'ratings'] as const) {
      const named = reviewer.model === 'file' ? reviewer[kind] : undefined;
      const file = named === undefined ? null : path.resolve(paths.root, named);
      if (file === null || (await deps.store.exists(file))) continue;
      throw new GroundmarkError(
        'not-found',
        `${file} does not exist. It is the ${kind} file of reviewer ${reviewer.id} in ${paths.config}: check its path.`,
        { path: file, reviewer: reviewer.id },
      );
    }
  }
}
