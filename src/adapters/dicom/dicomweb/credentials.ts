import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { EXIT, GroundmarkError } from '../../../domain/error.js';
import { fileError } from '../../store/index.js';

/**
 * The value of the Authorization header that a source of credentials stands for.
 *
 * @param source - `env:NAME` (an environment variable) or `file:PATH`; its content is `user:password`, `Bearer TOKEN`
 * or `Basic BASE64`, one line
 * @param folder - what PATH is relative to
 * @throws {GroundmarkError} `bad-dicomweb-auth`; no message repeats the content
 */
export async function authorization(
  source: string,
  environment: (name: string) => string | undefined,
  folder: string,
): Promise<string> {
  const [, kind, name] = /^(env|file):(.+)$/u.exec(source) ?? [];
  if (kind === undefined || name === undefined) {
    throw bad(
      'The source of the DICOMweb credentials is neither env:NAME nor file:PATH. ' +
        'Name the environment variable or the file that holds them; do not write them out.',
    );
  }
  const content = kind === 'env' ? environment(name) : await fileText(path.resolve(folder, name));
  if (content === undefined || content.trim() === '') {
    throw bad(`${source} is not set or empty, so there are no DICOMweb credentials. Set it to ${FORMS}.`);
  }
  const text = content.trim();
  const header = headerOf(text);
  if (header === null) throw bad(`${source} does not hold DICOMweb credentials. Set it to ${FORMS}.`);
  return header;
}

const FORMS = '`user:password` or `Bearer TOKEN`, one line';

function headerOf(text: string): string | null {
  const scheme = /^(bearer|basic)[ \t]+([\x21-\x7e]+)$/iu.exec(text);
  if (scheme) return `${scheme[1]!.toLowerCase() === 'bearer' ? 'Bearer' : 'Basic'} ${scheme[2]!}`;
  // RFC 7617: the user may hold no colon, the password may; neither a control character.
  if (!text.includes(':') || /[\x00-\x1f\x7f]/u.test(text)) return null;
  return `Basic ${Buffer.from(text, 'utf8').toString('base64')}`;
}

async function fileText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw fileError(cause, file, 'read');
  }
}

function bad(message: string): GroundmarkError {
  return new GroundmarkError('bad-dicomweb-auth', message, {}, { exit: EXIT.usage });
}
