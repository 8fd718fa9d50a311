/** An image id as the protocol compares it: trimmed, without case. PROTOCOL.md §2. */
export function normaliseImageId(id: string): string {
  return id.trim().toLowerCase();
}

/** The distinct ids that a response names, in its order; ids that are not shown stay in. PROTOCOL.md §2 `selected`. */
export function selectedIds(evidence: readonly string[]): string[] {
  return [...new Set(evidence.map(normaliseImageId))];
}
