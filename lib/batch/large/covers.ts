/**
 * The long searches of a large exact-cover file, and its shards: ranges of their subproblems.
 *
 *     problem 1    short: not split
 *     problem 2    | 0 ... 31 | 32 ... 63 | 64 ... 80 |      shards 0, 1, 2
 *     problem 3    | 0 ... 31 | ...                          shards 3, ...
 *
 * Each problem is searched up to its split or its end. A slice of this ends when the time of its function is short, and
 * another function continues with the next problem.
 */
import { openSearch } from '../../exact-cover/open-search.ts';
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import { NO_LIMITS, SearchStop } from '../../exact-cover/search.ts';
import type { Frontier } from '../../exact-cover/split/frontier.ts';
import type { SplitRule } from '../../exact-cover/split/split-search.ts';
import type { CoverRecord } from '../../formats/exact-cover/cover-record.ts';
import type { FileError } from '../job/file-error.ts';
import { RecordSource } from '../job/record-source.ts';
import { optionsFromCanonical, type SolveOptions } from '../options.ts';
import type { FunctionTime } from '../storage/function-time.ts';
import { openSource } from '../storage/object-source.ts';
import type { CoverPlan, LargeDependencies } from './large-job.ts';
import type { ShardItem } from './steps.ts';

/** A problem whose search is split. */
interface SplitProblem {
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

/** What one function has found; JSON. */
export interface CoverSlice {
  readonly problems: readonly SplitProblem[];
  /** The first problem whose search cannot be split. */
  readonly unsplittable?: number;
  /** The problem that the next slice begins with; omitted at the end of the file. */
  readonly next?: number;
}

type Reading = Pick<LargeDependencies, 'store' | 'clock' | 'unpacking' | 'splitRule'>;

/** Subproblems in a range, at least: so many are worth a function, which also searches up to the split. */
const MIN_SUBPROBLEMS = 32;
/** Ranges of a problem, and of a file about, at most. */
const MAX_PROBLEM_RANGES = 256;
const MAX_RANGES = 4096;

/** The shards of a file. */
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

/** Opens the text of the file. */
export function openCoverText(
  { source }: CoverPlan,
  { store }: Pick<Reading, 'store'>,
): Promise<AsyncIterable<Uint8Array>> {
  return openSource(store, source, 0, source.bytes);
}

/** The problems from an index on, from 1. */
export async function* coverProblems(
  plan: CoverPlan,
  from: number,
  reading: Reading,
): AsyncGenerator<CoverRecord, void, void> {
  const text = await openCoverText(plan, reading);
  const source = new RecordSource(text, {}, reading.unpacking, reading.clock);
  try {
    let index = 1;
    for await (const record of source.covers(plan.detection)) if (index++ >= from) yield record;
  } finally {
    await source.close();
  }
}

/**
 * Searches until the search is split, about 0.2 s, or ends: the same frontier in every function.
 *
 * @returns undefined if the search is short or cannot be split
 */
export function searchFrontier(
  problem: ExactCoverProblem,
  { solutions: maxSolutions, maxNodes }: SolveOptions,
  rule?: SplitRule,
): Frontier | undefined {
  if (problem.costs !== undefined) return undefined;
  let frontier: Frontier | undefined;
  const openAnswers = (found: Frontier) => {
    frontier = found;
    return { done: 0, take: () => undefined };
  };
  const search = openSearch(problem, false, maxSolutions, openAnswers, rule);
  const limits = { ...NO_LIMITS, maxSolutions, maxNodes };
  while (search.run(limits) === SearchStop.slice && frontier === undefined);
  return frontier;
}

/**
 * @param from index of the first problem, from 1
 * @param time the slice ends after a problem once it is short
 */
export async function coverSlice(
  plan: CoverPlan,
  from: number,
  reading: Reading,
  time: Pick<FunctionTime, 'isShort'>,
): Promise<CoverSlice> {
  const options = optionsFromCanonical(plan.options);
  const problems: SplitProblem[] = [];
  let index = from;
  let unsplittable: number | undefined;
  for await (const { cover } of coverProblems(plan, from, reading)) {
    if (index > from && time.isShort) return { problems, unsplittable, next: index };
    if (cover !== undefined) {
      if (cover.problem.costs !== undefined) unsplittable ??= index;
      const frontier = searchFrontier(cover.problem, options, reading.splitRule);
      if (frontier !== undefined) problems.push({ problem: index, subproblems: frontier.subproblems.length });
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
