/**
 * Plans a large exact-cover file: finds the problems whose searches are split, by searching each up to its split or end.
 *
 * A slice ends when the time of its function is short; another function continues with the next problem.
 */

import { frontierSize } from '../../../exact-cover/split/frontier.ts';
import type { SplitRule } from '../../../exact-cover/split/split-search.ts';
import type { FileError } from '../../job/file-error.ts';
import { optionsFromCanonical } from '../../options.ts';
import { type CoverReading, coverProblems } from '../covers/cover-problems.ts';
import type { SplitProblem } from '../covers/cover-ranges.ts';
import { canSplit, searchFrontier } from '../covers/search-frontier.ts';
import type { CoverPlan } from '../shard-plan.ts';

/** What one function has found; JSON. */
export interface CoverSlice {
  readonly problems: readonly SplitProblem[];
  /** The first problem whose search cannot be split. */
  readonly unsplittable?: number;
  /** The problem that the next slice begins with; omitted at the end of the file. */
  readonly next?: number;
}

export interface CoverPlanning extends CoverReading {
  /** When a search is split: for tests. */
  readonly splitRule?: SplitRule;
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
  const options = optionsFromCanonical(plan.options);
  const problems: SplitProblem[] = [];
  let index = from;
  let unsplittable: number | undefined;
  for await (const { cover } of coverProblems(plan, from, planning)) {
    if (index > from && !canContinue()) return { problems, unsplittable, next: index };
    if (cover !== undefined) {
      if (!canSplit(cover.problem)) unsplittable ??= index;
      const { frontier } = searchFrontier(cover.problem, options, planning.splitRule);
      if (frontier !== undefined) problems.push({ problem: index, subproblems: frontierSize(frontier) });
    }
    index++;
  }
  return { problems, unsplittable };
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
