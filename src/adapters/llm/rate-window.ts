/** Length of the window, ms. */
export const WINDOW_MS = 60_000;

/**
 * Longest time that a request is thought to need to reach the provider, ms. A request that starts slowly and one that
 * starts fast can arrive closer together than they were sent, so a place in the window is free again only a minute
 * after its request surely had arrived: when its reply came, or this long after its start.
 */
export const ARRIVAL_MS = 5_000;

/** A place in the window. */
export interface WindowPlace {
  weight: number;
  readonly startMs: number;
  endMs: number | null;
}

/** A sliding window: in no {@link WINDOW_MS} is there more weight than `limit`. */
export class RateWindow {
  /** In order of their start. */
  #places: WindowPlace[] = [];

  constructor(private readonly limit: number) {}

  /**
   * How long to wait until this weight fits, ms; 0: now. A weight above the limit fits when the window is empty, or it
   * would wait for ever.
   */
  waitMs(weight: number, nowMs: number): number {
    this.#places = this.#places.filter((place) => freeAt(place) > nowMs);
    const wanted = Math.min(weight, this.limit);
    let used = this.#places.reduce((sum, place) => sum + place.weight, 0);
    if (used + wanted <= this.limit) return 0;
    const leaving = [...this.#places].sort((a, b) => freeAt(a) - freeAt(b));
    for (const place of leaving) {
      used -= place.weight;
      if (used + wanted <= this.limit) return freeAt(place) - nowMs;
    }
    return 0;
  }

  take(weight: number, nowMs: number): WindowPlace {
    const place: WindowPlace = { weight, startMs: nowMs, endMs: null };
    this.#places.push(place);
    return place;
  }
}

function freeAt({ startMs, endMs }: WindowPlace): number {
  const arrived = Math.min(endMs ?? Number.POSITIVE_INFINITY, startMs + ARRIVAL_MS);
  // At exactly a minute both requests would still lie in one closed window.
  return arrived + WINDOW_MS + 1;
}
