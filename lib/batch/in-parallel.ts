/** Runs asynchronous work with bounded concurrency. */

/**
 * Calls `work` for each item in order, at most `atOnce` at a time.
 *
 * @returns the results, in the order of the items
 * @throws the first error, after all calls in progress have settled
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  let failed = false;
  const lane = async () => {
    while (next < items.length && !failed) {
      const index = next++;
      try {
        results[index] = await work(items[index]!, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  for (const outcome of lanes) if (outcome.status === 'rejected') throw outcome.reason;
  return results;
}
