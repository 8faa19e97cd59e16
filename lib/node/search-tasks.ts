/**
 * Problems, and the subproblems of searches that are split (lib/exact-cover/split), as tasks for threads.
 *
 *     job's thread      search, frontier | join 0 | join 1 | join 2 ...      and writes solutions
 *     other threads                      | 0   | 2 | 3     | 5 ...
 *                                        | 1     | 4   | 6 | 7 ...
 *
 * Answers are joined in the order of the input, so those of later tasks wait in memory. Each subproblem may have some batches of
 * solutions that are not joined yet, the one that is joined now more; and no later one is given while too many bytes wait. A
 * thread searches a problem whole, and gives it up if its search is split, or has too many solutions.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SubproblemSolver } from '../batch/solving/elsewhere.ts';
import type { ProblemSolver, StartedSearch } from '../batch/solving/problems-ahead.ts';
import type { Task, TaskSource, ThreadPool } from '../batch/solving/thread-pool.ts';
import type { SearchCounts } from '../exact-cover/search.ts';
import { searchBytes } from '../exact-cover/search-memory.ts';
import { frontierBytes } from '../exact-cover/split/frontier.ts';
import type { FoundSolution } from '../exact-cover/split/split-search.ts';
import {
  batchSize,
  type ProblemMessage,
  type SearchKnown,
  type SolutionBatch,
  type SubproblemMessage,
} from './serve-searches.ts';

/** Bytes of solutions that wait for those of earlier subproblems. Those of the one that is joined may wait in as many more. */
const MAX_BYTES = 16 * 2 ** 20;
/** Bytes of a batch, at most about. */
const BATCH_BYTES = 128 * 1024;

/** Maximum time of a wait for an answer, so that deadlines are seen. */
const WAIT_MS = 50;

/** The counts of a subproblem that no thread searches: too many for every joiner, which searches it itself. */
const SEARCHED_HERE: SearchCounts = {
  solutions: Number.POSITIVE_INFINITY,
  nodes: Number.POSITIVE_INFINITY,
  guesses: 0,
  updates: 0,
};

/** A subproblem that a thread has got, and what is known of it. */
interface SubproblemTask extends Task {
  readonly batches: SolutionBatch[];
  /** Reads the first batch. */
  solutions?: Iterator<FoundSolution> | undefined;
  counts?: SearchCounts;
}

/**
 * @param threads number of threads, 1 or more: the job's own thread only joins
 * @param maxBytes bytes of solutions that may wait to be joined
 */
export function searchTasks(
  pool: ThreadPool,
  threads: number,
  maxBytes = MAX_BYTES,
): SubproblemSolver & ProblemSolver {
  const maxBatches = Math.ceil(maxBytes / BATCH_BYTES);
  let wake = () => {};
  let failure: unknown;
  /** Problems that no thread has got yet. */
  let untaken = 0;

  const fail = (error: unknown) => {
    failure ??= error;
    wake();
  };
  const progress = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, WAIT_MS);
    wake = () => {
      clearTimeout(timer);
      resolve();
    };
    return promise;
  };
  const start = () => {
    pool.start(threads);
    if (pool.failure !== undefined) throw pool.failure;
    pool.give();
  };
  const remove = (source: TaskSource) => {
    const at = pool.sources.indexOf(source);
    if (at >= 0) pool.sources.splice(at, 1);
  };
  const stop = (task: Task | undefined) => task?.post?.({ kind: 'stop' });

  return {
    get idle() {
      return threads - pool.threads.filter(({ tasks }) => tasks.size > 0).length - untaken;
    },

    turn: () => nextTurn(),

    open(problem, frontier, limits) {
      const opening = { problem, frontier, limits };
      const size = frontier.subproblems.length;
      const tasks: (SubproblemTask | undefined)[] = [];
      /** The next one to give to a thread, the one that is joined, and the one that was asked for and had no thread. */
      let given = 0;
      let joined = -1;
      let missed = -1;
      let done = 0;
      /** Most bytes of the links of a thread; bytes of solutions that wait, and the most so far. */
      let linkBytes = searchBytes(problem);
      let waitingBytes = 0;
      let mostWaiting = 0;
      const allow = (task: SubproblemTask | undefined, batches: number) => {
        if (task?.counts === undefined) task?.post?.({ kind: 'allow', batches });
      };

      /** The next solution of a subproblem that is here. */
      const nextSolution = (task: SubproblemTask): FoundSolution | undefined => {
        for (let [batch] = task.batches; batch !== undefined; [batch] = task.batches) {
          task.solutions ??= solutionsIn(batch)[Symbol.iterator]();
          const next = task.solutions.next();
          if (next.done !== true) return next.value;
          task.solutions = undefined;
          task.batches.shift();
          allow(task, batchSize(batch));
          waitingBytes -= batchBytes(batch);
          pool.give();
        }
        return undefined;
      };

      const source: TaskSource = {
        fail,
        next(thread) {
          const index = given;
          if (thread.tasks.size > 0 || index === size) return undefined;
          const isJoined = index <= joined;
          if (waitingBytes > maxBytes / 2 && !isJoined) return undefined;
          given++;
          const batches = isJoined ? maxBatches : Math.floor(maxBytes / 2 / threads / BATCH_BYTES);
          const message: SubproblemMessage = {
            kind: 'subproblem',
            index,
            batches: Math.max(1, batches),
            opening: thread.latest === source ? undefined : opening,
          };
          thread.latest = source;
          const task: SubproblemTask = {
            message,
            batches: [],
            receive({ known, error }) {
              const { batch, counts, bytes = 0 } = (known ?? {}) as SearchKnown;
              if (error !== undefined) fail(error);
              if (batch !== undefined) {
                task.batches.push(batch);
                waitingBytes += batchBytes(batch);
                mostWaiting = Math.max(mostWaiting, waitingBytes);
              }
              if (counts !== undefined) {
                task.counts = counts;
                linkBytes = Math.max(linkBytes, bytes);
                done++;
              }
              wake();
            },
          };
          tasks[index] = task;
          return task;
        },
      };

      // Its answers are the next ones that the job needs.
      pool.sources.unshift(source);
      start();
      return {
        progress,
        get done() {
          return done;
        },
        /** Each thread has its own links and a copy of the frontier; as if all had learnt as many clauses as the one with the most. */
        get bytes() {
          return threads * (linkBytes + frontierBytes(frontier)) + mostWaiting;
        },
        take(index) {
          if (failure !== undefined) throw failure;
          const task = tasks[index];
          if (joined !== index) {
            joined = index;
            tasks[index - 1] = undefined;
            // As many again as wait elsewhere.
            allow(task, maxBatches);
          }
          if (task !== undefined) return nextSolution(task) ?? task.counts;
          if (missed !== index) {
            missed = index;
            return undefined;
          }
          // All threads have tasks of later problems, and may wait until these are joined.
          given++;
          done++;
          return SEARCHED_HERE;
        },
        close() {
          remove(source);
          for (const task of tasks) if (task?.counts === undefined) stop(task);
        },
      };
    },

    begin(problem, request) {
      let answer: StartedSearch['answer'];
      const task: Task = {
        message: { kind: 'problem', problem, request } satisfies ProblemMessage,
        receive({ known, error }) {
          const { end, batch } = (known ?? {}) as SearchKnown;
          if (error !== undefined) fail(error);
          answer = end === undefined ? 'given up' : { end, solutions: solutionsIn(batch!) };
          wake();
        },
      };
      untaken++;
      const source: TaskSource = {
        fail,
        next(thread) {
          if (thread.tasks.size > 0) return undefined;
          remove(source);
          untaken--;
          return task;
        },
      };
      pool.sources.push(source);
      start();
      return {
        progress,
        get answer() {
          if (failure !== undefined) throw failure;
          return answer;
        },
        close() {
          if (pool.sources.includes(source)) untaken--;
          remove(source);
          if (answer === undefined) stop(task);
        },
      };
    },
  };
}

function* solutionsIn({ options, lengths, counts }: SolutionBatch): Generator<FoundSolution, void, void> {
  let from = 0;
  for (const [k, length] of lengths.entries()) {
    const [nodes = 0, guesses = 0, updates = 0] = counts.subarray(3 * k, 3 * k + 3);
    yield { options: options.subarray(from, from + length), nodes, guesses, updates };
    from += length;
  }
}

function batchBytes({ options, lengths, counts }: SolutionBatch): number {
  return options.byteLength + lengths.byteLength + counts.byteLength;
}
