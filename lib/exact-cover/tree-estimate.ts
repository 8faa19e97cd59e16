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
 * With multiplicities, a node has two branches, an option in or out, which differ much in size: of ten options of which one is in, the
 * first is in one of ten ways. So a probe takes a branch with about the part of the ways that it has, and counts it by the
 * inverse of that probability; the mean stays that of the tree.
 *
 * The tree is that of a search for all solutions (plain-search.ts) that learns no weights. A search for one or two solutions
 * mostly needs less. docs/explanation/search.md has how good the intervals are.
 */
import { chooseItem, fewestToSpare } from './choice.ts';
import { Kernel } from './kernel.ts';
import { bounded, MAX_WORK, meanOfProbes, randomNumbers, type TreeEstimate } from './probes.ts';
import type { ExactCoverProblem } from './problem.ts';
import {
  createSearchMemory,
  DOWN,
  leastOf,
  MOST,
  PRESELECTED_COUNT,
  searchBytes,
  sizeOf,
  UPDATES,
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
 * @returns undefined if that is too little work, or the problem is too large
 */
export function estimateTree(
  problem: ExactCoverProblem,
  maxWork = MAX_WORK,
  seed = 1,
  preselected: readonly number[] = [],
): TreeEstimate | undefined {
  const probeWork = Math.min(maxWork, MAX_WORK) - problem.items.length;
  if (probeWork <= 0 || searchBytes(problem) > MAX_BYTES) return undefined;
  const memory = createSearchMemory(problem, new ArrayBuffer(searchBytes(problem)), 1);
  const { words, counts, at } = memory;
  words.set(preselected, at.preselected);
  words[PRESELECTED_COUNT] = preselected.length;
  const kernel = new Kernel(memory);
  const choose = () =>
    problem.multiplicities === undefined ? chooseItem(memory, false) : fewestToSpare(memory);
  const random = randomNumbers(seed);
  kernel.begin(false);
  const isConsistent = kernel.link() && kernel.settleRoot();
  const { pathLength, trailLength } = kernel;
  const rootUpdates = counts[UPDATES];
  if (!isConsistent || choose() === 0) {
    return { nodes: 1, low: 1, high: 1, updates: rootUpdates, probes: 1 };
  }
  const enter = problem.multiplicities === undefined ? tryOption : decideOption;
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

  /** Enters one of the branches of an item: its probability, and the options that were passed over. */
  function tryOption(item: number) {
    const branches = sizeOf(words, item);
    const skipped = Math.floor(random() * branches);
    let node = words[item + DOWN];
    for (let k = skipped; k > 0; k--) node = words[node + DOWN];
    return { branches, part: 1 / branches, skipped, isConsistent: kernel.select(node) };
  }

  function decideOption(item: number) {
    const first = partWithFirst(words, item);
    const node = words[item + DOWN];
    return random() < first
      ? { branches: 2, part: first, skipped: 0, isConsistent: kernel.select(node) }
      : { branches: 2, part: 1 - first, skipped: 0, isConsistent: kernel.remove(node) };
  }
}

/** About the part of the ways to decide the options of an item in which the first is in; above 0 and below 1. */
function partWithFirst(words: Int32Array, item: number): number {
  const size = sizeOf(words, item);
  return Math.min(Math.max(size / 2, leastOf(words, item)), words[item + MOST]) / size;
}
