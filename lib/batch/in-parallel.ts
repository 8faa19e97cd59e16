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
  // All lanes take from one generator, which an error in any of them ends.
  const left = (function* () {
    yield* items.entries();
  })();
  const lane = async () => {
    for (const [index, item] of left) results[index] = await work(item, index);
  };
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, lane));
  for (const outcome of lanes) if (outcome.status === 'rejected') throw outcome.reason;
  return results;
}
