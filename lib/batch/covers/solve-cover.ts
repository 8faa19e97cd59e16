/** Searches one exact-cover problem with the general core, within budgets: solution by solution, or counting them. */

import { CheapestSearch } from '../../exact-cover/costs/cheapest-search.ts';
import { CountingSearch } from '../../exact-cover/counting-search.ts';
import { openSearch, type SolutionSearch } from '../../exact-cover/open-search.ts';
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import { type DrawBelow, RandomSolutions } from '../../exact-cover/random-solutions.ts';
import { type SplitRule, SplitSearch, type SubproblemCounts } from '../../exact-cover/split/split-search.ts';
import { Stop } from '../../sudoku/engine.ts';
import type { Clock } from '../ports.ts';
import { drive, OutOfTimeError, type PuzzleLimits, type Step } from '../solving/drive.ts';
import { Elsewhere } from '../solving/elsewhere.ts';
import type { ProblemPart, StartedSearch } from '../solving/problem-solver.ts';
import { drawStatus, statusCodeOf } from '../solving/puzzle-status.ts';
import type { SubproblemSolver } from '../solving/subproblem-solver.ts';
import type { CoverAnswer } from './cover-answer.ts';
import { CoverCheck } from './cover-check.ts';

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

/** A search that another thread has split. */
type SplitPart = Extract<ProblemPart, { readonly kind: 'split' }>;

/**
 * Searches a problem; its answer is complete at the end of the iteration, also if the caller ends it early.
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
  { clock, counting, checkAll = false, subproblems, splitRule, below }: CoverSearchOptions,
  begun?: SplitPart,
): Generator<Step, void, void> {
  const { maxSolutions } = limits;
  const each = !counting || checkAll;
  const elsewhere = new Elsewhere(subproblems, { ...limits, each });
  const { frontier, counts: begunCounts, countBytes = 0, solveUs = 0 } = begun?.split ?? {};
  const links: SolutionSearch =
    begun !== undefined
      ? SplitSearch.continued(
          problem,
          maxSolutions,
          frontier!,
          begunCounts as SubproblemCounts,
          begun.answers,
        )
      : below === undefined
        ? openSearch(problem, counting, maxSolutions, elsewhere.openAnswers, splitRule)
        : new RandomSolutions(problem, below);
  const progress = begun === undefined ? elsewhere.progress : () => begun.answers.progress();
  const cheapest = links instanceof CheapestSearch ? links : undefined;
  const search = counting && begun === undefined ? new CountingSearch(links, () => ({ problem })) : links;
  const check = new CoverCheck(problem);
  const time = { ms: solveUs / 1000 };
  answer.matrixNodes = links.nodeCount;
  answer.stop = Stop.nodeLimit;
  try {
    const steps = drive(search, limits, { clock, each, progress }, time);
    for (let checked = links.solutions; ; ) {
      const next = steps.next();
      const { solutions, nodes, guesses, updates } = search;
      Object.assign(answer, { solutions, nodes, guesses, updates });
      answer.solveUs = time.ms * 1000;
      answer.countBytes = 'memoBytes' in search ? search.memoBytes : countBytes;
      answer.subproblems = links.subproblems;
      if (links.solutions > checked) readSolution(links, check, answer);
      checked = links.solutions;
      if (next.done === true) {
        answer.stop = next.value;
        break;
      }
      yield next.value;
    }
    if (cheapest !== undefined && answer.stop === Stop.nodeLimit) {
      yield* bestSoFar(cheapest, maxSolutions, check, answer);
    }
  } finally {
    answer.matrixBytes = links.bytes;
    answer.solveUs += elsewhere.searchMs * 1000;
    answer.searchBytes = links.bytes + (links.elsewhereBytes ?? 0) + answer.countBytes;
    if (links instanceof RandomSolutions) endDraws(links, maxSolutions, answer);
    else answer.status = statusCodeOf(answer.stop, answer.solutions, maxSolutions);
    elsewhere.close();
    if ('release' in links) links.release?.();
  }
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
  answer: CoverAnswer,
  options: CoverSearchOptions,
): Generator<Step, void, void> {
  let taken = 0;
  answer.stop = Stop.nodeLimit;
  try {
    for (let part = started.take(); ; part = started.take()) {
      if (options.clock.monotonicMs() > limits.deadlineMs) throw new OutOfTimeError();
      if (part === undefined) {
        Object.assign(answer, started.counts);
        yield started.progress();
      } else if (part.kind === 'end') {
        Object.assign(answer, part.end);
        return;
      } else if (part.kind === 'split') {
        yield* searchCover(problem, limits, answer, options, part);
        return;
      } else {
        const { options: found, nodes, guesses, updates } = part;
        // As if the caller ended the search here.
        answer.status = statusCodeOf(answer.stop, ++taken, limits.maxSolutions);
        Object.assign(answer, { options: found, solutions: taken, nodes, guesses, updates });
        yield 'solution';
      }
    }
  } finally {
    started.close();
  }
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
): Generator<Step, void, void> {
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

function readSolution(search: SolutionSearch, check: CoverCheck, answer: CoverAnswer): void {
  const options = search.selected.slice(0, search.selectedCount).sort();
  answer.options = options;
  const isByCost = search instanceof CheapestSearch;
  if (isByCost) {
    answer.cost = search.cost;
    answer.leastCost ??= search.cost;
  } else if (search instanceof RandomSolutions) answer.cost = check.costOf(options, options.length);
  const isCostRight = !isByCost || check.costOf(options, options.length) === search.cost;
  if (isCostRight && check.isSolution(options, options.length)) return;
  throw new Error(
    `the core returned a wrong solution: a defect of the core; no result is written (options: ${options.join(' ')})`,
  );
}
