/** A problem that a thread has begun to search before its turn. */
import type {
  ProblemCounts,
  ProblemEnd,
  ProblemSolution,
  StartedSearch,
} from '../batch/solving/problem-solver.ts';
import type { OpenSubproblems } from '../batch/solving/subproblem-solver.ts';
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import type { Frontier } from '../exact-cover/split/frontier.ts';
import type { SubproblemLimits } from '../exact-cover/split/subproblem-search.ts';
import type { SubproblemMessage } from './search-message.ts';
import type { ThreadedSearch } from './threaded-search.ts';

/** What the threads do for a problem. */
export interface ProblemThreads {
  /** Says that its turn has come. */
  readonly join: () => void;
  /** Has them search its subproblems. */
  readonly open: (frontier: Frontier, limits: SubproblemLimits) => OpenSubproblems;
}

/** Until it is split, it is as a search with one subproblem. */
export class StartedProblem implements StartedSearch {
  counts: ProblemCounts = { solutions: 0, nodes: 0, guesses: 0, updates: 0 };
  readonly #whole: ThreadedSearch;
  readonly #subproblems: ThreadedSearch;
  readonly #threads: ProblemThreads;
  #isJoined = false;
  #isUnfinished = false;
  #end: ProblemEnd | undefined;

  constructor(whole: ThreadedSearch, subproblems: ThreadedSearch, threads: ProblemThreads) {
    this.#whole = whole;
    this.#subproblems = subproblems;
    this.#threads = threads;
  }

  open(_problem: ExactCoverProblem, frontier: Frontier, limits: SubproblemLimits): OpenSubproblems {
    return this.#threads.open(frontier, limits);
  }

  take(): ProblemSolution | { readonly kind: 'end'; readonly end: ProblemEnd } | 'unfinished' | undefined {
    if (!this.#isJoined) this.#threads.join();
    this.#isJoined = true;
    const found = this.#whole.takeSolution(0);
    if (found !== undefined) return { kind: 'solution', ...found };
    if (this.#isUnfinished) return 'unfinished';
    return this.#end && { kind: 'end', end: this.#end };
  }

  progress(): Promise<void> {
    return this.#whole.progress();
  }

  close(): void {
    this.#whole.close();
    this.#subproblems.close();
  }

  receive(message: SubproblemMessage): void {
    if (message.kind === 'searching') this.counts = message.counts;
    else if (message.kind === 'unfinished') this.#isUnfinished = true;
    else if (message.kind === 'ended') this.#end = message.end;
    else if (message.kind === 'failed') this.#subproblems.fail(message.error);
    this.#whole.receive(message);
  }

  fail(error: Error): void {
    this.#whole.fail(error);
    this.#subproblems.fail(error);
  }
}
