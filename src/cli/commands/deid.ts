import path from 'node:path';
import { deidKey, KEEP_NAMES, parseKeep } from '../../adapters/dicom/deid/index.js';
import { workspacePaths } from '../../adapters/store/index.js';
import { EXIT, GroundmarkError } from '../../domain/error.js';
import { runDeid, type DeidSummary } from '../../extract/deid/index.js';
import type { Command } from '../command.js';

/** Skipped files told to people one by one; all of them are in the JSON. */
const TOLD = 10;

/** `groundmark deid`. */
export const command: Command = {
  arguments: '<source...>',
  options: [
    { flags: '--out <dir>', description: 'folder that gets the copies, by new UIDs' },
    {
      flags: '--key-file <file>',
      description:
        'secret for UIDs, pseudonyms and date shifts; made when absent (in a workspace: .groundmark/deid.key)',
    },
    { flags: '--keep <options>', description: `comma-separated: ${KEEP_NAMES.join(', ')}` },
    {
      flags: '--allow-burned-in <reason>',
      description: 'write files whose pixels may show who the patient is, and say why that is right',
    },
  ],
  example: 'npx groundmark deid scans/ --out scans-deid --key-file ../deid.key',
  details:
    'Basic Profile of PS3.15 annex E at every level, with dates shifted per patient. Pixel data is copied as it is; files\n' +
    'that are flagged as showing text, and those whose pixels cannot be looked at, are left out and listed.',
  async run(args, options, common, deps) {
    if (typeof options['out'] !== 'string') throw usage('deid needs --out DIR, the folder for the copies');
    const out = path.resolve(options['out']);
    const sources = args.map((source) => path.resolve(source));
    const inside = sources.find((source) => out === source || out.startsWith(source + path.sep));
    if (inside !== undefined) {
      throw usage(
        `--out ${out} lies in a source, so that copies would be copied again. Name a folder beside it`,
      );
    }
    const keep = parseKeep(typeof options['keep'] === 'string' ? options['keep'] : undefined);
    const reason = options['allowBurnedIn'];
    if (typeof reason === 'string' && reason.trim() === '') throw usage('--allow-burned-in needs a reason');
    const keyFile = await keyFileOf(options['keyFile'], common.workspace, deps.store);
    const { key, made } = await deidKey(keyFile);
    if (made)
      deps.log.warn(
        `${keyFile} was made now: keep it, and keep it private. Whoever has it can link copies to originals.`,
      );
    const summary = await runDeid(
      { sources, out, key, keep: [...keep], allowBurnedIn: typeof reason === 'string' },
      deps,
    );
    const json = {
      ...summary,
      out,
      keyFile,
      ...(typeof reason === 'string' ? { allowBurnedIn: reason } : {}),
    };
    return { json, text: lines(summary, out) };
  },
};

async function keyFileOf(
  option: unknown,
  workspace: string,
  store: { exists(file: string): Promise<boolean> },
): Promise<string> {
  if (typeof option === 'string') return path.resolve(option);
  const paths = workspacePaths(workspace);
  if (await store.exists(paths.config)) return path.join(paths.state, 'deid.key');
  throw usage('deid needs --key-file FILE outside a workspace: the same key gives the same copies again');
}

function usage(what: string): GroundmarkError {
  return new GroundmarkError('usage', `${what}. See \`groundmark deid --help\`.`, {}, { exit: EXIT.usage });
}

function lines(summary: DeidSummary, out: string): string[] {
  const { files, written, kept, patients, skipped, overridden, seconds } = summary;
  const reasons = new Map<string, number>();
  for (const { reason } of skipped) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  return [
    `${files} files: ${written} written, ${kept} there already, of ${patients} patients (${seconds} s) -> ${out}`,
    ...Object.entries(overridden).map(([rule, n]) => `written in spite of ${rule}: ${n}`),
    ...(skipped.length > 0
      ? [`left out: ${skipped.length} (${[...reasons].map(([reason, n]) => `${reason} ${n}`).join(', ')})`]
      : []),
    ...(reasons.has('other-copy')
      ? [
          'other-copy: the folder has a copy of an earlier state of the file, and it stays. Give another --out for new copies.',
        ]
      : []),
    ...skipped.slice(0, TOLD).map(({ path: file, reason }) => `  ${reason}  ${file}`),
    ...(skipped.length > TOLD ? [`  … and ${skipped.length - TOLD} more (--json lists all)`] : []),
  ];
}
