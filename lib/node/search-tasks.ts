/**
 * Problems, and the subproblems of searches that are split (lib/exact-cover/split), as tasks for threads.
 *
 *     job's thread      search, frontier | join 0 | join 1 | join 2 ...      and writes solutions
 *     other threads                      | 0   | 2 | 3     | 5 ...
 *                                        | 1     | 4   | 6 | 7 ...
 *
 * Answers are joined in the order of the input, so those of later tasks wait in memory. Each task may have some batches of
 * solutions that are not joined yet, the one that is joined now more; and no later task is given while too many bytes wait.
 *
 * A thread searches a problem whole. If its search is split, its subproblems are tasks for all threads, before those of later
 * problems.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  ProblemPart,
  ProblemRequest,
  ProblemSolver,
  StartedSearch,
} from '../batch/solving/problem-solver.ts';
import type { SearchCounts } from '../batch/solving/record-search.ts';
import type { OpenSubproblems, SubproblemSolver } from '../batch/solving/subproblem-solver.ts';
import type { Reply, Task, TaskSource, Thread, ThreadPool } from '../batch/solving/thread-pool.ts';
import type { ExactCoverProblem } from '../exact-cover/problem.ts';
import { searchBytes } from '../exact-cover/search-memory.ts';
import { type Frontier, frontierBytes } from '../exact-cover/split/frontier.ts';
import type { FoundSolution, SubproblemCounts } from '../exact-cover/split/split-search.ts';
import type { SubproblemLimits } from '../exact-cover/split/subproblem-search.ts';
import { batchSize, type SearchKnown, type SearchOpening, type SolutionBatch } from './serve-searches.ts';

/** Bytes of solutions that wait for those of earlier tasks. Those of the task that is joined may wait in as many more. */
const MAX_BYTES = 16 * 2 ** 20;
/** The same for a problem whose turn has not come. */
const AHEAD_BYTES = 2 ** 20;
/** Bytes of a batch, at most about. */
const BATCH_BYTES = 128 * 1024;

/** Maximum time of a wait for an answer, so that deadlines are seen. */
const WAIT_MS = 50;

/** The counts of a subproblem that no thread searches: too many for every joiner, which searches it itself. */
const SEARCHED_HERE: SubproblemCounts = {
  solutions: Number.POSITIVE_INFINITY,
  nodes: Number.POSITIVE_INFINITY,
  guesses: 0,
  updates: 0,
};

/** A task, and what is known of it. */
class SearchTask implements Task {
  id: number | undefined;
  readonly message: object;
  readonly #thread: Thread;
  readonly #batches: SolutionBatch[] = [];
  /** The next solution of the first batch, and its first option. */
  #solution = 0;
  #option = 0;
  readonly #onKnown: (known: SearchKnown | undefined, error: unknown) => void;

  constructor(
    message: object,
    thread: Thread,
    onKnown: (known: SearchKnown | undefined, error: unknown) => void,
  ) {
    this.message = message;
    this.#thread = thread;
    this.#onKnown = onKnown;
  }

  receive({ known, error }: Reply): void {
    const each = known as SearchKnown | undefined;
    if (each?.batch !== undefined) this.#batches.push(each.batch);
    this.#onKnown(each, error);
  }

  /** Takes the next solution; undefined if none is here. */
  take(onTaken: (batch: SolutionBatch) => void): FoundSolution | undefined {
    const batch = this.#batches[0];
    if (batch === undefined) return undefined;
    const { options, lengths, counts } = batch;
    const from = this.#option;
    this.#option += lengths[this.#solution]!;
    const [nodes, guesses, updates] = counts.subarray(3 * this.#solution, 3 * this.#solution + 3);
    const found = { options: options.subarray(from, this.#option), nodes, guesses, updates };
    if (++this.#solution === lengths.length) {
      this.#batches.shift();
      this.#solution = this.#option = 0;
      this.allow(batchSize(batch));
      onTaken(batch);
    }
    return found as FoundSolution;
  }

  /** Allows more batches that are not joined. */
  allow(batches: number): void {
    this.#thread.post({ kind: 'allow', id: this.id, batches });
  }

  stop(): void {
    this.#thread.post({ kind: 'stop', id: this.id });
  }
}

/** Waits for threads. */
class Waiting {
  wake = () => {};
  error: unknown;

  fail(error: unknown): void {
    this.error ??= error;
    this.wake();
  }

  /** Resolves once more is known, or after some time. */
  progress(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, WAIT_MS);
    this.wake = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  }
}

/** The subproblems of a search. */
class SubproblemTasks extends Waiting implements OpenSubproblems, TaskSource {
  done = 0;
  /** Bytes of solutions that may wait. */
  maxBytes: number;
  readonly #pool: ThreadPool;
  readonly #threads: number;
  /** What a thread needs of it, and how many subproblems it has. */
  readonly #opening: SearchOpening;
  readonly #size: number;
  /** By subproblem: its task, and its counts once they are known. */
  readonly #tasks: (SearchTask | undefined)[] = [];
  readonly #counts: (SubproblemCounts | undefined)[] = [];
  /** The next one to give to a thread, and the one that is joined. */
  #next = 0;
  #joined = -1;
  /** The subproblem that was asked for and had no thread. */
  #missed = -1;
  /** Most bytes of the links of a thread, and bytes of solutions that wait, and the most so far. */
  #linkBytes: number;
  #waitingBytes = 0;
  #mostWaiting = 0;
  readonly #onClose: () => void;

  constructor(
    pool: ThreadPool,
    threads: number,
    maxBytes: number,
    opening: SearchOpening,
    onClose: () => void,
  ) {
    super();
    this.#pool = pool;
    this.#threads = threads;
    this.maxBytes = maxBytes;
    this.#opening = opening;
    this.#size = opening.frontier.subproblems.length;
    this.#linkBytes = searchBytes(opening.problem);
    this.#onClose = onClose;
  }

  /** Each thread has its own links and a copy of the frontier; as if all had learnt as many clauses as the one with the most. */
  get bytes(): number {
    return this.#threads * (this.#linkBytes + frontierBytes(this.#opening.frontier)) + this.#mostWaiting;
  }

  take(index: number): FoundSolution | SubproblemCounts | undefined {
    if (this.error !== undefined) throw this.error;
    const task = this.#tasks[index];
    if (this.#joined !== index) {
      this.#joined = index;
      this.#tasks[index - 1] = undefined;
      // As many again as wait elsewhere.
      task?.allow(Math.ceil(this.maxBytes / BATCH_BYTES));
    }
    if (index === this.#next) {
      const hasWaited = this.#missed === index;
      this.#missed = index;
      if (!hasWaited) return undefined;
      // All threads have tasks of later problems, and may wait until these are joined.
      this.#next++;
      this.done++;
      return SEARCHED_HERE;
    }
    const found = task?.take((batch) => {
      this.#waitingBytes -= batchBytes(batch);
      this.#pool.give();
    });
    return found ?? this.#counts[index];
  }

  next(thread: Thread): Task | undefined {
    const index = this.#next;
    if (thread.tasks.size > 0 || index === this.#size) return undefined;
    const isJoined = index <= this.#joined;
    if (this.#waitingBytes > this.maxBytes / 2 && !isJoined) return undefined;
    this.#next++;
    const opening = thread.latest === this ? undefined : this.#opening;
    thread.latest = this;
    const perTask = Math.floor(this.maxBytes / 2 / this.#threads / BATCH_BYTES);
    const batches = Math.max(1, isJoined ? Math.ceil(this.maxBytes / BATCH_BYTES) : perTask);
    const message = { kind: 'subproblem', index, batches, opening };
    const task = new SearchTask(message, thread, (known, error) => this.#receive(index, known, error));
    this.#tasks[index] = task;
    return task;
  }

  close(): void {
    this.#onClose();
    for (const [index, task] of this.#tasks.entries()) if (this.#counts[index] === undefined) task?.stop();
  }

  #receive(index: number, known: SearchKnown | undefined, error: unknown): void {
    if (error !== undefined) this.fail(error);
    if (known?.batch !== undefined) {
      this.#waitingBytes += batchBytes(known.batch);
      this.#mostWaiting = Math.max(this.#mostWaiting, this.#waitingBytes);
    }
    if (known?.counts !== undefined) {
      this.#counts[index] = known.counts as SubproblemCounts;
      this.#linkBytes = Math.max(this.#linkBytes, known.bytes ?? 0);
      this.done++;
    }
    this.wake();
  }
}

/** A problem that a thread searches before its turn. */
class StartedProblem extends Waiting implements StartedSearch, TaskSource {
  counts: SearchCounts = { solutions: 0, nodes: 0, guesses: 0, updates: 0 };
  readonly #problem: ExactCoverProblem;
  readonly #request: ProblemRequest;
  readonly #maxBytes: number;
  readonly #openSubproblems: (frontier: Frontier, limits: SubproblemLimits) => SubproblemTasks;
  readonly #onClose: () => void;
  #task: SearchTask | undefined;
  #end: ProblemPart | undefined;
  #subproblems: SubproblemTasks | undefined;
  #isJoined = false;

  constructor(
    problem: ExactCoverProblem,
    request: ProblemRequest,
    maxBytes: number,
    openSubproblems: (frontier: Frontier, limits: SubproblemLimits) => SubproblemTasks,
    onClose: () => void,
  ) {
    super();
    this.#problem = problem;
    this.#request = request;
    this.#maxBytes = maxBytes;
    this.#openSubproblems = openSubproblems;
    this.#onClose = onClose;
  }

  /** Whether no thread searches it yet. */
  get isUntaken(): boolean {
    return this.#task === undefined;
  }

  take(): ProblemPart | undefined {
    if (this.error !== undefined) throw this.error;
    if (!this.#isJoined) {
      this.#isJoined = true;
      this.#task?.allow(Math.ceil(this.#maxBytes / BATCH_BYTES));
      if (this.#subproblems !== undefined) this.#subproblems.maxBytes = this.#maxBytes;
    }
    const found = this.#task?.take(() => {});
    return found === undefined ? this.#end : { kind: 'solution', ...found };
  }

  next(thread: Thread): Task | undefined {
    if (this.#task !== undefined) return this.#subproblems?.next(thread);
    if (thread.tasks.size > 0) return undefined;
    const bytes = Math.min(AHEAD_BYTES, this.#maxBytes);
    const batches = Math.max(1, Math.floor(bytes / BATCH_BYTES));
    const message = { kind: 'problem', problem: this.#problem, request: this.#request, batches };
    this.#task = new SearchTask(message, thread, (known, error) => this.#receive(known, error));
    return this.#task;
  }

  close(): void {
    this.#onClose();
    if (this.#end === undefined) this.#task?.stop();
    this.#subproblems?.close();
  }

  override fail(error: unknown): void {
    super.fail(error);
    this.#subproblems?.fail(error);
  }

  #receive(known: SearchKnown | undefined, error: unknown): void {
    if (error !== undefined) this.fail(error);
    if (known?.counts !== undefined) this.counts = known.counts;
    if (known?.end !== undefined) this.#end = { kind: 'end', end: known.end };
    if (known?.split !== undefined) {
      const { limits, counting, checkAll } = this.#request;
      const { maxSolutions, maxNodes } = limits;
      const each = !counting || checkAll;
      const answers = this.#openSubproblems(known.split.frontier, { maxSolutions, maxNodes, each });
      if (this.#isJoined) answers.maxBytes = this.#maxBytes;
      this.#subproblems = answers;
      this.#end = { kind: 'split', split: known.split, answers };
    }
    this.wake();
  }
}

export class SearchTasks implements SubproblemSolver, ProblemSolver {
  readonly #pool: ThreadPool;
  readonly #count: number;
  readonly #maxBytes: number;
  readonly #started = new Set<StartedProblem>();

  /**
   * @param count number of threads, 1 or more: the job's own thread only joins
   * @param maxBytes bytes of solutions that may wait to be joined
   */
  constructor(pool: ThreadPool, count: number, maxBytes = MAX_BYTES) {
    this.#pool = pool;
    this.#count = count;
    this.#maxBytes = maxBytes;
  }

  get idle(): number {
    const busy = this.#pool.threads.filter(({ tasks }) => tasks.size > 0);
    const untaken = [...this.#started].filter(({ isUntaken }) => isUntaken);
    return this.#count - busy.length - untaken.length;
  }

  open(problem: ExactCoverProblem, frontier: Frontier, limits: SubproblemLimits): OpenSubproblems {
    const search = this.#create(this.#maxBytes, problem, frontier, limits);
    // Its answers are the next ones that the job needs.
    this.#pool.sources.unshift(search);
    this.#give();
    return search;
  }

  begin(problem: ExactCoverProblem, request: ProblemRequest): StartedSearch {
    const started: StartedProblem = new StartedProblem(
      problem,
      request,
      this.#maxBytes,
      (frontier, limits) => this.#create(Math.min(AHEAD_BYTES, this.#maxBytes), problem, frontier, limits),
      () => {
        this.#started.delete(started);
        this.#remove(started);
      },
    );
    this.#started.add(started);
    this.#pool.sources.push(started);
    this.#give();
    return started;
  }

  turn(): Promise<void> {
    return nextTurn();
  }

  #create(
    maxBytes: number,
    problem: ExactCoverProblem,
    frontier: Frontier,
    limits: SubproblemLimits,
  ): SubproblemTasks {
    const search: SubproblemTasks = new SubproblemTasks(
      this.#pool,
      this.#count,
      maxBytes,
      { problem, frontier, limits },
      () => this.#remove(search),
    );
    return search;
  }

  #give(): void {
    this.#pool.start(this.#count);
    if (this.#pool.failure !== undefined) throw this.#pool.failure;
    this.#pool.give();
  }

  #remove(source: TaskSource): void {
    const { sources } = this.#pool;
    const at = sources.indexOf(source);
    if (at >= 0) sources.splice(at, 1);
  }
}

function batchBytes({ options, lengths, counts }: SolutionBatch): number {
  return options.byteLength + lengths.byteLength + counts.byteLength;
}
