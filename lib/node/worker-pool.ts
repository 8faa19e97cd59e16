/**
 * Solving blocks on several threads over shared memory.
 *
 * Every block goes to every worker, in order; a worker takes the next few records of the oldest block that has any
 * left, by an atomic counter, and writes their answers where the job will read them. Nothing is copied, no worker
 * waits for another, and a block of hard puzzles is shared out as well as a block of easy ones.
 *
 *     control  | next record to take | records solved |     one pair of Int32 a block, in shared memory
 *     cells, status, solutions, ...                         the block's and its answers' arrays, in shared memory
 *
 * Workers are started only for work that is worth it: a small file is over before a thread has begun.
 */
import { Worker } from 'node:worker_threads';
import type { BlockSolver } from '../batch/block-solver.ts';
import type { Clock } from '../batch/ports.ts';
import {
  type BlockAnswers,
  markUnreadable,
  OutOfTimeError,
  type PuzzleLimits,
  solveRange,
} from '../batch/solve-block.ts';
import type { RecordBlock } from '../formats/record-block.ts';
import type { Engine, EngineName } from '../sudoku/engine.ts';
import type { Geometry } from '../sudoku/geometry.ts';

/** Records a worker takes at a time: few, so that hard ones are shared out; the counter costs next to nothing. */
export const RECORDS_AT_ONCE = 8;

/** Blocks handed out beyond those being solved, so that no worker ever waits for the job's own thread. */
const BLOCKS_AHEAD = 3;

/** How long the job's own thread solves before it is worth starting workers. */
const START_AFTER_MS = 40;

/** Work for a worker: one block, or the rest of one. */
export interface BlockMessage {
  readonly id: number;
  /** Left out where it is that of the block before. */
  readonly geometry?: Geometry;
  readonly cells: Uint8Array;
  readonly count: number;
  readonly limits: PuzzleLimits;
  readonly answers: BlockAnswers;
  readonly control: Int32Array;
}

/** What a worker says: a block's last record is solved, or something went wrong. */
export type WorkerMessage =
  | { readonly id: number; readonly kind: 'solved' }
  | { readonly id: number; readonly kind: 'outOfTime' }
  | { readonly id: number; readonly kind: 'failed'; readonly error: Error };

/** What a worker is started with. */
export interface WorkerStart {
  readonly engine: EngineName;
}

interface Pending {
  resolve(): void;
  reject(error: unknown): void;
}

export class WorkerPool implements BlockSolver {
  readonly workers: number;
  readonly depth: number;
  readonly sharedMemory = true;
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #threads: Worker[] = [];
  readonly #pending = new Map<number, Pending>();
  #geometry: Geometry | undefined;
  #inlineMs = 0;
  #nextId = 1;
  #failure: unknown;

  /**
   * @param workers threads that solve, at least 2
   * @param engine solves in the job's own thread until workers are worth starting; they use engines of its name
   */
  constructor(workers: number, engine: Engine, clock: Clock) {
    this.workers = workers;
    this.depth = workers + BLOCKS_AHEAD;
    this.#engine = engine;
    this.#clock = clock;
  }

  async solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
    markUnreadable(block, answers);
    const from = this.#threads.length > 0 ? 0 : this.#solveInline(block, limits, answers);
    if (from === block.count) return;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#threads.length === 0) this.#start();
    await this.#handOut(block, from, limits, answers);
  }

  /** Ends the threads, whatever they are doing. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  /** Solves the first records here; returns how many, all of them where little time has passed. */
  #solveInline(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): number {
    let at = 0;
    while (at < block.count && this.#inlineMs < START_AFTER_MS) {
      const to = Math.min(at + RECORDS_AT_ONCE, block.count);
      const startMs = this.#clock.monotonicMs();
      solveRange(this.#engine, block, at, to, limits, this.#clock, answers);
      this.#inlineMs += this.#clock.monotonicMs() - startMs;
      at = to;
    }
    return at;
  }

  #start(): void {
    // Beside this file lies the worker's: as a source here, bundled in a function.
    const name = import.meta.url.endsWith('.ts') ? './solver-worker.ts' : './solver-worker.mjs';
    const workerData: WorkerStart = { engine: this.#engine.name };
    for (let k = 0; k < this.workers; k++) {
      const thread = new Worker(new URL(name, import.meta.url), { workerData });
      thread.on('message', (message: WorkerMessage) => this.#hear(message));
      thread.on('error', (error) => this.#fail(error));
      thread.on('exit', () => this.#fail(new Error('a worker thread ended while blocks were under way')));
      this.#threads.push(thread);
    }
  }

  #handOut(block: RecordBlock, from: number, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
    const control = new Int32Array(new SharedArrayBuffer(8));
    control[0] = from;
    control[1] = from;
    const id = this.#nextId++;
    const geometry = block.geometry === this.#geometry ? undefined : block.geometry;
    this.#geometry = block.geometry;
    const message: BlockMessage = {
      id,
      geometry,
      cells: block.cells,
      count: block.count,
      limits,
      answers,
      control,
    };
    return new Promise<void>((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      for (const thread of this.#threads) thread.postMessage(message);
    });
  }

  #hear(message: WorkerMessage): void {
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    this.#pending.delete(message.id);
    if (message.kind === 'solved') pending.resolve();
    else pending.reject(message.kind === 'outOfTime' ? new OutOfTimeError() : message.error);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
