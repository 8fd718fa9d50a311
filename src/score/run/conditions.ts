import type { Condition } from '../../domain/response.js';

/** What of an item a model is shown. */
interface Shown {
  readonly images: 'own' | 'blank' | 'swapped' | 'none';
  readonly question: boolean;
}

/** `choices` are shown under every condition. */
const CONDITIONS: Readonly<Record<Condition, Shown>> = {
  real: { images: 'own', question: true },
  blank: { images: 'blank', question: true },
  swapped: { images: 'swapped', question: true },
  'no-images': { images: 'none', question: true },
  'choices-only': { images: 'none', question: false },
  'no-question': { images: 'own', question: false },
};

export function shownUnder(condition: Condition): Shown {
  return CONDITIONS[condition];
}
