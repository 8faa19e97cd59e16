/** Searches whole problems of an exact-cover file on other threads, before their turn; by lib/node. */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import type { Frontier } from '../../exact-cover/split/frontier.ts';
import type { FoundSolution, SplitRule } from '../../exact-cover/split/split-search.ts';
import type { PuzzleLimits } from './drive.ts';
import type { RecordAnswer, SearchCounts } from './record-search.ts';
import type { OpenSubproblems } from './subproblem-solver.ts';

/** How a problem is searched: as by `searchCover`. */
export interface ProblemRequest {
  readonly limits: PuzzleLimits;
  /** Whether solutions are only counted. */
  readonly counting: boolean;
  /** Whether each solution is a step of the search, even if they are counted. */
  readonly checkAll: boolean;
  readonly splitRule: SplitRule | undefined;
}

/** A solution; its counts are those of the search so far. */
export interface ProblemSolution extends FoundSolution {
  readonly kind: 'solution';
}

/** The end of a search: what is known of the problem. */
export type ProblemEnd = Omit<RecordAnswer, 'options' | 'subproblems'>;

/** A search that is split, and its subproblems. */
export interface ProblemSplit {
  readonly frontier: Frontier;
  /** Of all that was searched before it. */
  readonly counts: SearchCounts;
  readonly countBytes: number;
  readonly solveUs: number;
}

/** The next part of an answer. */
export type ProblemPart =
  | ProblemSolution
  | { readonly kind: 'end'; readonly end: ProblemEnd }
  /** The search goes on with the answers to its subproblems. */
  | { readonly kind: 'split'; readonly split: ProblemSplit; readonly answers: OpenSubproblems };

/** A search that another thread has begun. */
export interface StartedSearch {
  /** The counts of the search when its thread last reported them. */
  readonly counts: SearchCounts;
  /** Takes the next part of the answer; undefined if nothing more is known yet. Called at the turn of the problem, not before. */
  take(): ProblemPart | undefined;
  /** Resolves once more is known, or after some time. */
  progress(): Promise<void>;
  /** Ends the search. */
  close(): void;
}

export interface ProblemSolver {
  /** Threads that do nothing now. */
  readonly idle: number;
  /** Has an idle thread begin the search of a problem without costs. */
  begin(problem: ExactCoverProblem, request: ProblemRequest): StartedSearch;
  /** Resolves after what threads have sent is received. */
  turn(): Promise<void>;
}
