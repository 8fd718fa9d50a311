import { EXIT, GroundmarkError } from '../../domain/error.js';
import type { ReportFindings } from '../../domain/finding.js';
import { decodeReport, type DecodedReport } from './decode.js';
import { extractFindings } from './extract-findings.js';
import type { Lexicon } from './lexicon.js';
import { quoteCheck } from './quote-check.js';

/**
 * @throws {GroundmarkError} `not-built-yet` (exit 2) for any engine but `rules` or `offline/rules`
 */
export function checkEngine(engine: string): void {
  if (engine === 'rules' || engine === 'offline/rules') return;
  throw new GroundmarkError(
    'not-built-yet',
    `Findings engine ${engine}: model engines are not built yet. Use offline/rules.`,
    { engine },
    { exit: EXIT.usage },
  );
}

/** One report's bytes as findings; null findings when it holds no word. */
export function readReport(
  reportId: string,
  bytes: Uint8Array,
  lexicon: Lexicon,
): { readonly decoded: DecodedReport; readonly report: ReportFindings | null } {
  const decoded = decodeReport(bytes);
  if (!/[\p{L}\p{N}]/u.test(decoded.text)) return { decoded, report: null };
  const report = extractFindings(reportId, decoded.text, lexicon);
  quoteCheck(decoded.text, report);
  return { decoded, report };
}
