export function random(seed: number): (below: number) => number;
export function mutate(source: Uint8Array, next: (below: number) => number): Buffer;
