/**
 * Estimates the size of a search tree from random probes (Knuth, Estimating the efficiency of backtrack programs, 1975).
 *
 *     root          3 options to try
 *      | * |        one of them at random:      3 nodes at this level
 *        |
 *       | *         2 options, one at random:   3 * 2 nodes at this level
 *         |
 *         -         no option:                  the probe estimates 1 + 3 + 6 nodes
 *
 * The expected value of such an estimate is the number of nodes, so the mean of all probes is near it. The same holds for
 * updates. Single probes differ by orders of magnitude, so the mean has an interval: its standard error on a logarithmic scale, as the
 * estimates are skewed. Where most nodes are below few branches that no probe has taken, the mean is too low, and so may be
 * the interval.
 *
 * The tree is that of a search for all solutions (plain-search.ts) that learns no weights. A search for one or two solutions
 * mostly needs less.
 *
 * Measured with seeds 1 to 20, and 2,000 probes unless work ran out: the interval has the true number of nodes for 16 seeds on
 * pentominoes 8x8 less 2x2, for 18 on 4x15, for 19 on 3x20, Langford pairs of 11, queens of order 10, Latin squares of order 5
 * and dominoes 6x8, for all on the Soma cube. Of the estimates of pentominoes, the worst was 2.3 times too low. Probes take 20
 * to 100 ms.
 */
import { Kernel } from './kernel.ts';
import { bounded, MAX_WORK, meanOfProbes, randomNumbers, type TreeEstimate } from './probes.ts';
import type { ExactCoverProblem } from './problem.ts';
import {
  createSearchMemory,
  DOWN,
  PRESELECTED_COUNT,
  searchBytes,
  UPDATES,
  waysOf,
} from './search-memory.ts';
import { workOf } from './work.ts';

export type { TreeEstimate } from './probes.ts';

/** Larger problems are not estimated, as that takes as much memory as their search. */
const MAX_BYTES = 64 * 2 ** 20;

/**
 * Estimates the search tree of a problem. The same arguments give the same estimate.
 *
 * @param maxWork work of all probes (`workOf`), and one for each entry of the problem; at most 10,000,000 is used
 * @param preselected options that every solution is to contain
 * @returns undefined if that is too little work, or the problem is too large or has multiplicities
 */
export function estimateTree(
  problem: ExactCoverProblem,
  maxWork = MAX_WORK,
  seed = 1,
  preselected: readonly number[] = [],
): TreeEstimate | undefined {
  const probeWork = Math.min(maxWork, MAX_WORK) - problem.items.length;
  if (probeWork <= 0) return undefined;
  if (problem.multiplicities !== undefined || searchBytes(problem) > MAX_BYTES) return undefined;
  const memory = createSearchMemory(problem, new ArrayBuffer(searchBytes(problem)), 1);
  const { words, counts, at } = memory;
  words.set(preselected, at.preselected);
  words[PRESELECTED_COUNT] = preselected.length;
  const kernel = new Kernel(memory);
  const random = randomNumbers(seed);
  kernel.begin(false);
  const hasChoices = kernel.link() && kernel.settleRoot();
  const { pathLength, trailLength } = kernel;
  const rootUpdates = counts[UPDATES];
  if (!hasChoices) {
    return { nodes: 1, low: 1, high: 1, updates: rootUpdates, probes: 1 };
  }
  return meanOfProbes(probeWork, rootUpdates, () => {
    let width = 1;
    let nodes = 1;
    let updates = 0;
    let work = 0;
    for (let isOpen = true; isOpen; ) {
      const item = kernel.choose();
      if (item === 0) break;
      const before = counts[UPDATES];
      width = bounded(width * waysOf(words, item));
      nodes = bounded(nodes + width);
      let node = words[item + DOWN];
      let skipped = Math.floor(random() * waysOf(words, item));
      work += skipped;
      for (; skipped > 0; skipped--) node = words[node + DOWN];
      isOpen = kernel.select(node);
      const done = counts[UPDATES] - before;
      updates = bounded(updates + width * done);
      work += workOf(1, done);
    }
    kernel.undoTo(pathLength, trailLength);
    return { nodes, updates, work };
  });
}
