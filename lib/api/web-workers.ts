/** Solves blocks on Web Workers (lib/batch/solving/block-tasks.ts): copies of them, as pages rarely may share memory. */

import { blockTasks } from '../batch/solving/block-tasks.ts';
import { type RangeMessage, serveRanges } from '../batch/solving/serve-ranges.ts';
import { type Reply, ThreadPool } from '../batch/solving/thread-pool.ts';
import type { EngineName } from '../sudoku/engine.ts';
import { clock } from './clock.ts';
import { DlxBatchError } from './errors.ts';

/**
 * The part of a Web Worker that a solver uses.
 *
 * @example
 * ```ts
 * import type { WebWorker } from 'dlx-batch/browser';
 *
 * const posted: unknown[] = [];
 * const worker: WebWorker = {
 *   postMessage: (message) => posted.push(message),
 *   addEventListener() {},
 *   terminate() {},
 * };
 * worker.postMessage('block');
 * posted; // => ['block']
 * ```
 */
export interface WebWorker {
  /** Sends a block to the worker. */
  postMessage(message: unknown): void;
  /** Registers the receiver of its answers and failures. */
  addEventListener(type: 'message' | 'error' | 'messageerror', listener: (event: object) => void): void;
  /** Stops the worker, also during a search. */
  terminate(): void;
}

/** Blocks sent to a worker in addition to the one that it solves. */
const BLOCKS_AHEAD = 1;

export function webWorkerPool(engine: EngineName, workers: number, createWorker: () => WebWorker) {
  const pool = new ThreadPool((onReply, onFailure) => {
    const worker = createWorker();
    worker.addEventListener('message', (event) => onReply((event as { data: Reply }).data));
    for (const type of ['error', 'messageerror'] as const) {
      worker.addEventListener(type, (event) => onFailure(workerError(event)));
    }
    return { post: (message) => worker.postMessage(message), close: () => worker.terminate() };
  });
  const { solve } = blockTasks(pool, engine, clock, false);
  pool.start(workers);
  const depth = workers * (1 + BLOCKS_AHEAD);
  return { solver: { workers, depth, sharedMemory: false, solve }, close: () => pool.close() };
}

function workerError(event: object): Error {
  const text = 'message' in event ? `: ${event.message}` : '';
  return new Error(`a worker of the solver failed${text}; its script must call serveSolver()`);
}

/** The global scope of a worker. */
interface WorkerScope {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: RangeMessage }) => void): void;
}

/**
 * Makes a Web Worker serve a solver of the page: the whole script of the worker, see `createSolver`.
 *
 * @throws DlxBatchError `bad_argument` outside of a worker
 *
 * @example
 * ```ts
 * import { type DlxBatchError, serveSolver } from 'dlx-batch/browser';
 *
 * let code;
 * try {
 *   serveSolver(); // Here is no worker.
 * } catch (error) {
 *   code = (error as DlxBatchError).code;
 * }
 * code; // => 'bad_argument'
 * ```
 */
export function serveSolver(): void {
  const scope = globalThis as unknown as WorkerScope;
  if (typeof scope.postMessage !== 'function' || 'document' in globalThis) {
    throw new DlxBatchError('bad_argument', 'serveSolver was called outside of a Web Worker');
  }
  const serve = serveRanges((reply) => scope.postMessage(reply), clock);
  scope.addEventListener('message', ({ data }) => serve(data));
}
