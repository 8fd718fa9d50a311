import type { Identity, Visit } from './identity.js';
import type { CaseRecipe, Layout } from './recipe.js';

interface Block {
  readonly title: string;
  readonly paragraphs: readonly string[];
}

/**
 * The report of a case as text, lines wrapped at the layout's width, one line feed at the end.
 *
 * Every sentence of the recipe appears in it once with its words in order, though a line may break inside it.
 */
export function reportText(
  recipe: CaseRecipe,
  layout: Layout,
  study: { readonly exam: string; readonly technique: string },
  identity: Identity,
  visit: Visit,
): string {
  const impression = layout.numberedImpression
    ? recipe.impression.map((line, i) => `${i + 1}. ${line}`)
    : [recipe.impression.join(' ')];
  const blocks: Block[] = [
    { title: 'Exam', paragraphs: [`${study.exam}.`] },
    { title: 'Indication', paragraphs: [recipe.indication] },
    { title: 'Technique', paragraphs: [study.technique] },
    { title: 'Comparison', paragraphs: [recipe.comparison] },
    { title: 'Findings', paragraphs: [recipe.lines.map((line) => line.say).join(' ')] },
    { title: 'Impression', paragraphs: impression },
  ];
  return [headerLine(layout, identity, visit), '', ...blocks.flatMap((b) => blockLines(b, layout)), '']
    .join('\n')
    .replace(/\n{2,}$/, '\n');
}

/** Who the report is about: what a leak check must find. */
function headerLine(layout: Layout, identity: Identity, visit: Visit): string {
  const date = `${visit.date.slice(0, 4)}-${visit.date.slice(4, 6)}-${visit.date.slice(6)}`;
  const name = `${identity.family}, ${identity.given}`;
  return layout.headers === 'colon'
    ? `PATIENT: ${name}   MRN: ${identity.patientId}   DATE: ${date}`
    : `Patient ${name} / ${identity.patientId} / ${visit.accession} / ${date}`;
}

function blockLines(block: Block, layout: Layout): string[] {
  const title = block.title.toUpperCase();
  switch (layout.headers) {
    case 'colon':
      return block.paragraphs.length === 1
        ? [...wrap(`${title}: ${block.paragraphs[0]!}`, layout.width), '']
        : [`${title}:`, ...block.paragraphs.flatMap((p) => wrap(p, layout.width)), ''];
    case 'capitals':
      return [title, ...block.paragraphs.flatMap((p) => wrap(p, layout.width)), ''];
    case 'run-in':
      return wrap(`${title}: ${block.paragraphs.join(' ')}`, layout.width);
  }
}

/** Lines of at most `width` characters; a longer word has its own line. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** The first place where a sentence stands in a report, as the report has it, or null: its spaces may be line breaks there. */
export function sentenceInReport(report: string, sentence: string): string | null {
  const pattern = sentence
    .split(' ')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('\\s+');
  return new RegExp(pattern).exec(report)?.[0] ?? null;
}
