import { EXIT, GroundmarkError } from '../../../domain/error.js';

/** What came of one request. */
export interface FailureFacts {
  /** Whether the same request may succeed later. */
  readonly retry: boolean;
  readonly status?: number;
  /** How long the server asked to wait, ms; null when it did not say. */
  readonly retryAfterMs?: number | null;
  readonly cause?: unknown;
}

/**
 * A request to a DICOMweb server that gave nothing usable. `code` is the reason that a skip record shows:
 * `dicomweb-<status>`, `dicomweb-connection`, `dicomweb-timeout`, `dicomweb-truncated`, `dicomweb-malformed`,
 * `dicomweb-wrong-type`, `dicomweb-not-dicom`, `dicomweb-wrong-instance`, `dicomweb-no-instance`, `dicomweb-too-large`.
 */
export class DicomwebFailure extends GroundmarkError {
  readonly retry: boolean;
  readonly status: number | null;
  readonly retryAfterMs: number | null;

  constructor(code: string, message: string, url: string, facts: FailureFacts) {
    super(code, message, { url: printedUrl(url) }, { cause: facts.cause, exit: EXIT.provider });
    this.retry = facts.retry;
    this.status = facts.status ?? null;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}

/** A URL as it may be shown: without user, password, query (a filter can name a patient) and fragment. */
export function printedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
