/**
 * Solving blocks on several threads over shared memory, the job's own among them.
 *
 * Every block goes to every thread, in order; each takes the next few records of the oldest block that has any left
 * (record-taker.ts), and writes their answers where the job will read them. Nothing is copied, no thread waits for
 * another, and a block of hard puzzles is shared out as well as a block of easy ones.
 *
 *     job's thread     read, parse | solve a little | write, read, parse | solve a little | ...
 *     other threads              solve solve solve solve solve solve solve solve solve ...
 *
 * The job's thread solves whenever the job has nothing to do but wait, for two milliseconds at a time, and
 * leaves a hard search in between: so the others never run out of blocks. One thread fewer is to be started, and while
 * the others start, which takes as long as thousands of puzzles, the work goes on here. A small file is over before
 * any is worth starting; for one that is known to be large they start before its first block is read.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../batch/ports.ts';
import type { BlockSolver } from '../batch/solving/block-solver.ts';
import {
  type BlockAnswers,
  markUnreadable,
  OutOfTimeError,
  type PuzzleLimits,
  RangeSolver,
} from '../batch/solving/solve-block.ts';
import type { RecordBlock } from '../formats/records/record-block.ts';
import type { Engine } from '../sudoku/engine.ts';
import type { Geometry } from '../sudoku/geometry/geometry.ts';
import { RecordTaker } from './record-taker.ts';
import {
  type BlockMessage,
  createControl,
  hasRecordsLeft,
  type SharedBlock,
  type WorkerMessage,
} from './shared-block.ts';
import type { SolverWorkerData } from './solver-worker.ts';

/** Blocks handed out beyond those being solved, so that no thread ever waits for the job's own. */
const BLOCKS_AHEAD = 3;

/** How long the job's own thread solves alone before it is worth starting others. */
const START_AFTER_MS = 40;

/** How long it solves before it looks whether the job has something to do. */
const TURN_MS = 2;

/** Search nodes after which it leaves a puzzle for the same reason: some milliseconds' worth. */
const PAUSE_NODES = 2_000;

/** A block under way. */
interface Task extends SharedBlock {
  readonly id: number;
  readonly geometry: Geometry;
  resolve(): void;
  reject(error: unknown): void;
}

export class WorkerPool implements BlockSolver {
  readonly workers: number;
  readonly depth: number;
  readonly sharedMemory = true;
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #solver: RangeSolver;
  readonly #taker: RecordTaker;
  readonly #threads: Worker[] = [];
  /** Blocks under way by id, oldest first. */
  readonly #tasks = new Map<number, Task>();
  /** The geometry that the threads were told last. */
  #geometry: Geometry | undefined;
  #aloneMs = 0;
  #solving = false;
  #nextId = 1;
  #failure: unknown;

  /**
   * @param workers threads that solve, at least 2, this one included
   * @param engine solves in this thread; the others have engines of its name
   * @param startNow whether the other threads are started at once, for a file that is known to be large
   */
  constructor(workers: number, engine: Engine, clock: Clock, startNow = false) {
    this.workers = workers;
    this.depth = workers + BLOCKS_AHEAD;
    this.#engine = engine;
    this.#clock = clock;
    this.#solver = new RangeSolver(engine, clock, PAUSE_NODES);
    this.#taker = new RecordTaker(clock);
    if (startNow) this.#start();
  }

  async solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    markUnreadable(block, answers);
    const { geometry, cells, count } = block;
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const task: Task = {
      id,
      geometry,
      cells,
      count,
      limits,
      answers,
      control: createControl(),
      resolve,
      reject,
    };
    this.#tasks.set(id, task);
    this.#handOut(task);
    if (!this.#solving) void this.#solveAlong();
    await promise;
  }

  /** Ends the threads, whatever they are doing. */
  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }

  /** Takes records as the other threads do, in turns with the job, until none is left. */
  async #solveAlong(): Promise<void> {
    this.#solving = true;
    await nextTurn();
    let turnMs = this.#clock.monotonicMs();
    for (let task = this.#untaken(); task !== undefined; task = this.#untaken()) {
      try {
        await this.#solveNext(task);
      } catch (error) {
        this.#end(task.id, error);
      }
      const nowMs = this.#clock.monotonicMs();
      if (nowMs - turnMs < TURN_MS) continue;
      if (this.#threads.length === 0) {
        this.#aloneMs += nowMs - turnMs;
        if (this.#aloneMs >= START_AFTER_MS) this.#start();
      }
      await nextTurn();
      turnMs = this.#clock.monotonicMs();
    }
    this.#solving = false;
  }

  #untaken(): Task | undefined {
    for (const task of this.#tasks.values()) if (hasRecordsLeft(task)) return task;
    return undefined;
  }

  async #solveNext(task: Task): Promise<void> {
    const { limits, answers } = task;
    const taker = this.#taker;
    if (!taker.take(task, task.geometry.cellCount)) return;
    this.#solver.begin({ puzzles: task, from: taker.from, to: taker.to, limits, answers });
    while (!this.#solver.run()) await nextTurn();
    if (taker.finish(task)) this.#end(task.id);
  }

  #start(): void {
    // Beside this file lies the worker's: as a source here, bundled in a function.
    const name = import.meta.url.endsWith('.ts') ? './solver-worker.ts' : './solver-worker.mjs';
    const workerData: SolverWorkerData = { engine: this.#engine.name };
    for (let k = 1; k < this.workers; k++) {
      const thread = new Worker(new URL(name, import.meta.url), { workerData });
      thread.on('message', (message: WorkerMessage) => this.#hear(message));
      thread.on('error', (error) => this.#fail(error));
      thread.on('exit', () => this.#fail(new Error('a worker thread ended while blocks were under way')));
      this.#threads.push(thread);
    }
    for (const task of this.#tasks.values()) this.#handOut(task);
  }

  #handOut({ id, geometry, cells, count, limits, answers, control }: Task): void {
    if (this.#threads.length === 0) return;
    const told = geometry === this.#geometry;
    this.#geometry = geometry;
    const message: BlockMessage = {
      id,
      geometry: told ? undefined : geometry,
      cells,
      count,
      limits,
      answers,
      control,
    };
    for (const thread of this.#threads) thread.postMessage(message);
  }

  #hear(message: WorkerMessage): void {
    if (message.kind === 'solved') this.#end(message.id);
    else this.#end(message.id, message.kind === 'outOfTime' ? new OutOfTimeError() : message.error);
  }

  /** Ends a block: solved, or for a reason. */
  #end(id: number, error?: unknown): void {
    const task = this.#tasks.get(id);
    if (task === undefined) return;
    this.#tasks.delete(id);
    if (error === undefined) task.resolve();
    else task.reject(error);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const { id } of [...this.#tasks.values()]) this.#end(id, error);
  }
}
