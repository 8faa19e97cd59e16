/**
 * Plans a large exact-cover file: finds the problems whose searches are split, by searching each up to its split or end.
 *
 * A slice ends when the time of its function is short; another function continues with the next problem.
 */

import type { ExactCoverProblem } from '../../../exact-cover/problem.ts';
import { frontierSize } from '../../../exact-cover/split/frontier.ts';
import type { SplitRule } from '../../../exact-cover/split/split-search.ts';
import { estimateTree } from '../../../exact-cover/tree-estimate.ts';
import { type Ceilings, DEFAULT_CEILINGS, maxJobNodes } from '../../ceilings.ts';
import { estimateJob } from '../../estimate/job-estimate.ts';
import type { FileError } from '../../job/file-error.ts';
import { DEFAULT_MEMORY_MB } from '../../limits.ts';
import { optionsFromCanonical } from '../../options.ts';
import type { UsageLimits } from '../../usage/job-usage.ts';
import { type CoverReading, coverProblems } from '../covers/cover-problems.ts';
import type { SplitProblem } from '../covers/cover-ranges.ts';
import { canSplit, searchFrontier } from '../covers/search-frontier.ts';
import type { CoverPlan } from '../shard-plan.ts';

/** What one function has found; JSON. */
export interface CoverSlice {
  readonly problems: readonly SplitProblem[];
  /** Problems that were read. */
  readonly read: number;
  /** Estimated time of their searches, in microseconds. */
  readonly solveUs: number;
  /** The first problem whose search cannot be split. */
  readonly unsplittable?: number;
  /** The problem that the next slice begins with; omitted at the end of the file. */
  readonly next?: number;
}

export interface CoverPlanning extends CoverReading {
  /** @default the ceilings for which no operator has set others */
  readonly ceilings?: Ceilings;
  /** When a search is split: for tests. */
  readonly splitRule?: SplitRule;
  /** Ceilings of a day, for which the time is estimated. @default it is not estimated */
  readonly usage?: UsageLimits;
}

/**
 * @param from index of the first problem, from 1
 * @param canContinue called after each problem; the slice ends if it returns false
 */
export async function planCoverSlice(
  plan: CoverPlan,
  from: number,
  planning: CoverPlanning,
  canContinue: () => boolean,
): Promise<CoverSlice> {
  const problems: SplitProblem[] = [];
  let index = from;
  let solveUs = 0;
  let unsplittable: number | undefined;
  for await (const { cover } of coverProblems(plan, from, planning)) {
    if (index > from && !canContinue())
      return { problems, read: index - from, solveUs, unsplittable, next: index };
    if (cover !== undefined) {
      if (!canSplit(cover.problem)) unsplittable ??= index;
      const searched = searchProblem(cover.problem, plan, planning);
      solveUs += searched.solveUs;
      if (searched.subproblems > 0) problems.push({ problem: index, subproblems: searched.subproblems });
    }
    index++;
  }
  return { problems, read: index - from, solveUs, unsplittable };
}

/** @returns how many subproblems it has, and the estimated time of its search */
function searchProblem(
  problem: ExactCoverProblem,
  plan: CoverPlan,
  { clock, splitRule, usage, ceilings = DEFAULT_CEILINGS }: CoverPlanning,
): { readonly subproblems: number; readonly solveUs: number } {
  const options = optionsFromCanonical(plan.options);
  const startMs = clock.monotonicMs();
  const { nodes, frontier } = searchFrontier(problem, options, splitRule);
  const us = (clock.monotonicMs() - startMs) * 1000;
  if (frontier === undefined) return { subproblems: 0, solveUs: us };
  const budget = Math.min(options.maxNodes, maxJobNodes(ceilings, plan.source.bytes));
  const tree = Math.min((usage && estimateTree(problem)?.nodes) ?? nodes, budget);
  return { subproblems: frontierSize(frontier), solveUs: us * Math.max(1, tree / nodes) };
}

/** Estimated dollars of the job. */
export function coverDollars({ source: { bytes } }: CoverPlan, slices: readonly CoverSlice[]): number {
  const puzzles = slices.reduce((sum, { read }) => sum + read, 0);
  const solveUs = slices.reduce((sum, slice) => sum + slice.solveUs, 0);
  const sample = { puzzles, solveUs, bytesPerPuzzle: bytes / puzzles, usPerByte: solveUs / bytes };
  return estimateJob({ bytes, sample, memoryMb: DEFAULT_MEMORY_MB, concurrency: 1 }).dollars.total;
}

/** Why a file without long searches that can be split is rejected. */
export function notSplit(slices: readonly CoverSlice[]): FileError {
  const index = slices.find(({ unsplittable }) => unsplittable !== undefined)?.unsplittable;
  const why =
    index === undefined
      ? 'no search of a problem is long enough to be split across functions: split the file'
      : `problem ${index} has costs, and a search by cost cannot be split across functions: lower max-nodes`;
  return {
    code: 'too_large',
    message: `the file exceeds the time of one function, and ${why}, or solve it with the command-line tool`,
  };
}
