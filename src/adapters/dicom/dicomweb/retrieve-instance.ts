import { GroundmarkError } from '../../../domain/error.js';
import { scanHeader } from '../scan-header.js';
import { DicomwebFailure, printedUrl } from './failure.js';
import type { Reply } from './http.js';
import { parseMediaType } from './media-type.js';
import { MultipartError, MultipartParser, type MultipartEvent } from './multipart.js';
import { writeWhole, type PartFile } from './part-file.js';
import type { Service } from './service.js';

/**
 * What to ask for, the best first. PS3.18 §8.7.3.3.2: `*` is "as stored"; without it a server gives Explicit VR Little
 * Endian and decodes compressed pixel data.
 */
const ACCEPTS = [
  'multipart/related; type="application/dicom"; transfer-syntax=*',
  'application/dicom; transfer-syntax=*',
  'multipart/related; type="application/dicom"',
] as const;
/** Statuses of servers that do not know what was asked for. */
const NOT_KNOWN: ReadonlySet<number> = new Set([400, 406, 415]);

/** An instance retriever that remembers which of the forms its server knows. */
export function instanceRetriever(service: Service): {
  /**
   * Retrieves one instance (WADO-RS, PS3.18 §10.4) into a file, as stored, never holding more than a piece of it.
   *
   * @param instance - its UID and URL
   * @param partial - where it is written until it is whole
   * @throws {DicomwebFailure} when there is no whole DICOM file of this instance
   */
  retrieve(
    instance: { readonly uid: string; readonly url: string },
    partial: string,
    target: string,
  ): Promise<void>;
} {
  let known = 0;
  return {
    async retrieve({ uid, url }, partial, target) {
      let first: unknown = null;
      for (let i = known; i < ACCEPTS.length; i++) {
        try {
          await service.get(url, ACCEPTS[i]!, (reply) =>
            writeWhole(partial, target, async (file) => {
              await receive(reply, url, file);
              await checkInstance(file.path, uid, url);
            }),
          );
          if (i > known && i === ACCEPTS.length - 1) {
            service.warn(
              `${service.base} does not give instances as stored (transfer-syntax=*): compressed ones may come decoded`,
            );
          }
          known = Math.max(known, i);
          return;
        } catch (error) {
          first ??= error;
          if (!(error instanceof DicomwebFailure) || !NOT_KNOWN.has(error.status ?? 0)) throw error;
        }
      }
      throw first;
    },
  };
}

/** The instance of an answer, appended to `file`. */
async function receive(reply: Reply, url: string, file: PartFile): Promise<void> {
  const { type, parameters } = parseMediaType(reply.headers.get('content-type'));
  if (type === 'application/dicom') return receiveSingle(reply, url, file);
  const boundary = parameters.get('boundary');
  if (!type.startsWith('multipart/') || boundary === undefined || boundary === '') {
    throw failure(
      'dicomweb-wrong-type',
      url,
      `answered with ${type === '' ? 'no content type' : type}, not with DICOM in multipart/related`,
    );
  }
  const parser = new MultipartParser(boundary);
  let [instances, taking] = [0, false];
  const take = async (events: Iterable<MultipartEvent>) => {
    for (const event of events) {
      if (event.kind === 'part') {
        taking = isDicom(event.headers.get('content-type'));
        if (taking && ++instances > 1) {
          throw failure('dicomweb-malformed', url, 'gives several instances where one was asked for');
        }
      } else if (event.kind === 'data' && taking) await file.append(event.bytes);
    }
  };
  try {
    for await (const chunk of reply.body) await take(parser.push(chunk));
    await take(parser.finish());
  } catch (error) {
    if (!(error instanceof MultipartError)) throw error;
    throw failure(`dicomweb-${error.kind}`, url, `is not a whole multipart answer: ${error.message}`);
  }
  if (instances === 0) throw failure('dicomweb-no-instance', url, 'gives no DICOM part');
}

/** Some servers leave a part's type out. */
function isDicom(contentType: string | undefined): boolean {
  return ['', 'application/dicom', 'application/octet-stream'].includes(parseMediaType(contentType).type);
}

async function receiveSingle(reply: Reply, url: string, file: PartFile): Promise<void> {
  // Without either, a body that was cut off looks like one that has ended.
  const delimited = reply.headers.has('content-length') || reply.headers.has('transfer-encoding');
  if (!delimited) throw failure('dicomweb-truncated', url, 'does not say how long its answer is');
  for await (const chunk of reply.body) await file.append(chunk);
}

/** Refuses what is no DICOM file (PS3.10 §7.1) and what is another instance. */
async function checkInstance(file: string, uid: string, url: string): Promise<void> {
  try {
    const [row] = await scanHeader(file);
    if (!row?.sopInstanceUid || row.sopInstanceUid === uid) return;
  } catch (error) {
    // Whatever else is wrong with it is for the index to say: on disk it would be refused with the same reason.
    const code = error instanceof GroundmarkError ? error.code : '';
    if (code !== 'not-dicom' && code !== 'empty-file') return;
    throw failure('dicomweb-not-dicom', url, 'gives something that is not a DICOM file');
  }
  throw failure('dicomweb-wrong-instance', url, 'gives another instance than the one asked for');
}

function failure(code: string, url: string, what: string): DicomwebFailure {
  return new DicomwebFailure(code, `${printedUrl(url)} ${what}.`, url, { retry: true });
}
