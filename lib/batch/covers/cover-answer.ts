/** The answer to an exact-cover problem. */
import type { SolutionCount } from '../../exact-cover/solution-count.ts';
import { Stop } from '../../sudoku/engine.ts';
import type { ProblemEnd } from '../solving/problem-solver.ts';

/** The answer to a problem; updated during the search. */
export class CoverAnswer implements ProblemEnd {
  /** A `StatusCode`, set at the end of the search. */
  status = 0;
  /** A `Stop`. */
  stop: number = Stop.slice;
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
  /** Most bytes that the search has taken, with memoised counting and other threads; set at its end. */
  searchBytes = 0;
  /** The options of the latest solution, in the order of the file. */
  options = new Int32Array(0);
  /** The cost of the latest solution, and of the first one, which is the cheapest; undefined without costs. */
  cost: number | undefined;
  leastCost: number | undefined;
  /** Random solutions so far; undefined if none are requested. */
  drawn: number | undefined;
  /** No solution costs less; set if the budget ran out before the solutions were proven to be the cheapest. */
  costBound: number | undefined;

  /** Subproblems that are done, and all of them; undefined if the search is not split. */
  subproblems: { readonly done: number; readonly all: number } | undefined;
}
