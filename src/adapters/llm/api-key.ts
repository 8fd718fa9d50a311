import { readFile } from 'node:fs/promises';
import { EXIT, GroundmarkError } from '../../domain/error.js';

type Environment = (name: string) => string | undefined;

/**
 * The API key from the first of some environment variables that is set, or from the file that `NAME_FILE` names.
 *
 * @param names - such as GEMINI_API_KEY, GOOGLE_API_KEY; the first is the one that an error asks for
 * @param model - for the error
 * @throws {GroundmarkError} `no-api-key`, `bad-api-key`; no message repeats a key
 */
export async function apiKey(
  names: readonly string[],
  model: string,
  environment: Environment,
): Promise<string> {
  for (const name of names) {
    const key = environment(name)?.trim() ?? '';
    if (key !== '') return checked(key, name, model);
    const file = environment(`${name}_FILE`)?.trim() ?? '';
    if (file !== '') return checked(await keyFile(file, name, model), `${name}_FILE`, model);
  }
  const [first = 'the key', ...others] = names;
  throw new GroundmarkError(
    'no-api-key',
    `${model} needs an API key and ${[first, ...others].join(' and ')} ${others.length > 0 ? 'are' : 'is'} not set. ` +
      `Put the key into ${first}, or the path of a file that holds it into ${first}_FILE. It is never read from the workspace.`,
    { model, variables: [...names] },
    { exit: EXIT.provider },
  );
}

async function keyFile(file: string, name: string, model: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    // Neither path nor cause: someone may have put the key itself there.
    throw new GroundmarkError(
      'bad-api-key',
      `${name}_FILE names a file that cannot be read, so there is no API key for ${model}. Check the path in it.`,
      { model, variable: `${name}_FILE`, errno: (cause as NodeJS.ErrnoException).code ?? '' },
      { exit: EXIT.provider },
    );
  }
}

/** A header that Node refuses makes it repeat the value in its error. */
function checked(key: string, variable: string, model: string): string {
  if (/^[\x21-\x7e]+$/u.test(key)) return key;
  throw new GroundmarkError(
    'bad-api-key',
    `${variable} holds no API key for ${model}: it is empty, or has spaces, line breaks or other signs in it. Set it again.`,
    { model, variable },
    { exit: EXIT.provider },
  );
}
