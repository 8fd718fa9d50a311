import type { LeakHit } from './needle.js';

/** Gives the name of a file of the bundle, unless the name is itself a leak. */
export function fileNamer(hits: readonly LeakHit[]): (file: string) => string {
  const leaking = new Set(hits.filter(({ place }) => place === 'name').map(({ file }) => file));
  return (file) => (leaking.has(file) ? 'a file whose name is not shown' : file);
}

/** One line a file and kind, without any private value. */
export function describeHits(hits: readonly LeakHit[]): string[] {
  const nameOf = fileNamer(hits);
  return [
    ...new Set(hits.map(({ file, kind, form, place }) => `${nameOf(file)}: ${kind} (${form}, in ${place})`)),
  ];
}
