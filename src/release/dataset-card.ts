import { splits, type Split } from '../domain/item.js';
import type { PublicItem } from '../domain/release.js';
import type { ChanceLevels } from './chance-levels.js';

/** What the card may say: counts and sizes that anyone can read off the bundle, and averages. */
export interface CardFacts {
  readonly items: number;
  readonly perSplit: Readonly<Record<Split, number>>;
  readonly images: number;
  /** [least, most] over the items; [0, 0] without items. */
  readonly imagesPerItem: readonly [number, number];
  readonly widths: readonly [number, number];
  readonly heights: readonly [number, number];
  readonly chance: ChanceLevels | null;
}

export function cardFacts(items: readonly PublicItem[], chance: ChanceLevels | null): CardFacts {
  const images = items.flatMap((item) => item.images);
  return {
    items: items.length,
    perSplit: countSplits(items),
    images: images.length,
    imagesPerItem: range(items.map((item) => item.images.length)),
    widths: range(images.map(({ width }) => width)),
    heights: range(images.map(({ height }) => height)),
    chance,
  };
}

function countSplits(items: readonly PublicItem[]): Record<Split, number> {
  const counts: Record<Split, number> = { dev: 0, validation: 0, test: 0 };
  for (const { split } of items) counts[split]++;
  return counts;
}

function range(values: readonly number[]): [number, number] {
  if (values.length === 0) return [0, 0];
  return values.reduce<[number, number]>(
    ([least, most], v) => [Math.min(least, v), Math.max(most, v)],
    [values[0]!, values[0]!],
  );
}

/** `README.md` of the bundle: what a newcomer needs to answer, and nothing that the key holds. */
export function datasetCard(facts: CardFacts): string {
  const splitRows = splits.map((split) => `| ${split} | ${facts.perSplit[split]} |`).join('\n');
  return `# An evidence-grounded imaging benchmark

Multiple-choice questions about medical images. Each item is one question with five choices and a handful of images
of one patient. Answering takes two things at once: the right letter, and the images that show it.

| split | items |
| --- | ---: |
${splitRows}
| all | ${facts.items} |

${facts.images} images; ${span(facts.imagesPerItem)} an item; ${span(facts.widths)} pixels wide and ${span(facts.heights)} pixels high; PNG.
No patient and no case is in two splits.

## Files

| file | holds |
| --- | --- |
| items.jsonl | one item a line: id, question, choices, images, split |
| items.schema.json | the JSON Schema of such a line |
| images | a folder for each item, with its images |
| prompt.md | the prompt to use, word for word |
| commitment.json | a promise that fixes the answers without telling them |
| manifest.json | SHA-256 and size of every file |

Image ids (img01, img02, …) were given after a shuffle. Neither id, order, file size nor file name says anything.

## How to answer

Send the prompt, then each image after its id, then the question and its choices. Use the images as they are: no
resizing, no re-encoding, no examples, no extra hints. The model replies with one JSON object:

\`\`\`json
{"answer": "<one letter>", "evidence": ["<image id>", "<image id>"]}
\`\`\`

- \`answer\`: one letter, A to E.
- \`evidence\`: 1 to 3 ids of images of this item that show it most clearly.

\`groundmark run RELEASE --model PROVIDER/MODEL\` does this for every item and writes responses.jsonl.

## How it is scored

- **answer** passes when the letter is right.
- **evidence** passes when 1 to 3 images are named, at least half of them are acceptable, and enough are: one where
  the hidden evidence is one or two images, two where it is three. An image is acceptable when it is one of the hidden
  evidence images or at most 2 slices from one in the same series. An id that is not shown counts as a miss.
- **joint** passes when both pass. It is the headline.

Every item counts. A missing, refused, cut-off or unreadable reply fails all three and is counted in a column of its own.

### What guessing gets

${chanceText(facts.chance)}

## Getting a score

The answers are sealed. Send responses.jsonl (one line an item: itemId, model, answer, evidence, outcome) to whoever gave you
this bundle; they run \`groundmark score\` with the opened key and send back the rates with their intervals.

## Checking this bundle

\`groundmark verify FOLDER\` checks every hash, every image and every field, and looks for private data. commitment.json says how to
check, once the key is opened, that the answers are those that were fixed when this bundle was made.

## Please

Do not put the items into training data, do not try to identify anyone, and do not use the benchmark for care.
`;
}

function span([least, most]: readonly [number, number]): string {
  return least === most ? `${least}` : `${least} to ${most}`;
}

function chanceText(chance: ChanceLevels | null): string {
  const answer = '| answer | 20 % |';
  const head = '| score | chance |\n| --- | ---: |';
  if (chance === null) {
    return `${head}\n${answer}\n\nThe levels of evidence and joint depend on the hidden evidence. This set is too small to publish them; they stand beside every score.`;
  }
  const rows = chance.evidence.map((level, i) => {
    const picks = i === 0 ? 'one random image' : `${['two', 'three'][i - 1]} random images`;
    return `| evidence, naming ${picks} | ${percent(level)} |\n| joint, naming ${picks} | ${percent(level / 5)} |`;
  });
  return `${head}\n${answer}\n${rows.join('\n')}`;
}

/** Whole percent: finer figures would say more about the key than a reader needs. */
function percent(rate: number): string {
  return `${Math.round(rate * 100)} %`;
}
