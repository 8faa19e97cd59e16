/**
 * Estimates the search tree of any problem (tree-estimate.ts).
 *
 * With multiplicities, a node has two branches, an option in or out, which differ much in size: of ten options of which one is in, the
 * first is in one of ten ways. So a probe takes a branch with about the part of the ways that it has, and counts it by the
 * inverse of that probability; the mean stays that of the tree.
 */
import { fewestToSpare } from './choice.ts';
import { DecisionKernel } from './kernel.ts';
import { MAX_WORK } from './probes.ts';
import type { ExactCoverProblem } from './problem.ts';
import { DOWN, leastOf, MOST, type SearchMemory, sizeOf } from './search-memory.ts';
import { type Branching, estimateTree, type TreeEstimate } from './tree-estimate.ts';

/** @param maxWork, seed as for `estimateTree` */
export function estimateSearchTree(
  problem: ExactCoverProblem,
  maxWork = MAX_WORK,
  seed = 1,
): TreeEstimate | undefined {
  const branching = problem.multiplicities === undefined ? undefined : decideOptions;
  return estimateTree(problem, maxWork, seed, [], branching);
}

/** Decides the first option of an item. */
function decideOptions(memory: SearchMemory, random: () => number): ReturnType<Branching> {
  const { words } = memory;
  const kernel = new DecisionKernel(memory);
  const enter = (item: number) => {
    const node = words[item + DOWN];
    const first = partWithFirst(words, item);
    const isIn = random() < first;
    const part = isIn ? first : 1 - first;
    return { branches: 2, part, skipped: 0, isConsistent: isIn ? kernel.select(node) : kernel.remove(node) };
  };
  return { kernel, choose: () => fewestToSpare(memory), enter };
}

/** About the part of the ways to decide the options of an item in which the first is in; above 0 and below 1. */
function partWithFirst(words: Int32Array, item: number): number {
  const size = sizeOf(words, item);
  return Math.min(Math.max(size / 2, leastOf(words, item)), words[item + MOST]) / size;
}
