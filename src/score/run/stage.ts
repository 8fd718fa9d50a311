import type { Deps } from '../../adapters/deps.js';
import { readJsonl } from '../../adapters/store/index.js';
import { SCHEMA_VERSION } from '../../domain/record.js';
import { sha256 } from '../../util/hash.js';
import {
  BASELINES,
  makeBaseline,
  scriptedModel,
  scriptedReplySchema,
  type AnswerModel,
  type Corpus,
} from '../baselines/index.js';
import { PARSER_VERSION } from '../parse-response.js';
import { readRunFiles, setUpChat } from './chat-setup.js';
import { checkDistinct, checkOffline, parseModelSpec, type ModelSpec } from './make-model.js';
import type { RunModelInput, RunSummary } from './run-input.js';
import type { RunRecord } from './open-run.js';
import { prepareModels, runModels } from './run-models.js';
import { runOffline } from './run-offline.js';

type OfflineSpec = Exclude<ModelSpec, { kind: 'chat' }>;

/**
 * Runs models on every item and appends their replies to `<outDir>/<model>/responses.jsonl`: built-in and scripted ones first,
 * then the providers' side by side.
 *
 * Replies that are there already are kept and not asked for again. When items, seed, key or script have changed, built-in
 * models, which cost nothing, start anew; replies of providers are never mixed and never dropped (`run-differs`).
 *
 * @throws {GroundmarkError} `unknown-model`, `duplicate-model`, `needs-key`, `no-dev-items`, `foreign-responses`,
 *   `offline-only-real`; for providers' models `no-api-key`, `no-budget`, `no-price`, `too-many-images`, `run-differs`, `batch-under-way`,
 *   `provider-refuses`, `provider-failing`, `budget-spent`; `interrupted`
 */
export async function runModel(input: RunModelInput, deps: Deps): Promise<RunSummary[]> {
  const specs = input.models.map(parseModelSpec);
  checkDistinct(specs);
  checkOffline(specs, input.condition, input.batch === true);
  const files = await readRunFiles(input, deps);
  const corpus: Corpus = { items: files.items, key: files.key };
  const offline = specs.filter((spec): spec is OfflineSpec => spec.kind !== 'chat');
  const ids = specs.flatMap(({ kind, id }) => (kind === 'chat' ? [id] : []));
  // Every model is made before the first one runs: a wrong name must not cost half a run.
  const models = await Promise.all(offline.map((spec) => makeModel(spec, corpus, deps)));
  const setup = ids.length === 0 ? null : await setUpChat(input, files, ids, deps);
  const ready = setup === null ? null : await prepareModels(input, ids, setup);
  const summaries: RunSummary[] = [];
  for (const [i, model] of models.entries()) {
    const privateFile = privateFileOf(offline[i]!, input);
    const runRecord: RunRecord = {
      schemaVersion: SCHEMA_VERSION,
      model: model.id,
      condition: input.condition,
      seed: deps.seed,
      parser: PARSER_VERSION,
      itemsSha256: files.hashes.itemsSha256,
      privateSha256: privateFile === null ? null : sha256(await deps.store.read(privateFile)),
    };
    summaries.push(await runOffline(model, corpus, input.epochs ?? 1, input.outDir, runRecord, deps));
  }
  if (setup !== null && ready !== null) summaries.push(...(await runModels(input, ready, setup, deps)));
  return summaries;
}

async function makeModel(spec: OfflineSpec, corpus: Corpus, deps: Deps): Promise<AnswerModel> {
  if (spec.kind === 'baseline') return makeBaseline(spec.id, corpus);
  return scriptedModel(spec.id, await readJsonl(deps.store, spec.file, scriptedReplySchema), spec.file);
}

function privateFileOf(spec: OfflineSpec, input: RunModelInput): string | null {
  if (spec.kind === 'scripted') return spec.file;
  return BASELINES[spec.id]!.needsKey ? input.keyFile : null;
}
