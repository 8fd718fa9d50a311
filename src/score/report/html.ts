/** HTML text that is already escaped. */
export class SafeHtml {
  constructor(readonly text: string) {}
  toString(): string {
    return this.text;
  }
}

type Part = SafeHtml | string | number | null | readonly (SafeHtml | string)[];

/** A template whose inserted texts are escaped; SafeHtml goes in as it is, lists are joined, null is nothing. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): SafeHtml {
  return new SafeHtml(strings.map((text, i) => text + (i < parts.length ? insert(parts[i]!) : '')).join(''));
}

/** Own markup (style sheet, SVG) as it is. Never for text that came from outside. */
export function trusted(text: string): SafeHtml {
  return new SafeHtml(text);
}

function insert(part: Part): string {
  if (part === null) return '';
  if (part instanceof SafeHtml) return part.text;
  if (typeof part === 'object') return part.map(insert).join('');
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export interface Column {
  readonly head: SafeHtml | string;
  /** Right-aligned, with figures of equal width. */
  readonly isNumber?: boolean;
}

/**
 * A table that scrolls sideways inside its own box when the page is narrow. The first cell of a row is its heading.
 *
 * @param caption - null where a heading above says it
 */
export function table(
  caption: string | null,
  columns: readonly Column[],
  rows: readonly (readonly (SafeHtml | string)[])[],
  lastRow: readonly (SafeHtml | string)[] | null = null,
): SafeHtml {
  const type = (i: number): SafeHtml | null => (columns[i]?.isNumber ? markup` class="number"` : null);
  const row = (cells: readonly (SafeHtml | string)[]): SafeHtml =>
    markup`<tr>${cells.map((cell, i) =>
      i === 0 ? markup`<th scope="row"${type(i)}>${cell}</th>` : markup`<td${type(i)}>${cell}</td>`,
    )}</tr>\n`;
  const heads = columns.map(({ head }, i) => markup`<th scope="col"${type(i)}>${head}</th>`);
  return markup`<figure class="table">${caption === null ? null : markup`<figcaption>${caption}</figcaption>`}
<div class="scroll"><table>
<thead><tr>${heads}</tr></thead>
<tbody>
${rows.map(row)}</tbody>
${lastRow === null ? null : markup`<tfoot>${row(lastRow)}</tfoot>`}</table></div></figure>
`;
}

/** A model's id that may break after its provider when the column is narrow. */
export function modelName(id: string): SafeHtml {
  return markup`${id.split(/(?<=\/)/).map((part, i) => (i === 0 ? markup`${part}` : markup`<wbr>${part}`))}`;
}

/** One section of the page. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: SafeHtml;
}
