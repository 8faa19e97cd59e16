/** Searches one exact-cover problem with the general core, within budgets: solution by solution, or counting them. */

import { CheapestSearch } from '../../exact-cover/costs/cheapest-search.ts';
import { CountingSearch } from '../../exact-cover/counting-search.ts';
import { SearchStop } from '../../exact-cover/dancing-links.ts';
import { openSearch, type SolutionSearch } from '../../exact-cover/open-search.ts';
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import { type DrawBelow, RandomSolutions } from '../../exact-cover/random-solutions.ts';
import type { SplitRule } from '../../exact-cover/split/split-search.ts';
import { Stop } from '../../sudoku/engine.ts';
import { ENGINE_STOP } from '../../sudoku/engines/dlx/cover-kernel.ts';
import type { Clock } from '../ports.ts';
import { Elsewhere } from '../solving/elsewhere.ts';
import type { ProblemSolution, StartedSearch } from '../solving/problem-solver.ts';
import { drawStatus, statusCodeOf } from '../solving/puzzle-status.ts';
import { OutOfTimeError, type PuzzleLimits } from '../solving/solve-block.ts';
import type { SubproblemSolver } from '../solving/subproblem-solver.ts';
import type { CoverAnswer } from './cover-answer.ts';
import { CoverCheck } from './cover-check.ts';

export type CoverStep =
  /** A solution is in the answer's `options` until the next step. */
  | 'solution'
  /** A slice of the search has ended without a solution. */
  | 'slice'
  /** Other threads search; the caller waits for this before the next step. */
  | Promise<void>;

export interface CoverSearchOptions {
  readonly clock: Clock;
  /** Whether solutions are only counted: then only the first one is a step, and after each slice one of those found is checked. */
  readonly counting: boolean;
  /** Whether each solution is a step, and checked, even if counted. @default false */
  readonly checkAll?: boolean | undefined;
  /** Searches subproblems of long searches. @default none: they are searched here, one after the other */
  readonly subproblems?: SubproblemSolver | undefined;
  /** When a search is split: for tests. */
  readonly splitRule?: SplitRule | undefined;
  /** Draws random solutions, as many as the limits request, instead of searching them in order. @default in order */
  readonly below?: DrawBelow | undefined;
}

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
 * If the problem has costs, solutions are steps in the order of their costs. When a budget runs out before the cheapest
 * ones are proven, the best ones so far follow. Counting ignores costs.
 *
 * @throws OutOfTimeError at the deadline
 * @throws Error if a solution is wrong: a defect of the core
 */
export function* searchCover(
  problem: ExactCoverProblem,
  limits: PuzzleLimits,
  answer: CoverAnswer,
  options: CoverSearchOptions,
): Iterable<CoverStep> {
  const { counting, checkAll = false, subproblems, splitRule, below } = options;
  const elsewhere = new Elsewhere(subproblems, { ...limits, each: !counting || checkAll });
  const links: SolutionSearch =
    below === undefined
      ? openSearch(problem, counting, limits.maxSolutions, elsewhere.openAnswers, splitRule)
      : new RandomSolutions(problem, below);
  try {
    yield* searchSteps({ problem, links, limits, answer, options, elsewhere });
  } finally {
    answer.solveUs += elsewhere.searchMs * 1000;
    answer.searchBytes = links.bytes + (links.elsewhereBytes ?? 0) + answer.countBytes;
    elsewhere.close();
  }
}

/**
 * Takes the answer of a search that another thread has begun: the same steps as those of `searchCover`. What the thread has
 * not finished is searched here.
 *
 * @param started a search of this problem, with these limits and options
 * @throws OutOfTimeError at the deadline
 */
export function* takeCover(
  problem: ExactCoverProblem,
  started: StartedSearch,
  limits: PuzzleLimits,
  answer: CoverAnswer,
  options: CoverSearchOptions,
): Iterable<CoverStep> {
  const { clock } = options;
  answer.options = new Int32Array(problem.optionCount);
  let taken = 0;
  try {
    for (let part = started.take(); part !== 'unfinished'; part = started.take()) {
      if (clock.monotonicMs() > limits.deadlineMs) throw new OutOfTimeError();
      if (part === undefined) {
        Object.assign(answer, started.counts);
        yield started.progress();
      } else if (part.kind === 'end') {
        Object.assign(answer, part.end);
        return;
      } else {
        takeSolution(part, ++taken, answer);
        yield 'solution';
      }
    }
    for (const step of searchCover(problem, limits, answer, { ...options, subproblems: started })) {
      if (step !== 'solution' || taken-- <= 0) yield step;
    }
  } finally {
    started.close();
  }
}

interface CoverSearch {
  readonly problem: ExactCoverProblem;
  readonly links: SolutionSearch;
  readonly limits: PuzzleLimits;
  readonly answer: CoverAnswer;
  readonly options: CoverSearchOptions;
  readonly elsewhere: Elsewhere;
}

function* searchSteps({
  problem,
  links,
  limits,
  answer,
  options,
  elsewhere,
}: CoverSearch): Iterable<CoverStep> {
  const { maxSolutions, maxNodes, maxMs, deadlineMs } = limits;
  const { clock, counting, checkAll = false } = options;
  const count = counting ? new CountingSearch(links, () => ({ problem })) : undefined;
  const check = new CoverCheck(problem);
  answer.options = new Int32Array(problem.optionCount);
  answer.matrixNodes = links.nodeCount;
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
    if (links.isWaiting === true) {
      const waitMs = clock.monotonicMs();
      yield elsewhere.progress();
      answer.solveUs += (clock.monotonicMs() - waitMs) * 1000;
    } else if (stop === SearchStop.slice) {
      yield 'slice';
      if (ms * 2 < sliceMs && sliceNodes < MAX_SLICE_NODES) sliceNodes *= 2;
      else if (ms > sliceMs * 2 && sliceNodes > 1) sliceNodes /= 2;
    }
    timedOut = answer.solveUs > maxMs * 1000;
  }
  if (answer.stop === Stop.paused) answer.stop = Stop.nodeLimit;
  if (links instanceof CheapestSearch && answer.stop === Stop.nodeLimit) {
    yield* bestSoFar(links, maxSolutions, check, answer);
  }
  answer.matrixBytes = links.bytes;
  if (links instanceof RandomSolutions) endDraws(links, maxSolutions, answer);
  else answer.status = statusCodeOf(answer.stop, answer.solutions, maxSolutions);
}

/** Ends random draws: the answer has the number of all solutions. */
function endDraws({ solutions, total }: RandomSolutions, requested: number, answer: CoverAnswer): void {
  answer.drawn = solutions;
  answer.solutions = total ?? 0;
  if (total !== undefined) answer.stop = Stop.exhausted;
  answer.status = drawStatus(total, solutions, requested);
}

/** Ends a search by cost, and gives the best solutions that it has found. */
function* bestSoFar(
  search: CheapestSearch,
  maxSolutions: number,
  check: CoverCheck,
  answer: CoverAnswer,
): Iterable<CoverStep> {
  search.endEarly();
  const bound = answer.leastCost ?? search.costBound;
  if (Number.isFinite(bound)) answer.costBound = bound;
  const noLimits = { maxNodes: Number.POSITIVE_INFINITY, sliceNodes: Number.POSITIVE_INFINITY };
  for (let found = search.solutions; ; found = search.solutions) {
    search.run({ maxSolutions, ...noLimits, pauseAtSolution: true });
    if (search.solutions === found) return;
    answer.solutions = search.solutions;
    readSolution(search, check, answer);
    yield 'solution';
  }
}

function readCounts(links: SolutionSearch, count: CountingSearch | undefined, answer: CoverAnswer): void {
  answer.solutions = (count ?? links).solutions;
  answer.nodes = (count ?? links).nodes;
  answer.guesses = links.guesses + (count?.guesses ?? 0);
  answer.updates = links.updates + (count?.updates ?? 0);
  answer.countBytes = links instanceof RandomSolutions ? links.memoBytes : (count?.memoBytes ?? 0);
  answer.subproblems = 'subproblems' in links ? links.subproblems : undefined;
}

function takeSolution(
  { options, nodes, guesses, updates }: ProblemSolution,
  solutions: number,
  answer: CoverAnswer,
): void {
  answer.options.set(options);
  answer.optionCount = options.length;
  Object.assign(answer, { solutions, nodes, guesses, updates });
}

function readSolution(search: SolutionSearch, check: CoverCheck, answer: CoverAnswer): void {
  const { selected, selectedCount } = search;
  const options = answer.options.subarray(0, selectedCount);
  options.set(selected.subarray(0, selectedCount));
  options.sort();
  answer.optionCount = selectedCount;
  const isByCost = search instanceof CheapestSearch;
  if (isByCost) {
    answer.cost = search.cost;
    answer.leastCost ??= search.cost;
  } else if (search instanceof RandomSolutions) answer.cost = check.costOf(options, selectedCount);
  const isCostRight = !isByCost || check.costOf(options, selectedCount) === search.cost;
  if (isCostRight && check.isSolution(options, selectedCount)) return;
  throw new Error(
    `the core returned a wrong solution: a defect of the core; no result is written (options: ${options.join(' ')})`,
  );
}
