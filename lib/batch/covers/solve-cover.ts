/** Searches one exact-cover problem with the general core, within budgets: solution by solution, or counting them. */
import { CountingSearch } from '../../exact-cover/counting-search.ts';
import { DancingLinks, SearchStop } from '../../exact-cover/dancing-links.ts';
import { searchBytes } from '../../exact-cover/search-memory.ts';
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import type { CoverProblem } from '../../formats/exact-cover/cover-record.ts';
import { Stop } from '../../sudoku/engine.ts';
import { ENGINE_STOP } from '../../sudoku/engines/dlx/cover-kernel.ts';
import type { Clock } from '../ports.ts';
import { StatusCode, statusCodeOf } from '../solving/puzzle-status.ts';
import { OutOfTimeError, type PuzzleLimits } from '../solving/solve-block.ts';
import { CoverCheck } from './cover-check.ts';

/** The answer to a problem; updated during the search. */
export class CoverAnswer {
  /** A `StatusCode`, set at the end of the search. */
  status = 0;
  /** A `Stop`. */
  stop: number = Stop.paused;
  solutions: SolutionCount = 0;
  nodes = 0;
  guesses = 0;
  /** Nodes unlinked from an item's list: Knuth's measure of work. */
  updates = 0;
  /** Time in the search, in microseconds, without building the matrix and writing solutions. */
  solveUs = 0;
  /** Nodes of the matrix, heads and root included, and bytes of the core's arrays. */
  matrixNodes = 0;
  matrixBytes = 0;
  /** Bytes of memoised counting; 0 without it. */
  countBytes = 0;
  /** The first `optionCount` entries are the options of the latest solution, in the order of the file. */
  options = new Int32Array(0);
  optionCount = 0;

  /** Ends a search with several solutions before its limits. */
  endEarly(): void {
    this.stop = Stop.nodeLimit;
    this.status = StatusCode.multiple;
  }
}

export type CoverStep =
  /** A solution is in the answer's `options` until the next step. */
  | 'solution'
  /** A slice of the search has ended without a solution. */
  | 'slice';

/** Target duration of a slice in milliseconds; shorter under a time budget. */
const SLICE_MS = 50;
const FIRST_SLICE_NODES = 256;
const MAX_SLICE_NODES = 2 ** 22;

/**
 * Searches a problem; its answer is complete at the end of the iteration. The caller's time between two steps does not
 * count.
 *
 * The size of a slice depends on the clock, the result does not: the core finds the same in slices of any size.
 *
 * @param counting whether solutions are only counted: then only the first one is a step, and after each slice one of those
 *   that it has found is checked
 * @param checkAll whether each solution is a step, and checked, even if counted
 * @throws OutOfTimeError at the deadline
 * @throws Error if a solution is wrong: a defect of the core
 */
export function* searchCover(
  { problem }: CoverProblem,
  { maxSolutions, maxNodes, maxMs, deadlineMs }: PuzzleLimits,
  clock: Clock,
  answer: CoverAnswer,
  counting: boolean,
  checkAll = false,
): Iterable<CoverStep> {
  const links = new DancingLinks(problem, maxSolutions);
  const count = counting ? new CountingSearch(links, () => ({ problem })) : undefined;
  const check = new CoverCheck(problem);
  answer.options = new Int32Array(problem.optionCount);
  answer.matrixNodes = links.nodeCount;
  answer.matrixBytes = searchBytes(problem);
  const sliceMs = Math.min(SLICE_MS, maxMs / 4);
  let sliceNodes = FIRST_SLICE_NODES;
  for (let timedOut = false; !timedOut; ) {
    const startMs = clock.monotonicMs();
    if (startMs > deadlineMs) throw new OutOfTimeError();
    const before = links.solutions;
    const pauseAtSolution = !counting || checkAll || before === 0;
    const stop = (count ?? links).run({ maxSolutions, maxNodes, sliceNodes, pauseAtSolution });
    const ms = clock.monotonicMs() - startMs;
    answer.solveUs += ms * 1000;
    readCounts(links, count, answer);
    if (links.solutions > before) {
      readSolution(links, check, answer);
      if (pauseAtSolution) yield 'solution';
    }
    answer.stop = ENGINE_STOP[stop];
    if (answer.stop !== Stop.paused) break;
    if (stop === SearchStop.slice) {
      yield 'slice';
      if (ms * 2 < sliceMs && sliceNodes < MAX_SLICE_NODES) sliceNodes *= 2;
      else if (ms > sliceMs * 2 && sliceNodes > 1) sliceNodes /= 2;
    }
    timedOut = answer.solveUs > maxMs * 1000;
  }
  if (answer.stop === Stop.paused) answer.stop = Stop.nodeLimit;
  answer.status = statusCodeOf(answer.stop, answer.solutions, maxSolutions);
}

function readCounts(links: DancingLinks, count: CountingSearch | undefined, answer: CoverAnswer): void {
  answer.solutions = (count ?? links).solutions;
  answer.nodes = (count ?? links).nodes;
  answer.guesses = links.guesses + (count?.guesses ?? 0);
  answer.updates = links.updates + (count?.updates ?? 0);
  answer.countBytes = count?.memoBytes ?? 0;
}

function readSolution(
  { selected, selectedCount }: DancingLinks,
  check: CoverCheck,
  answer: CoverAnswer,
): void {
  const options = answer.options.subarray(0, selectedCount);
  options.set(selected.subarray(0, selectedCount));
  options.sort();
  answer.optionCount = selectedCount;
  if (check.isSolution(options, selectedCount)) return;
  throw new Error(
    `the core returned a wrong solution: a defect of the core; no result is written (options: ${options.join(' ')})`,
  );
}
