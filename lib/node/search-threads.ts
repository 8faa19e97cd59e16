/**
 * Searches the subproblems of one search on several threads (lib/exact-cover/split).
 *
 *     job's thread      search, frontier | join 0 | join 1 | join 2 ...      and writes solutions
 *     other threads                      | 0   | 2 | 3     | 5 ...
 *                                        | 1     | 4   | 6 | 7 ...
 *
 * The job's thread only joins, so it is idle when solutions are counted, and there is one thread for each core. They start
 * at the first search that is split.
 */
import type { Worker } from 'node:worker_threads';
import type { OpenSubproblems, SubproblemSolver } from '../batch/solving/block-solver.ts';
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import { searchBytes } from '../exact-cover/search-memory.ts';
import { type Frontier, frontierBytes, frontierSize } from '../exact-cover/split/frontier.ts';
import type { FoundSolution, SubproblemCounts } from '../exact-cover/split/split-search.ts';
import type { SubproblemLimits } from '../exact-cover/split/subproblem-search.ts';
import {
  batchBytes,
  batchJoined,
  createSearchControl,
  joinsNext,
  type SearchMessage,
  type SolutionBatch,
  type SubproblemMessage,
  stopSearch,
} from './search-message.ts';
import { startSolverWorker } from './start-solver-worker.ts';

/**
 * Bytes of solutions that wait for those of earlier subproblems. Those of the subproblem that is joined may wait in as many
 * more, and a batch of each thread may be above.
 */
const MAX_BYTES = 16 * 2 ** 20;

/** Maximum time of a wait for an answer, so that deadlines are seen. */
const WAIT_MS = 50;

export class SearchThreads implements SubproblemSolver {
  readonly #count: number;
  readonly #maxBytes: number;
  #threads: Worker[] = [];
  #search: ThreadedSearch | undefined;
  #nextId = 1;

  /**
   * @param count number of threads, 1 or more
   * @param maxBytes bytes of solutions that may wait to be joined
   */
  constructor(count: number, maxBytes = MAX_BYTES) {
    this.#count = count;
    this.#maxBytes = maxBytes;
  }

  open(problem: ExactCoverProblem, frontier: Frontier, limits: SubproblemLimits): OpenSubproblems {
    if (this.#threads.length === 0) this.#start();
    const search = new ThreadedSearch(
      this.#nextId++,
      frontier,
      searchBytes(problem),
      this.#count,
      this.#maxBytes,
    );
    this.#search = search;
    const { id, control } = search;
    const message: SearchMessage = { id, kind: 'search', problem, frontier, limits, control };
    for (const thread of this.#threads) thread.postMessage(message);
    return search;
  }

  async close(): Promise<void> {
    const threads = this.#threads;
    this.#threads = [];
    await Promise.all(threads.map((thread) => thread.terminate()));
  }

  #start(): void {
    this.#threads = Array.from({ length: this.#count }, () => {
      const thread = startSolverWorker({});
      thread.on('message', (message: SubproblemMessage) => this.#search?.receive(message));
      thread.on('error', (error) => this.#search?.fail(error));
      thread.on('exit', () => {
        // `close` ends threads too.
        if (this.#threads.includes(thread)) {
          this.#search?.fail(new Error('a worker thread exited before its subproblems were searched'));
        }
      });
      return thread;
    });
  }
}

/** A batch that is being joined. */
interface Joining {
  readonly batch: SolutionBatch;
  /** The next solution, and its first option. */
  solution: number;
  option: number;
}

class ThreadedSearch implements OpenSubproblems {
  readonly id: number;
  readonly control: Int32Array;
  done = 0;
  /** By subproblem: batches that are not joined yet, and counts once they are known. */
  readonly #batches: SolutionBatch[][];
  readonly #counts: (SubproblemCounts | undefined)[];
  #joining: Joining | undefined;
  #error: Error | undefined;
  #wake = () => {};
  readonly #threads: number;
  readonly #frontierBytes: number;
  /** Most bytes of the links of a thread. */
  #linkBytes: number;
  /** Bytes of batches that are received and not joined, and the most so far. */
  #waitingBytes = 0;
  #mostWaiting = 0;

  /** @param linkBytes of a thread, without learned clauses */
  constructor(id: number, frontier: Frontier, linkBytes: number, threads: number, maxBytes: number) {
    const size = frontierSize(frontier);
    this.id = id;
    this.#threads = threads;
    this.#frontierBytes = frontierBytes(frontier);
    this.#linkBytes = linkBytes;
    this.control = createSearchControl(maxBytes);
    this.#batches = Array.from({ length: size }, () => []);
    this.#counts = Array.from({ length: size }, () => undefined);
  }

  /** Each thread has its own links and a copy of the frontier; as if all had learnt as many clauses as the one with the most. */
  get bytes(): number {
    return this.#threads * (this.#linkBytes + this.#frontierBytes) + this.#mostWaiting;
  }

  take(index: number): FoundSolution | SubproblemCounts | undefined {
    if (this.#error !== undefined) throw this.#error;
    joinsNext(this.control, index);
    this.#joining ??= nextBatch(this.#batches[index]!);
    return this.#joining === undefined ? this.#counts[index] : this.#takeSolution(this.#joining);
  }

  progress(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, WAIT_MS);
    this.#wake = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }

  close(): void {
    stopSearch(this.control);
  }

  receive(message: SubproblemMessage): void {
    if (message.id !== this.id) return;
    if (message.kind === 'failed') this.#error ??= message.error;
    else if (message.kind === 'solutions') {
      this.#batches[message.index]!.push(message.batch);
      this.#waitingBytes += batchBytes(message.batch);
      this.#mostWaiting = Math.max(this.#mostWaiting, this.#waitingBytes);
    } else {
      this.#linkBytes = Math.max(this.#linkBytes, message.bytes);
      this.#counts[message.index] = message.counts;
      this.done++;
    }
    this.#wake();
  }

  fail(error: Error): void {
    this.#error ??= error;
    this.#wake();
  }

  #takeSolution(joining: Joining): FoundSolution {
    const { batch, solution, option } = joining;
    const { options, lengths, counts } = batch;
    const end = option + lengths[solution]!;
    joining.option = end;
    joining.solution++;
    if (joining.solution === lengths.length) {
      this.#joining = undefined;
      this.#waitingBytes -= batchBytes(batch);
      batchJoined(this.control, batch);
    }
    const [nodes, guesses, updates] = counts.subarray(3 * solution, 3 * solution + 3);
    return { options: options.subarray(option, end), nodes: nodes!, guesses: guesses!, updates: updates! };
  }
}

function nextBatch(batches: SolutionBatch[]): Joining | undefined {
  const batch = batches.shift();
  return batch && { batch, solution: 0, option: 0 };
}
