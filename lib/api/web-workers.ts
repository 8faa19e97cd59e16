/**
 * Solves blocks on Web Workers. A block and its answers are copied: pages rarely may share memory.
 *
 *     page     block 1 -> worker a, block 2 -> worker b, ...      answers are awaited in order
 */

import { type BlockAnswers, createBlockAnswers, markUnreadable } from '../batch/solving/block-answers.ts';
import type { BlockSolver } from '../batch/solving/block-solver.ts';
import type { PuzzleLimits } from '../batch/solving/drive.ts';
import { RangeSolver } from '../batch/solving/range-solver.ts';
import type { RecordBlock } from '../formats/records/record-block.ts';
import type { EngineName } from '../sudoku/engine.ts';
import { createEngine } from '../sudoku/engines.ts';
import { type Geometry, standardGeometry } from '../sudoku/geometry/geometry.ts';
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

/** A block for a worker. */
interface BlockMessage {
  readonly id: number;
  readonly engine: EngineName;
  readonly geometry: Geometry;
  readonly count: number;
  readonly cells: Uint8Array;
  /** Marks of unreadable records. */
  readonly status: Uint8Array;
  readonly limits: PuzzleLimits;
}

type AnswerMessage =
  | { readonly id: number; readonly answers: BlockAnswers }
  | { readonly id: number; readonly error: string };

/** Blocks sent to a worker in addition to the one that it solves. */
const BLOCKS_AHEAD = 1;

interface Task {
  readonly worker: WebWorker;
  readonly answers: BlockAnswers;
  resolve(): void;
  reject(error: unknown): void;
}

export class WebWorkerPool implements BlockSolver {
  readonly workers: number;
  readonly depth: number;
  readonly sharedMemory = false;
  readonly #engine: EngineName;
  /** By worker: the number of its blocks. */
  readonly #load = new Map<WebWorker, number>();
  readonly #tasks = new Map<number, Task>();
  #nextId = 1;
  #failure: unknown;

  constructor(engine: EngineName, workers: readonly WebWorker[]) {
    this.workers = workers.length;
    this.depth = workers.length * (1 + BLOCKS_AHEAD);
    this.#engine = engine;
    for (const worker of workers) {
      this.#load.set(worker, 0);
      worker.addEventListener('message', (event) => this.#onMessage((event as { data: AnswerMessage }).data));
      for (const type of ['error', 'messageerror'] as const) {
        worker.addEventListener(type, (event) => this.#fail(event));
      }
    }
  }

  solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    markUnreadable(block, answers);
    const { geometry, count } = block;
    const worker = [...this.#load].reduce((best, other) => (other[1] < best[1] ? other : best))[0];
    const id = this.#nextId++;
    this.#load.set(worker, this.#load.get(worker)! + 1);
    return new Promise((resolve, reject) => {
      this.#tasks.set(id, { worker, answers, resolve, reject });
      const message: BlockMessage = {
        id,
        engine: this.#engine,
        geometry,
        count,
        cells: block.cells.subarray(0, count * geometry.cellCount).slice(),
        status: answers.status.slice(0, count),
        limits,
      };
      worker.postMessage(message);
    });
  }

  close(): void {
    for (const worker of this.#load.keys()) worker.terminate();
  }

  #onMessage(message: AnswerMessage): void {
    const task = this.#tasks.get(message.id);
    if (task === undefined) return;
    this.#tasks.delete(message.id);
    this.#load.set(task.worker, this.#load.get(task.worker)! - 1);
    if ('error' in message) {
      task.reject(new Error(message.error));
      return;
    }
    const { answers } = message;
    task.answers.solutions.set(answers.solutions);
    task.answers.stop.set(answers.stop);
    task.answers.nodes.set(answers.nodes);
    task.answers.guesses.set(answers.guesses);
    task.answers.cells.set(answers.cells);
    task.answers.status.set(answers.status);
    task.answers.solveUs.set(answers.solveUs);
    task.resolve();
  }

  #fail(event: object): void {
    const text = 'message' in event ? `: ${event.message}` : '';
    this.#failure = new Error(`a worker of the solver failed${text}; its script must call serveSolver()`);
    for (const { reject } of this.#tasks.values()) reject(this.#failure);
    this.#tasks.clear();
  }
}

/** The global scope of a worker. */
interface WorkerScope {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: BlockMessage }) => void): void;
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
  const solvers = new Map<EngineName, RangeSolver>();
  scope.addEventListener('message', ({ data }) => {
    let solver = solvers.get(data.engine);
    if (solver === undefined) {
      solver = new RangeSolver(createEngine(data.engine), clock);
      solvers.set(data.engine, solver);
    }
    scope.postMessage(answerTo(solver, data));
  });
}

function answerTo(
  solver: RangeSolver,
  { id, geometry, count, cells, status, limits }: BlockMessage,
): AnswerMessage {
  const known = received(geometry);
  const answers = createBlockAnswers(count, known.cellCount);
  answers.status.set(status);
  try {
    for (const _ of solver.solve({
      puzzles: { geometry: known, cells },
      from: 0,
      to: count,
      limits,
      answers,
    }));
    return { id, answers };
  } catch (error) {
    return { id, error: String(error) };
  }
}

/** Engines recognise ordinary geometries by identity, which a copy lacks. */
function received(copy: Geometry): Geometry {
  const { variant, size, boxRows, boxColumns } = copy;
  return variant === 'standard' && copy.candidates === undefined
    ? standardGeometry(size, boxRows, boxColumns)
    : copy;
}
