export function makeDicomTree(root: string, count: number, seed?: number): void;
export function oneOfEachKind(): Buffer[];
