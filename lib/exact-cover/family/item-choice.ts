/**
 * Chooses the item whose first option is decided next. Both rules depend on the decisions alone, so that a place in the
 * search is the list of its decisions, and so that the order of solutions does not depend on what is cut off.
 *
 * Measured with costs, in nodes until the cheapest solution is proven (random partitions of 60 items, 16 queens, pentominoes
 * 5x12, all with random costs):
 * - the fewest options to spare, as without costs: 468,000, 384,000 and 572,000;
 * - the largest regret: 102,000, 277,000 and over 1.5 million;
 * - regret and typical share, divided by the options to spare: 126,000, 230,000 and 681,000.
 * Knuth's DLX5 enters 257,000, 500,000 and 223,000 nodes, each of which tries an option; it ignores options above the
 * cutoff, so its order depends on it. Since options are not tried that displace others which cost too much
 * (cost-bound.ts), the last rule takes 90,000, 172,000 and 423,000. Dropped: the fewest options below the cutoff, as in DLX5,
 * which takes 0.7 to 0.9 times the nodes, but an order that depends on the cutoff.
 */
import { CAUTION, leastShares, type TaxedProblem } from './cost-bound.ts';
import type { Decisions } from './decisions.ts';

/**
 * The item with the fewest options to spare, as in Algorithm M: with 5 options and 3 of them needed, it has 2. Ties: the
 * item with the least difference between most and least, then the one with the most options, then the first one.
 *
 * @returns -1 if no option is left
 */
export function fewestToSpare(decisions: Decisions): number {
  const { right, least, most, root } = decisions;
  let best = -1;
  let bestSpare = 0;
  let bestSlack = 0;
  let bestSize = 0;
  for (let item = right[root]; item !== root; item = right[item]) {
    const size = decisions.size(item);
    if (size === 0) continue;
    const needed = Math.max(0, least[item]);
    const spare = size - needed;
    if (best >= 0 && spare > bestSpare) continue;
    const slack = most[item] - needed;
    const isBetter =
      best < 0 || spare < bestSpare || slack < bestSlack || (slack === bestSlack && size > bestSize);
    if (!isBetter) continue;
    best = item;
    bestSpare = spare;
    bestSlack = slack;
    bestSize = size;
  }
  return best;
}

/**
 * Bounds the cost of the decisions (cost-bound.ts), and chooses the item with the largest regret for its number of options to
 * spare, in one pass. The regret is what its second option costs more than its first: excluding the first one raises the bound
 * by that. The typical share makes short lists count where costs differ little.
 *
 * @returns -1 if no option is left
 */
export function largestRegret({ taxes, shares, typicalShare }: TaxedProblem, decisions: Decisions): number {
  const { right, least, root } = decisions;
  let rest = 0;
  let best = -1;
  let bestWorth = 0;
  for (let item = right[root]; item !== root; item = right[item]) {
    const size = decisions.size(item);
    if (size === 0) continue;
    const needed = Math.max(0, least[item]);
    const share = shares[decisions.firstOption(item)];
    if (needed > 0) rest += needed * taxes[item] + leastShares(shares, decisions, item);
    const regret = size === 1 ? 0 : shares[decisions.secondOption(item)] - share;
    const worth = (regret + typicalShare) / (size - needed);
    if (best >= 0 && worth <= bestWorth) continue;
    best = item;
    bestWorth = worth;
  }
  decisions.bound = decisions.cost + rest * CAUTION;
  return best;
}
