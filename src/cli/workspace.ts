import path from 'node:path';
import type { Deps } from '../adapters/deps.js';
import { copyPlace } from '../adapters/dicom/dicomweb/index.js';
import { workspacePaths, type WorkspacePaths } from '../adapters/store/index.js';
import type { Case, Config } from '../domain/config.js';
import { GroundmarkError } from '../domain/error.js';
import { readCases } from './read-cases.js';
import { readConfig } from './read-config.js';

export interface Workspace {
  readonly paths: WorkspacePaths;
  readonly config: Config;
  readonly cases: readonly Case[];
  /** cases.csv, absolute. */
  readonly casesFile: string;
}

/**
 * A workspace's configuration and cases.
 *
 * @throws {GroundmarkError} `no-workspace` when the folder has no groundmark.yaml
 */
export async function loadWorkspace(root: string, deps: Pick<Deps, 'store'>): Promise<Workspace> {
  const paths = workspacePaths(root);
  if (!(await deps.store.exists(paths.config))) {
    throw new GroundmarkError(
      'no-workspace',
      `${root} has no groundmark.yaml. Make a workspace with \`groundmark init DIR\` or name one with --workspace.`,
      { workspace: root },
    );
  }
  const config = readConfig((await deps.store.read(paths.config)).toString('utf8'), paths.config);
  const casesFile = path.resolve(root, config.cases);
  const cases = readCases((await deps.store.read(casesFile)).toString('utf8'), casesFile);
  return { paths, config, cases: cases.map((one) => withCopyPath(one, paths)), casesFile };
}

/** A case of a PACS with the folder of the workspace where its copy lies. */
function withCopyPath(one: Case, paths: WorkspacePaths): Case {
  return one.imageUrl === undefined
    ? one
    : { ...one, imagePath: copyPlace(paths.dicomweb, one.imageUrl).root };
}
