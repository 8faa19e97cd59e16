/** The search of an exact-cover problem with the general core: solution by solution, counting them, or drawing some at random. */
import { CheapestSearch } from '../../exact-cover/costs/cheapest-search.ts';
import { CountingSearch } from '../../exact-cover/counting-search.ts';
import { openSearch, type SolutionSearch } from '../../exact-cover/open-search.ts';
import { type ExactCoverProblem, nodeCount } from '../../exact-cover/problem.ts';
import { type DrawBelow, RandomSolutions } from '../../exact-cover/random-solutions.ts';
import { NO_LIMITS } from '../../exact-cover/search.ts';
import type { SplitRule } from '../../exact-cover/split/split-search.ts';
import { Stop } from '../../sudoku/engine.ts';
import type { Clock } from '../ports.ts';
import { CoverCheck, wrongSolution } from './cover-check.ts';
import { OutOfTimeError, type PuzzleLimits, type Step } from './drive.ts';
import { Elsewhere, type SubproblemSolver } from './elsewhere.ts';
import type { StartedSearch } from './problems-ahead.ts';
import { drawStatus, statusCodeOf } from './puzzle-status.ts';
import { type RecordAnswer, type RecordSearch, searchRecord } from './record-search.ts';

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

/** Searches an exact cover; the options of its latest solution are in the answer. */
export class CoverSearch implements RecordSearch {
  readonly search: RecordSearch['search'];
  readonly #links: SolutionSearch;
  readonly #check: CoverCheck;
  readonly #matrixNodes: number;
  /** Solutions when the latest one was read. */
  #read: number;

  /** @param isCounting whether memoised counting may replace the search */
  constructor(problem: ExactCoverProblem, links: SolutionSearch, isCounting = false) {
    this.search = isCounting ? new CountingSearch(links, () => ({ problem })) : links;
    this.#links = links;
    this.#check = new CoverCheck(problem);
    this.#read = links.solutions;
    this.#matrixNodes = nodeCount(problem);
  }

  get bytes(): number {
    return this.#links.bytes;
  }

  read(answer: RecordAnswer): void {
    const links = this.#links;
    const isByCost = links instanceof CheapestSearch;
    const isDrawn = links instanceof RandomSolutions;
    if (isDrawn) {
      answer.drawn = links.solutions;
      answer.solutions = links.total ?? 0;
    }
    if (links.solutions <= this.#read) return;
    this.#read = links.solutions;
    const options = links.selected.slice().sort();
    const cost = this.#check.costOf(options);
    answer.options = options;
    if (isByCost || isDrawn) answer.cost = cost;
    if (isByCost) answer.leastCost ??= cost;
    const isRight = this.#check.isSolution(options) && (!isByCost || cost === links.cost);
    if (!isRight) throw wrongSolution(options);
  }

  /** The best solutions that a search by cost has found. */
  *rest(answer: RecordAnswer, maxSolutions: number): Generator<void, void, void> {
    const links = this.#links;
    if (!(links instanceof CheapestSearch)) return;
    links.endEarly();
    const bound = answer.leastCost ?? links.costBound;
    if (Number.isFinite(bound)) answer.costBound = bound;
    for (let found = links.solutions; ; found = links.solutions) {
      links.run({ ...NO_LIMITS, maxSolutions, pauseAtSolution: true });
      if (links.solutions === found) return;
      yield;
    }
  }

  end(answer: RecordAnswer, requested: number): void {
    const links = this.#links;
    answer.matrixNodes = this.#matrixNodes;
    answer.matrixBytes = links.bytes;
    if (!(links instanceof RandomSolutions)) {
      answer.status = statusCodeOf(answer.stop, answer.solutions, requested);
    } else {
      const { total, solutions } = links;
      if (total !== undefined) answer.stop = Stop.exhausted;
      answer.status = drawStatus(total, solutions, requested);
    }
    if ('release' in links) links.release?.();
  }
}

/**
 * Searches a problem; its answer is complete at the end of the iteration, also if the caller ends it early.
 *
 * If the problem has costs, solutions are steps in the order of their costs. When a budget runs out before the cheapest
 * ones are proven, the best ones so far follow. Counting ignores costs.
 *
 * @throws OutOfTimeError at the deadline
 * @throws Error if a solution is wrong: a defect of the core
 */
export function searchCover(
  problem: ExactCoverProblem,
  limits: PuzzleLimits,
  answer: RecordAnswer,
  { clock, counting, checkAll = false, subproblems, splitRule, below }: CoverSearchOptions,
): Generator<Step, void, void> {
  const each = !counting || checkAll;
  const elsewhere = new Elsewhere(subproblems, { ...limits, each });
  const { maxSolutions } = limits;
  const links =
    below === undefined
      ? openSearch(problem, counting, maxSolutions, elsewhere.openAnswers, splitRule)
      : new RandomSolutions(problem, below);
  return searchRecord(new CoverSearch(problem, links, counting), limits, answer, { clock, each, elsewhere });
}

/**
 * Takes the answer of a search that another thread has begun: the same steps as those of `searchCover`.
 *
 * @param started a search of this problem, with these limits and options
 * @throws OutOfTimeError at the deadline
 */
export function* takeCover(
  problem: ExactCoverProblem,
  started: StartedSearch,
  limits: PuzzleLimits,
  answer: RecordAnswer,
  options: CoverSearchOptions,
): Generator<Step, void, void> {
  try {
    while (started.answer === undefined) {
      if (options.clock.monotonicMs() > limits.deadlineMs) throw new OutOfTimeError();
      yield started.progress();
    }
    if (started.answer === 'given up') {
      yield* searchCover(problem, limits, answer, options);
      return;
    }
    let solutions = 0;
    for (const found of started.answer.solutions) {
      // As if the caller ended the search here.
      const status = statusCodeOf(answer.stop, ++solutions, limits.maxSolutions);
      Object.assign(answer, found, { solutions, status });
      yield 'solution';
    }
    Object.assign(answer, started.answer.end);
  } finally {
    started.close();
  }
}
