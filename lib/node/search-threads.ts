/**
 * Searches the subproblems of one search on several threads (lib/exact-cover/split), and whole problems before their turn.
 *
 *     job's thread      search, frontier | join 0 | join 1 | join 2 ...      and writes solutions
 *     other threads                      | 0   | 2 | 3     | 5 ...
 *                                        | 1     | 4   | 6 | 7 ...
 *
 * The job's thread only joins, so it is idle when solutions are counted, and there is one thread for each core. They start
 * at the first search that is split, or the first problem before its turn.
 *
 * A thread searches such a problem whole. If it is split, this thread searches its subproblems, and the others help at its
 * turn: the job's thread then searches it up to the split, which takes 0.2 s, and joins what is known.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { ProblemRequest, ProblemSolver, StartedSearch } from '../batch/solving/problem-solver.ts';
import type { OpenSubproblems, SubproblemSolver } from '../batch/solving/subproblem-solver.ts';
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import { searchBytes } from '../exact-cover/search-memory.ts';
import { type Frontier, frontierBytes } from '../exact-cover/split/frontier.ts';
import type { SubproblemLimits } from '../exact-cover/split/subproblem-search.ts';
import {
  type IdleMessage,
  leaveSearch,
  type ProblemMessage,
  type SearchMessage,
  type SubproblemMessage,
  stayInSearch,
} from './search-message.ts';
import { startSolverWorker } from './start-solver-worker.ts';
import { StartedProblem } from './started-problem.ts';
import { ThreadedSearch } from './threaded-search.ts';

/**
 * Bytes of solutions that wait for those of earlier subproblems. Those of the subproblem that is joined may wait in as many
 * more, and a batch of each thread may be above.
 */
const MAX_BYTES = 16 * 2 ** 20;

/** The same for a problem whose turn has not come. */
const AHEAD_BYTES = 2 ** 20;

interface Thread {
  readonly worker: Worker;
  /** Messages that it has not handled yet. */
  pending: number;
}

export class SearchThreads implements SubproblemSolver, ProblemSolver {
  readonly #count: number;
  readonly #maxBytes: number;
  #threads: Thread[] = [];
  /** By id: those whose answers may still arrive. */
  readonly #searches = new Map<
    number,
    { receive(message: SubproblemMessage): void; fail(error: Error): void }
  >();
  /** The controls of problems whose turn has not come. */
  readonly #ahead = new Set<Int32Array>();
  /** The search for which threads have to leave these. */
  #joined: ThreadedSearch | undefined;
  #nextId = 1;

  /**
   * @param count number of threads, 1 or more
   * @param maxBytes bytes of solutions that may wait to be joined
   */
  constructor(count: number, maxBytes = MAX_BYTES) {
    this.#count = count;
    this.#maxBytes = maxBytes;
  }

  get idle(): number {
    const busy = this.#threads.filter(({ pending }) => pending > 0);
    return this.#count - busy.length;
  }

  open(problem: ExactCoverProblem, frontier: Frontier, limits: SubproblemLimits): OpenSubproblems {
    return this.#share(this.#createSearch(this.#maxBytes), problem, frontier, limits);
  }

  begin(problem: ExactCoverProblem, request: ProblemRequest): StartedSearch {
    this.#start();
    const aheadBytes = Math.min(AHEAD_BYTES, this.#maxBytes);
    const whole = this.#createSearch(aheadBytes);
    const subproblems = this.#createSearch(aheadBytes);
    const controls = [whole.control, subproblems.control];
    for (const control of controls) {
      this.#ahead.add(control);
      if (this.#joined !== undefined) leaveSearch(control);
    }
    const started = new StartedProblem(whole, subproblems, {
      join: () => {
        for (const control of controls) {
          this.#ahead.delete(control);
          stayInSearch(control, this.#maxBytes);
        }
      },
      open: (frontier, limits) => this.#share(subproblems, problem, frontier, limits),
    });
    this.#searches.set(whole.id, started);
    const { id, control } = subproblems;
    const message: ProblemMessage = {
      id: whole.id,
      kind: 'problem',
      problem,
      request,
      control: whole.control,
      subproblems: { id, control },
    };
    post(this.#threads.find(({ pending }) => pending === 0) ?? this.#threads[0]!, message);
    return started;
  }

  turn(): Promise<void> {
    return nextTurn();
  }

  async close(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map(({ worker }) => worker.terminate()));
  }

  #createSearch(maxBytes: number): ThreadedSearch {
    const search = new ThreadedSearch(this.#nextId++, maxBytes, () => {
      this.#searches.delete(search.id);
      this.#ahead.delete(search.control);
      if (this.#joined !== search) return;
      this.#joined = undefined;
      for (const control of this.#ahead) stayInSearch(control);
    });
    this.#searches.set(search.id, search);
    return search;
  }

  /** Has all threads search these subproblems, before those of problems whose turn has not come. */
  #share(
    search: ThreadedSearch,
    problem: ExactCoverProblem,
    frontier: Frontier,
    limits: SubproblemLimits,
  ): OpenSubproblems {
    this.#start();
    this.#joined = search;
    for (const control of this.#ahead) leaveSearch(control);
    search.shared(this.#count, searchBytes(problem), frontierBytes(frontier));
    const { id, control } = search;
    const message: SearchMessage = { id, kind: 'search', problem, frontier, limits, control };
    for (const thread of this.#threads) post(thread, message);
    return search;
  }

  #start(): void {
    if (this.#threads.length > 0) return;
    this.#threads = Array.from({ length: this.#count }, () => {
      const thread: Thread = { worker: startSolverWorker({}), pending: 0 };
      thread.worker.on('message', (message: SubproblemMessage | IdleMessage) => {
        if (message.kind === 'idle') thread.pending--;
        else this.#searches.get(message.id)?.receive(message);
      });
      thread.worker.on('error', (error) => this.#fail(error));
      thread.worker.on('exit', () => {
        // `close` ends threads too.
        if (this.#threads.includes(thread)) {
          this.#fail(new Error('a worker thread exited before its subproblems were searched'));
        }
      });
      return thread;
    });
  }

  #fail(error: Error): void {
    for (const search of this.#searches.values()) search.fail(error);
  }
}

function post(thread: Thread, message: SearchMessage | ProblemMessage): void {
  thread.pending++;
  thread.worker.postMessage(message);
}
