import { escapeHtml } from './escape.js';

export interface Column {
  readonly title: string;
  readonly numeric?: boolean;
}

export interface Row {
  /** Plain text, or ready HTML such as a bar. */
  readonly cells: readonly (string | { readonly html: string })[];
  readonly flagged?: boolean;
}

/** A table that scrolls sideways on a small screen. */
export function table(columns: readonly Column[], rows: readonly Row[]): string {
  const kind = (column: Column | undefined): string => (column?.numeric ? ' class="n"' : '');
  const head = columns
    .map((column) => `<th scope="col"${kind(column)}>${escapeHtml(column.title)}</th>`)
    .join('');
  const body = rows
    .map(({ cells, flagged }) => {
      const tds = cells.map(
        (cell, i) => `<td${kind(columns[i])}>${typeof cell === 'string' ? escapeHtml(cell) : cell.html}</td>`,
      );
      return `<tr${flagged ? ' class="flagged"' : ''}>${tds.join('')}</tr>`;
    })
    .join('\n');
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
}

/** A share as a percentage with one decimal; an en dash where there is none. */
export function percent(rate: number | null): string {
  return rate === null ? '–' : `${(100 * rate).toFixed(1)} %`;
}

export function decimal(value: number | null, digits: number): string {
  return value === null ? '–' : value.toFixed(digits);
}

/** A p-value: three decimals, or "< 0.001". */
export function pValue(p: number | null): string {
  if (p === null) return '–';
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}
