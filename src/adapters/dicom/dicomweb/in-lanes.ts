/**
 * Does some work on every item, at most `lanes` at a time, handed out in order.
 *
 * @returns results in the order of the items
 * @throws the first error; what is under way is waited for, and nothing more is begun
 */
export async function inLanes<I, O>(
  items: readonly I[],
  lanes: number,
  work: (item: I, index: number) => Promise<O>,
): Promise<O[]> {
  const results = new Array<O>(items.length);
  let next = 0;
  const failures: unknown[] = [];
  const lane = async (): Promise<void> => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await work(items[index]!, index);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(lanes, items.length) }, lane));
  if (failures.length > 0) throw failures[0];
  return results;
}
