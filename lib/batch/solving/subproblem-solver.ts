/** Has the subproblems of a search searched elsewhere: by other threads (lib/node), or functions (batch/large). */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import type { Frontier } from '../../exact-cover/split/frontier.ts';
import type { SubproblemAnswers } from '../../exact-cover/split/split-search.ts';
import type { SubproblemLimits } from '../../exact-cover/split/subproblem-search.ts';

/** The answers to the subproblems of a search, from other threads or functions. */
export interface OpenSubproblems extends SubproblemAnswers {
  /** Milliseconds of searches that ended before this job began. @default 0 */
  readonly searchMs?: number;
  /** Resolves once more is known, or after some time. */
  progress(): Promise<void>;
  /** Ends the search of those that are left. */
  close(): void;
}

/** Searches subproblems on several threads, or has the answers of functions. */
export interface SubproblemSolver {
  /** Starts the search of a frontier; another one must be closed before. */
  open(problem: ExactCoverProblem, frontier: Frontier, limits: SubproblemLimits): OpenSubproblems;
}
