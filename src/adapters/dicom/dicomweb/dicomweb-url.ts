import { EXIT, GroundmarkError } from '../../../domain/error.js';
import { FILTERS, type DicomwebFilters } from './filters.js';

/** A DICOMweb service, and what is wanted of it. */
export interface DicomwebUrl {
  /** `http(s)://host/base` without slash at the end, user, password and query. */
  readonly base: string;
  readonly filters: DicomwebFilters;
}

/** Whether a source's name asks for a DICOMweb service. */
export function isDicomwebUrl(source: string): boolean {
  return /^dicomweb\+https?:/iu.test(source);
}

/**
 * The service and filters of `dicomweb+http(s)://HOST/BASE[/studies/UID[/series/UID[/instances/UID]]][?KEYWORD=VALUE…]`.
 *
 * @throws {GroundmarkError} `bad-dicomweb-url`, `credentials-in-url`, `unknown-dicomweb-filter`. No message repeats the
 * URL's query or user part: they can name a patient or hold a password.
 */
export function parseDicomwebUrl(source: string): DicomwebUrl {
  const url = isDicomwebUrl(source) ? parsed(source.slice('dicomweb+'.length)) : null;
  if (url === null || url.hostname === '') {
    throw usage(
      'bad-dicomweb-url',
      'A DICOMweb source is not a URL. Write dicomweb+https://HOST/BASE, where BASE is the path above /studies.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw usage(
      'credentials-in-url',
      `The DICOMweb URL of ${url.host} holds a user or password, which would show in process lists and histories. ` +
        `Take them out and use --dicomweb-auth env:NAME.`,
    );
  }
  const filters = { studies: {}, series: {}, instances: {} };
  const take = (keyword: string, value: string): void => {
    if (Object.values(filters).some((level) => keyword in level)) {
      throw usage(
        'bad-dicomweb-url',
        `The DICOMweb URL of ${url.host} gives ${keyword} twice. Give it once; several UIDs are divided by commas.`,
      );
    }
    Object.assign(filters[levelOf(keyword, url.host)], { [keyword]: value });
  };
  const [, path, study, series, instance] = RESOURCE.exec(url.pathname)!;
  if (study !== undefined) take('StudyInstanceUID', study);
  if (series !== undefined) take('SeriesInstanceUID', series);
  if (instance !== undefined) take('SOPInstanceUID', instance);
  for (const [keyword, value] of url.searchParams) take(keyword, value);
  return { base: `${url.origin}${path!.replace(/\/+$/u, '')}`, filters };
}

const RESOURCE =
  /^(.*?)(?:\/studies(?:\/([\d.]+)(?:\/series(?:\/([\d.]+)(?:\/instances(?:\/([\d.]+))?)?)?)?)?\/?)?$/u;

function levelOf(keyword: string, host: string): keyof DicomwebFilters {
  const known = FILTERS[keyword];
  if (known) return known.level;
  // Servers ignore what they do not know and then give everything.
  const nearest = Object.keys(FILTERS).find((name) => name.toLowerCase() === keyword.toLowerCase());
  throw usage(
    'unknown-dicomweb-filter',
    `The DICOMweb URL of ${host} has an unknown filter: ${/^\w{1,64}$/u.test(keyword) ? keyword : 'not a keyword'}. ` +
      (nearest === undefined ? `Known: ${Object.keys(FILTERS).join(', ')}.` : `Did you mean ${nearest}?`),
  );
}

function parsed(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

function usage(code: string, message: string): GroundmarkError {
  return new GroundmarkError(code, message, {}, { exit: EXIT.usage });
}
