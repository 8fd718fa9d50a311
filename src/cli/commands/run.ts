import path from 'node:path';
import type { Deps } from '../../adapters/deps.js';
import { dollars } from '../../adapters/llm/index.js';
import { workspacePaths } from '../../adapters/store/index.js';
import { conditions, conditionSchema, type Condition } from '../../domain/response.js';
import { planRun, runModel, type RunModelInput, type RunPlan, type RunSummary } from '../../score/index.js';
import { plural } from '../../util/text.js';
import type { Command, CommonOptions } from '../command.js';
import { findRelease } from '../find-release.js';
import { numberOption, usage } from '../number-option.js';
import { readRunConfig } from '../read-run-config.js';

/** `groundmark run`. CONTRACT.md. */
export const command: Command = {
  arguments: '<release>',
  options: [
    {
      flags: '--model <model...>',
      description:
        'openai/…, anthropic/…, gemini/…, openai-compatible/NAME/…, baseline/NAME, scripted/FILE; several may be named',
    },
    { flags: '--condition <name>', description: `one of ${conditions.join(', ')}`, default: 'real' },
    {
      flags: '--dry-run',
      description: 'tell calls, images, tokens and cost, and what speaks against it; no call is made',
    },
    {
      flags: '--budget <usd>',
      description:
        'most that the run may cost, US dollars, or `none` (default: budget.usd of groundmark.yaml)',
    },
    { flags: '--epochs <n>', description: 'replies to each item', default: '1' },
    {
      flags: '--shuffle-choices',
      description: 'choices in another order for each item and epoch, by --seed',
    },
    { flags: '--concurrency <n>', description: 'calls to a provider at the same time (default: 8)' },
    { flags: '--rpm <n>', description: 'requests per minute to a provider' },
    { flags: '--tpm <n>', description: 'tokens per minute to a provider, input and output' },
    { flags: '--max-output-tokens <n>', description: 'bound of a reply (default: the provider’s own)' },
    { flags: '--temperature <t>', description: 'sent as it is (default: not sent)' },
    { flags: '--timeout <seconds>', description: 'longest wait for a reply (default: 280)' },
    { flags: '--batch', description: 'through the provider’s batches: cheaper, within a day' },
    { flags: '--poll <seconds>', description: 'between two looks at a batch (default: 30)' },
    { flags: '--no-cache', description: 'neither read nor write the response cache' },
    { flags: '--restart', description: 'put all replies that are there aside, and ask anew' },
    {
      flags: '--key <file>',
      description:
        'the private key, for baseline/oracle and baseline/majority-letter, and to tell cases apart under `swapped`',
    },
    { flags: '--out <dir>', description: 'where the run folders go (default: runs/ of the workspace)' },
  ],
  example: 'npx groundmark run release/public --model openai/gpt-5-mini baseline/random --budget 5',
  details:
    'RELEASE is a folder with items.jsonl, or a workspace that holds a release. Replies go to <out>/<model>/responses.jsonl,\n' +
    '<out>/<model>--<condition>/ under a condition, each on the disk before it counts; a run that was stopped goes on where it was.\n' +
    'Providers’ models need a key in the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY, or NAME_FILE with the\n' +
    'path of a file) and a budget. The items’ images and texts go to the provider; the key file never does.\n' +
    'Ctrl-C lets calls under way come to their end; Ctrl-C again stops at once.\n' +
    'Baselines: random, longest, most-similar, most-central, majority-letter, oracle.\n' +
    'scripted/FILE reads JSONL lines {"itemId", "reply"} where reply is the raw text of an answer.',
  endsCalls: true,
  async run(args, options, common, deps) {
    const input = await readInput(args[0]!, options, common, deps);
    if (options.dryRun === true) {
      const plans = await planRun(input, deps);
      const text =
        plans.length === 0 ? ['Built-in models make no call and cost nothing.'] : plans.flatMap(planLines);
      return { json: { dryRun: true, runs: plans }, text };
    }
    const runs = await runModel(input, deps);
    return { json: { runs }, text: runs.map(summaryLine) };
  },
};

async function readInput(
  folder: string,
  options: Readonly<Record<string, unknown>>,
  common: CommonOptions,
  deps: Deps,
): Promise<RunModelInput> {
  const models = (options.model as string[] | undefined) ?? [];
  if (models.length === 0)
    throw usage('run needs --model, such as --model baseline/random', 'run', '--model');
  const release = await findRelease(folder, deps);
  const workspace = workspacePaths(release.workspace ?? common.workspace);
  const number = (name: string, flag: string, more: Parameters<typeof numberOption>[3] = {}) =>
    numberOption(options[name], 'run', flag, more);
  const whole = { whole: true, least: 1 };
  const seconds = { least: 0.001 };
  const pollSeconds = number('poll', '--poll', seconds);
  const timeoutSeconds = number('timeout', '--timeout', seconds);
  return {
    itemsFile: release.itemsFile,
    keyFile: typeof options.key === 'string' ? path.resolve(options.key) : release.keyFile,
    models,
    condition: readCondition(options.condition ?? 'real'),
    outDir: typeof options.out === 'string' ? path.resolve(options.out) : workspace.runs,
    epochs: number('epochs', '--epochs', whole) ?? 1,
    shuffleChoices: options.shuffleChoices === true,
    concurrency: number('concurrency', '--concurrency', whole),
    requestsPerMinute: number('rpm', '--rpm', whole),
    tokensPerMinute: number('tpm', '--tpm', whole),
    maxOutputTokens: number('maxOutputTokens', '--max-output-tokens', whole),
    temperature: number('temperature', '--temperature', { least: 0 }),
    budgetUsd: options.budget === 'none' ? null : number('budget', '--budget', { least: 0 }),
    batch: options.batch === true,
    restart: options.restart === true,
    ...(pollSeconds === undefined ? {} : { pollMs: pollSeconds * 1000 }),
    ...(timeoutSeconds === undefined ? {} : { timeoutMs: timeoutSeconds * 1000 }),
    config: await readRunConfig(workspace.config, deps),
    cacheFolder: options.cache === false ? null : path.join(workspace.state, 'cache'),
  };
}

function readCondition(value: unknown): Condition {
  const parsed = conditionSchema.safeParse(value);
  if (!parsed.success)
    throw usage(`--condition ${String(value)} is none of ${conditions.join(', ')}`, 'run', '--condition');
  return parsed.data;
}

function summaryLine(run: RunSummary): string {
  const outcomes = Object.entries(run.outcomes).map(([name, n]) => `${n} ${name}`);
  const { spending } = run;
  const notes = [
    ...(run.kept > 0 ? [`${run.kept} kept from before`] : []),
    ...(run.torn > 0 ? ['1 torn line dropped'] : []),
    ...(run.missing > 0 ? [`${run.missing} without a reply`] : []),
    ...(spending && spending.cached > 0 ? [`${spending.cached} from the cache`] : []),
    ...(spending && spending.retried > 0 ? [`${plural(spending.retried, 'call')} retried`] : []),
    ...(spending ? [spent(spending)] : []),
  ];
  return `${run.model}: ${[...outcomes, ...notes].join(', ')} -> ${run.responsesFile}`;
}

function spent({
  inputTokens,
  outputTokens,
  usd,
  withoutPrice,
}: NonNullable<RunSummary['spending']>): string {
  const unknown = withoutPrice > 0 ? ` and ${plural(withoutPrice, 'call')} without a price` : '';
  return `${inputTokens} tokens in, ${outputTokens} out, ${dollars(usd)}${unknown}`;
}

function planLines(plan: RunPlan): string[] {
  const megabytes = (plan.imageBytes / 1e6).toFixed(1);
  const cost =
    plan.usd === null
      ? 'no price is known, so the cost is not either'
      : `about ${dollars(plan.usd.input)} for the input, at most ${dollars(plan.usd.atMost)} with every reply at its bound`;
  return [
    `${plan.model}${plan.condition === 'real' ? '' : ` (${plan.condition})`}: ${plan.calls} calls, ${plan.images} images ` +
      `(${megabytes} MB), about ${plan.inputTokens} tokens in, at most ${plan.maxOutputTokens} out; ${cost}` +
      `${plan.priceAsOf === null ? '' : ` (prices of ${plan.priceAsOf})`}`,
    `  ${plan.kept} replies are there` +
      `${plan.cached === null ? '; no API key is set, so the cache was not looked at' : `, ${plan.cached} in the cache`}`,
    ...plan.problems.map((problem) => `  problem: ${problem}`),
  ];
}
