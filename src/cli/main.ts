import path from 'node:path';
import { Command as Program, CommanderError, InvalidArgumentError } from 'commander';
import { EXIT, GroundmarkError } from '../domain/error.js';
import type { Command, CommonOptions } from './command.js';
import { COMMANDS, NOT_BUILT } from './commands.js';
import { buildDeps } from './deps.js';
import { onInterrupt } from './interrupt.js';
import { printError, printResult } from './output.js';
import { packageVersion } from './version.js';

interface GlobalOptions {
  readonly workspace: string;
  readonly json?: boolean;
  readonly seed?: number;
  readonly workers?: number;
  readonly quiet?: boolean;
  readonly progress: boolean;
  readonly verbose?: boolean;
}

/** Runs one command line and gives its exit code. CONTRACT.md "Command line". */
export async function main(argv: readonly string[]): Promise<number> {
  const json = argv.includes('--json');
  const verbose = argv.includes('--verbose');
  try {
    const name = argv.find((word) => !word.startsWith('-'));
    if (name !== undefined && NOT_BUILT.includes(name)) {
      throw new GroundmarkError(
        'not-built',
        `groundmark ${name} is not built yet. See \`groundmark --help\` for what is.`,
        { command: name },
        { exit: EXIT.usage },
      );
    }
    return await runCommand(argv);
  } catch (error) {
    return printError(error, { json, verbose });
  }
}

async function runCommand(argv: readonly string[]): Promise<number> {
  let code: number = EXIT.done;
  const program = new Program('groundmark')
    .description('Evidence-grounded multiple-choice benchmarks from private medical imaging.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
    .showHelpAfterError(false)
    .addHelpText('after', '\nExample:\n  $ npx groundmark demo --out groundmark-demo');
  // Only the command that is called is loaded, so that `--help` and small commands start fast.
  const called = argv.find((word) => COMMANDS.some(({ name }) => name === word));
  for (const entry of COMMANDS) {
    const sub = program.command(entry.name).summary(entry.summary).description(entry.summary);
    if (entry.name !== called) continue;
    const { command } = await entry.load();
    addArguments(sub, command);
    for (const { flags, description, default: fallback } of command.options)
      sub.option(flags, description, fallback as string | boolean | undefined);
    addCommonOptions(sub);
    sub.addHelpText(
      'after',
      `${command.details ? `\n${command.details}\n` : ''}\nExample:\n  $ ${command.example}`,
    );
    sub.action(async () => {
      code = await execute(command, sub);
    });
  }
  try {
    if (argv.length === 0) {
      program.outputHelp();
      return EXIT.done;
    }
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return EXIT.done;
    const usage = called === undefined ? 'groundmark --help' : `groundmark ${called} --help`;
    const message = error.message.replace(/^error: /, '').replace(/\.?(?:\n.*)?$/s, '');
    throw new GroundmarkError('usage', `${message}. See \`${usage}\`.`, {}, { exit: EXIT.usage });
  }
  return code;
}

async function execute(command: Command, sub: Program): Promise<number> {
  const options = sub.opts<GlobalOptions>();
  const interrupt = onInterrupt(command.endsCalls === true, options.quiet === true);
  const deps = buildDeps({
    seed: options.seed ?? 0,
    workers: options.workers ?? null,
    quiet: options.quiet === true,
    progress: options.progress,
    signal: interrupt.signal,
    stop: interrupt.stop,
  });
  const common: CommonOptions = {
    workspace: path.resolve(options.workspace),
    json: options.json === true,
    seedGiven: options.seed !== undefined,
  };
  try {
    return printResult(
      await command.run(sub.args, options as unknown as Record<string, unknown>, common, deps),
      common,
    );
  } catch (error) {
    if (interrupt.stop.aborted)
      return printError(isInterrupted(error) ? error : interrupt.stop.reason, {
        json: common.json,
        verbose: options.verbose === true,
        exit: 130,
      });
    throw error;
  } finally {
    interrupt.ignore();
    await deps.queue.close();
  }
}

function isInterrupted(error: unknown): boolean {
  return error instanceof GroundmarkError && error.code === 'interrupted';
}

function addArguments(sub: Program, command: Command): void {
  if (command.arguments !== '') sub.arguments(command.arguments);
}

function addCommonOptions(sub: Program): void {
  sub
    .option('-w, --workspace <dir>', 'the workspace', '.')
    .option('--json', 'one JSON object on stdout; text for people goes to stderr')
    .option('--seed <n>', 'seed of everything random', wholeNumber(Number.MIN_SAFE_INTEGER))
    .option('--workers <n>', 'worker threads (default: number of cores)', wholeNumber(1))
    .option('--quiet', 'no progress and no notes')
    .option('--no-progress', 'no progress')
    .option('--verbose', 'errors with their stack');
}

function wholeNumber(least: number) {
  return (text: string): number => {
    const value = Number(text);
    if (!/^-?\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
      throw new InvalidArgumentError(
        least > 0 ? `a whole number from ${least} is needed` : 'a whole number is needed',
      );
    }
    return value;
  };
}
