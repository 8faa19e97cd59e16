/**
 * The shards of a large exact-cover file: ranges of the subproblems of its long searches.
 *
 *     problem 1    short: not split
 *     problem 2    | 0 ... 31 | 32 ... 63 | 64 ... 80 |      shards 0, 1, 2
 *     problem 3    | 0 ... 31 | ...                          shards 3, ...
 */
import type { ShardItem } from '../steps.ts';

/** A problem whose search is split. */
export interface SplitProblem {
  /** Index in the file, from 1. */
  readonly problem: number;
  readonly subproblems: number;
}

/** Subproblems `from` (inclusive, from 0) to `to` (exclusive) of a problem. */
export interface CoverRange extends ShardItem, SplitProblem {
  /** The first shard of the problem. */
  readonly firstShard: number;
  readonly from: number;
  readonly to: number;
}

/** Subproblems in a range, at least: so many are worth a function, which also searches up to the split. */
const MIN_SUBPROBLEMS = 32;
/** Ranges of a problem, and of a file about, at most. */
const MAX_PROBLEM_RANGES = 256;
const MAX_RANGES = 4096;

export function coverRanges(problems: readonly SplitProblem[]): CoverRange[] {
  const all = problems.reduce((sum, { subproblems }) => sum + subproblems, 0);
  const ranges: CoverRange[] = [];
  for (const { problem, subproblems } of problems) {
    const firstShard = ranges.length;
    const length = Math.ceil(Math.max(MIN_SUBPROBLEMS, subproblems / MAX_PROBLEM_RANGES, all / MAX_RANGES));
    for (let from = 0; from < subproblems; from += length) {
      const to = Math.min(from + length, subproblems);
      ranges.push({ shard: ranges.length, problem, subproblems, firstShard, from, to });
    }
  }
  return ranges;
}
