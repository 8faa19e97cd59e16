/** Has parts of a job searched elsewhere: problems and subproblems by other threads (lib/node), or functions (batch/large). */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import type { Frontier } from '../../exact-cover/split/frontier.ts';
import type { FoundSolution, SplitRule, SubproblemAnswers } from '../../exact-cover/split/split-search.ts';
import type { SubproblemLimits } from '../../exact-cover/split/subproblem-search.ts';
import type { PuzzleLimits } from './drive.ts';
import type { RecordAnswer } from './record-search.ts';

/** A search elsewhere. */
interface OpenSearch {
  /** Resolves once more is known, or after some time. */
  progress(): Promise<void>;
  /** Ends what is still searched. */
  close(): void;
}

/** The answers to the subproblems of a search, from other threads or functions. */
export interface OpenSubproblems extends SubproblemAnswers, OpenSearch {
  /** Milliseconds of searches that ended before this job began. @default 0 */
  readonly searchMs?: number;
}

/** Searches subproblems on several threads, or has the answers of functions. */
export interface SubproblemSolver {
  /** Starts the search of a frontier; another one must be closed before. */
  open(problem: ExactCoverProblem, frontier: Frontier, limits: SubproblemLimits): OpenSubproblems;
}

/** How a problem is searched: as by `searchCover`. */
export interface ProblemRequest {
  readonly limits: PuzzleLimits;
  /** Whether solutions are only counted. */
  readonly counting: boolean;
  /** Whether each solution is a step of the search, even if they are counted. */
  readonly checkAll: boolean;
  readonly splitRule: SplitRule | undefined;
}

/** The whole answer to a problem. */
interface ProblemAnswer {
  readonly end: RecordAnswer;
  /** Each with the counts of the search so far. */
  readonly solutions: Iterable<FoundSolution>;
}

/** A search that another thread has begun. */
export interface StartedSearch extends OpenSearch {
  /** Undefined until it is known; `given up` if all threads have to search the problem, or its solutions are too many to wait. */
  readonly answer: ProblemAnswer | 'given up' | undefined;
}

/** Searches whole problems of an exact-cover file before their turn. */
export interface ProblemSolver {
  /** Threads that do nothing now. */
  readonly idle: number;
  /** Has an idle thread begin the search of a problem without costs. */
  begin(problem: ExactCoverProblem, request: ProblemRequest): StartedSearch;
  /** Resolves after what threads have sent is received. */
  turn(): Promise<void>;
}
