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
import { Kernel } from './kernel.ts';
import type { ExactCoverProblem } from './problem.ts';
import {
  DOWN,
  leastOf,
  MOST,
  PRESELECTED_COUNT,
  searchBytes,
  sizeOf,
  UPDATES,
  waysOf,
} from './search-memory.ts';
import { workOf } from './work.ts';

/** The estimate of a tree; numbers beyond 1.8 * 10^308 are that. */
export interface TreeEstimate {
  /** Nodes of the tree, and an interval that mostly has their true number. */
  readonly nodes: number;
  readonly low: number;
  readonly high: number;
  readonly updates: number;
  readonly probes: number;
}

/** Larger problems are not estimated, as that takes as much memory as their search. */
const MAX_BYTES = 64 * 2 ** 20;
const MAX_PROBES = 2000;
/** Work of all probes: that of a few dozen milliseconds. */
const MAX_WORK = 10_000_000;
/** With fewer probes, the interval says nothing. */
const MIN_PROBES = 50;
/** Standard errors on each side of the interval: more than the 1.96 of a normal distribution, as probes are skewed. */
const ERRORS = 2.5;

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
  const kernel = new Kernel(problem);
  const { words, counts, at } = kernel.memory;
  words.set(preselected, at.preselected);
  words[PRESELECTED_COUNT] = preselected.length;
  const random = randomNumbers(seed);
  kernel.begin(false);
  const isConsistent = kernel.link() && kernel.settleRoot();
  const { pathLength, trailLength } = kernel;
  const rootUpdates = counts[UPDATES];
  if (!isConsistent || kernel.choose() === 0) {
    return { nodes: 1, low: 1, high: 1, updates: rootUpdates, probes: 1 };
  }
  const probes: number[] = [];
  let allUpdates = 0;
  for (let work = 0; probes.length < MAX_PROBES && work < probeWork; ) {
    let width = 1;
    let nodes = 1;
    for (let isOpen = true; isOpen; ) {
      const item = kernel.choose();
      if (item === 0) break;
      const before = counts[UPDATES];
      const { branches, part, skipped, isConsistent } = kernel.decides
        ? decideOption(kernel, item, random())
        : tryOption(kernel, item, random());
      isOpen = isConsistent;
      nodes = bounded(nodes + width * branches);
      width = bounded(width / part);
      const updates = counts[UPDATES] - before;
      allUpdates = bounded(allUpdates + width * updates);
      work += skipped + workOf(1, updates);
    }
    kernel.undoTo(pathLength, trailLength);
    probes.push(nodes);
  }
  if (probes.length < MIN_PROBES) return undefined;
  return { ...intervalOf(probes), updates: rootUpdates + allUpdates / probes.length, probes: probes.length };
}

/** Tries one of the options of an item. @returns how many there are, its probability, and the options that were passed over */
function tryOption(kernel: Kernel, item: number, random: number) {
  const { words } = kernel.memory;
  const branches = waysOf(words, item);
  const skipped = Math.floor(random * branches);
  let node = words[item + DOWN];
  for (let k = skipped; k > 0; k--) node = words[node + DOWN];
  return { branches, part: 1 / branches, skipped, isConsistent: kernel.select(node) };
}

/** Decides the first option of an item. @returns the same for its two sides */
function decideOption(kernel: Kernel, item: number, random: number): ReturnType<typeof tryOption> {
  const { words } = kernel.memory;
  const node = words[item + DOWN];
  const first = partWithFirst(words, item);
  const isIn = random < first;
  const part = isIn ? first : 1 - first;
  return { branches: 2, part, skipped: 0, isConsistent: isIn ? kernel.select(node) : kernel.remove(node) };
}

/** About the part of the ways to decide the options of an item in which the first is in; above 0 and below 1. */
function partWithFirst(words: Int32Array, item: number): number {
  const size = sizeOf(words, item);
  return Math.min(Math.max(size / 2, leastOf(words, item)), words[item + MOST]) / size;
}

/** Without Infinity, for which there are neither quotients nor JSON. */
export function bounded(value: number): number {
  return Math.min(value, Number.MAX_VALUE);
}

/** The mean of positive values, and the interval of its standard error on a logarithmic scale. */
function intervalOf(values: readonly number[]): Pick<TreeEstimate, 'nodes' | 'low' | 'high'> {
  // Sums and squares of the values themselves may be beyond all numbers.
  const most = Math.max(...values);
  const mean = most * (values.reduce((sum, value) => sum + value / most, 0) / values.length);
  const squares = values.reduce((sum, value) => sum + (value / mean - 1) ** 2, 0);
  const error = Math.exp((ERRORS * Math.sqrt(squares / (values.length - 1))) / Math.sqrt(values.length));
  return { nodes: mean, low: mean / error, high: bounded(mean * error) };
}

/** Random numbers from 0 to below 1, from a seed (Marsaglia's xorshift). */
function randomNumbers(seed: number): () => number {
  let state = Math.imul(seed, 0x9e37_79b1) | 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}
