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
 * mostly needs less. docs/explanation/search.md has how good the intervals are.
 */
import { chooseItem } from './choice.ts';
import { Kernel } from './kernel.ts';
import { bounded, MAX_WORK, meanOfProbes, randomNumbers, type TreeEstimate } from './probes.ts';
import type { ExactCoverProblem } from './problem.ts';
import {
  createPlainMemory,
  DOWN,
  PRESELECTED_COUNT,
  type SearchMemory,
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
 * @param branching how the search branches; by default, as without multiplicities
 * @returns undefined if that is too little work, or the problem is too large
 */
export function estimateTree(
  problem: ExactCoverProblem,
  maxWork = MAX_WORK,
  seed = 1,
  preselected: readonly number[] = [],
  branching: Branching = tryOptions,
): TreeEstimate | undefined {
  const probeWork = Math.min(maxWork, MAX_WORK) - problem.items.length;
  if (probeWork <= 0 || searchBytes(problem) > MAX_BYTES) return undefined;
  const memory = createPlainMemory(problem);
  const { words, counts, at } = memory;
  words.set(preselected, at.preselected);
  words[PRESELECTED_COUNT] = preselected.length;
  const random = randomNumbers(seed);
  const { kernel, choose, enter } = branching(memory, random);
  kernel.begin(false);
  const isConsistent = kernel.link() && kernel.settleRoot();
  const { pathLength, trailLength } = kernel;
  const rootUpdates = counts[UPDATES];
  if (!isConsistent || choose() === 0) {
    return { nodes: 1, low: 1, high: 1, updates: rootUpdates, probes: 1 };
  }
  return meanOfProbes(probeWork, rootUpdates, () => {
    let width = 1;
    let nodes = 1;
    let updates = 0;
    let work = 0;
    for (let isOpen = true; isOpen; ) {
      const item = choose();
      if (item === 0) break;
      const before = counts[UPDATES];
      const { branches, part, skipped, isConsistent } = enter(item);
      isOpen = isConsistent;
      nodes = bounded(nodes + width * branches);
      width = bounded(width / part);
      const done = counts[UPDATES] - before;
      updates = bounded(updates + width * done);
      work += skipped + workOf(1, done);
    }
    kernel.undoTo(pathLength, trailLength);
    return { nodes, updates, work };
  });
}

/** How a search branches. */
export type Branching = (
  memory: SearchMemory,
  random: () => number,
) => {
  readonly kernel: Kernel;
  /** The item to branch on; 0 if nothing is left to decide. */
  readonly choose: () => number;
  /** Enters one of the branches of an item: how many there are, its probability, and the options that were passed over. */
  readonly enter: (item: number) => {
    readonly branches: number;
    readonly part: number;
    readonly skipped: number;
    readonly isConsistent: boolean;
  };
};

/** Tries the options of an item. */
function tryOptions(memory: SearchMemory, random: () => number): ReturnType<Branching> {
  const { words } = memory;
  const kernel = new Kernel(memory);
  const enter = (item: number) => {
    const branches = waysOf(words, item);
    const skipped = Math.floor(random() * branches);
    let node = words[item + DOWN];
    for (let k = skipped; k > 0; k--) node = words[node + DOWN];
    return { branches, part: 1 / branches, skipped, isConsistent: kernel.select(node) };
  };
  return { kernel, choose: () => chooseItem(memory, false), enter };
}
