/** Searches, one after the other, whose subproblems may be searched by other threads or functions. */
import type { OpenAnswers } from '../../exact-cover/split/split-search.ts';
import type { SubproblemLimits } from '../../exact-cover/split/subproblem-search.ts';
import type { OpenSubproblems, SubproblemSolver } from './subproblem-solver.ts';

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

  /** Subproblems that are done, and all of them; undefined if other threads do not search. */
  get subproblems(): { readonly done: number; readonly all: number } | undefined {
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
