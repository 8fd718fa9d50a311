import { GroundmarkError } from '../../domain/error.js';
import type { ReportFindings } from '../../domain/finding.js';

/**
 * The number of quotes checked: every sentence's and finding's text equals the report's own text at its span.
 *
 * @param text - the decoded report, whole
 * @throws {GroundmarkError} `bad-quote` naming the first span that differs; it never repeats the text
 */
export function quoteCheck(text: string, report: ReportFindings): number {
  const points = [...text];
  let checked = 0;
  const check = (quote: { start: number; end: number; text: string }, what: string): void => {
    checked++;
    if (points.slice(quote.start, quote.end).join('') === quote.text) return;
    throw new GroundmarkError(
      'bad-quote',
      `Report ${report.reportId}: the ${what} at code points ${quote.start} to ${quote.end} is not the report's text there. ` +
        'Run the findings step again on the report as it is now.',
      { reportId: report.reportId, start: quote.start, end: quote.end },
    );
  };
  for (const sentence of report.sentences) {
    check(sentence, 'sentence');
    for (const finding of sentence.findings) check(finding, 'finding');
  }
  return checked;
}
