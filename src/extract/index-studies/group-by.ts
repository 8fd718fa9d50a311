/** Groups in order of their first member; the key is compared as JSON. */
export function groupBy<T>(values: readonly T[], keyOf: (value: T) => unknown): T[][] {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = JSON.stringify(keyOf(value));
    const group = groups.get(key);
    if (group) group.push(value);
    else groups.set(key, [value]);
  }
  return [...groups.values()];
}
