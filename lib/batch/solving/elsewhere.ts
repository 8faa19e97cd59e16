/** Searches whose subproblems are searched elsewhere: by other threads (lib/node), or functions (batch/large). */
import type { ExactCoverProblem } from '../../exact-cover/problem.ts';
import type { Frontier } from '../../exact-cover/split/frontier.ts';
import type { OpenAnswers, SubproblemAnswers } from '../../exact-cover/split/split-search.ts';
import type { SubproblemLimits } from '../../exact-cover/split/subproblem-search.ts';

/** A search elsewhere. */
export interface OpenSearch {
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

/** Subproblems that are done, and all of them. */
export interface SubproblemsDone {
  readonly done: number;
  readonly all: number;
}

/** Searches, one after the other, whose subproblems may be searched by other threads or functions. */
export class Elsewhere {
  /** For the searches; undefined if there are no other threads. */
  readonly openAnswers: OpenAnswers | undefined;
  #open: OpenSubproblems | undefined;
  #all = 0;

  /** @param limits of each search, as in its `RunLimits` */
  constructor(solver: SubproblemSolver | undefined, limits: SubproblemLimits) {
    this.openAnswers =
      solver &&
      ((frontier, problem) => {
        this.#open = solver.open(problem, frontier, limits);
        this.#all = frontier.subproblems.length;
        return this.#open;
      });
  }

  /** Resolves once the other threads know more, or after some time. */
  async progress(): Promise<void> {
    await this.#open?.progress();
  }

  /** Undefined if other threads do not search. */
  get subproblems(): SubproblemsDone | undefined {
    return this.#open && { done: this.#open.done, all: this.#all };
  }

  /** Most bytes that they have taken in this process. */
  get bytes(): number {
    return this.#open?.bytes ?? 0;
  }

  /** Milliseconds of searches that ended before this job began. */
  get searchMs(): number {
    return this.#open?.searchMs ?? 0;
  }

  /** Ends what the other threads still search. */
  close(): void {
    this.#open?.close();
    this.#open = undefined;
  }
}
