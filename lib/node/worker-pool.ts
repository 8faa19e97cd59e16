/**
 * Solves blocks on several threads over shared memory; the job's own thread is one of them.
 *
 * Every block is sent to every thread, in order. Each thread takes the next few records of the oldest block that has
 * any left (record-taker.ts), and writes their answers into the arrays that the job reads. Nothing is copied, no thread
 * waits for another, and blocks of hard puzzles are shared as well as blocks of easy ones.
 *
 *     job's thread     read, parse | solve a little | write, read, parse | solve a little | ...
 *     other threads              solve solve solve solve solve solve solve solve solve ...
 *
 * The job's thread solves while the job waits, in turns of two milliseconds, and pauses hard searches between turns, so
 * that the other threads never run out of blocks. So one thread fewer has to start, and this one solves while the
 * others start, for the time of thousands of puzzles. A small file is finished before another thread is worth starting;
 * for a file known to be large they start before its first block is read.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import type { SearchProgress } from '../batch/job/job-run.ts';
import type { Clock } from '../batch/ports.ts';
import { type BlockAnswers, markUnreadable } from '../batch/solving/block-answers.ts';
import { type BlockSolver, TURN_MS } from '../batch/solving/block-solver.ts';
import { OutOfTimeError, type PuzzleLimits } from '../batch/solving/drive.ts';
import { Elsewhere } from '../batch/solving/elsewhere.ts';
import { EngineSearch, searchPuzzle } from '../batch/solving/puzzle-search.ts';
import { RangeSolver, SPLIT } from '../batch/solving/range-solver.ts';
import type { RecordBlock } from '../formats/records/record-block.ts';
import type { Engine } from '../sudoku/engine.ts';
import { createEngine } from '../sudoku/engines.ts';
import type { Geometry } from '../sudoku/geometry/geometry.ts';
import { RecordTaker } from './record-taker.ts';
import { SearchThreads } from './search-threads.ts';
import { type BlockMessage, createControl, hasRecordsLeft, type WorkerMessage } from './shared-block.ts';
import { startSolverWorker } from './start-solver-worker.ts';

/** Blocks sent in addition to those being solved, so that no thread waits for the job's own. */
const BLOCKS_AHEAD = 3;

/** Time that the job's own thread solves alone before others are started. */
const START_AFTER_MS = 40;

type Task = BlockMessage & { readonly geometry: Geometry };

/** A block being solved, and the promise of its answers. */
interface PendingTask {
  readonly task: Task;
  resolve(): void;
  reject(error: unknown): void;
}

export class WorkerPool implements BlockSolver {
  readonly workers: number;
  readonly depth: number;
  readonly sharedMemory = true;
  readonly subproblems: SearchThreads;
  readonly problems: SearchThreads;
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #onSearch: ((search: SearchProgress) => void) | undefined;
  readonly #solver: RangeSolver;
  readonly #taker: RecordTaker;
  readonly #threads: Worker[] = [];
  /** Blocks being solved, by id, oldest first. */
  readonly #tasks = new Map<number, PendingTask>();
  /** The geometry that was last sent to the threads. */
  #sentGeometry: Geometry | undefined;
  /** The engine for searches that are split, and the end of the latest one. */
  #splitEngine: Engine | undefined;
  #splits: Promise<void> = Promise.resolve();
  #aloneMs = 0;
  #solving = false;
  #nextId = 1;
  #failure: unknown;

  /**
   * @param workers threads that solve, at least 2, including this one
   * @param engine engine of this thread; the others create engines of the same name
   * @param startNow whether the other threads start at once, for a file known to be large
   * @param onSearch called during the search of a puzzle that is split
   */
  constructor(
    workers: number,
    engine: Engine,
    clock: Clock,
    startNow = false,
    onSearch?: (search: SearchProgress) => void,
  ) {
    this.workers = workers;
    this.#onSearch = onSearch;
    this.depth = workers + BLOCKS_AHEAD;
    this.subproblems = new SearchThreads(workers);
    this.problems = this.subproblems;
    this.#engine = engine;
    this.#clock = clock;
    this.#solver = new RangeSolver(engine, clock, { sliceMs: TURN_MS, splits: true });
    this.#taker = new RecordTaker(clock);
    if (startNow) this.#start();
  }

  async solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    markUnreadable(block, answers);
    const { geometry, cells, count } = block;
    const id = this.#nextId++;
    const kind = 'block' as const;
    const task = { id, kind, geometry, cells, count, limits, answers, control: createControl() };
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#tasks.set(id, { task, resolve, reject });
    this.#send(task);
    if (!this.#solving) void this.#solveInTurns();
    await promise;
    for (let record = 0; record < count; record++) {
      if (answers.status[record] === SPLIT) await this.#solveSplit(block, record, limits, answers);
    }
  }

  /** Searches a record with all threads, after those before it: from its beginning to the split here. */
  #solveSplit(
    block: RecordBlock,
    record: number,
    limits: PuzzleLimits,
    answers: BlockAnswers,
  ): Promise<void> {
    const solved = this.#splits.then(() => this.#searchSplit(block, record, limits, answers));
    this.#splits = solved.catch(() => {});
    return solved;
  }

  async #searchSplit(
    block: RecordBlock,
    record: number,
    limits: PuzzleLimits,
    answers: BlockAnswers,
  ): Promise<void> {
    this.#splitEngine ??= createEngine(this.#engine.name);
    this.#splitEngine.searchBytes = 0;
    const place = { engine: this.#splitEngine, puzzles: block, index: record, answers };
    const elsewhere = new Elsewhere(this.subproblems, { ...limits, each: true });
    const { progress, openAnswers } = elsewhere;
    const search = new EngineSearch(place, openAnswers);
    const options = { clock: this.#clock, each: false, progress, sliceMs: TURN_MS };
    try {
      for (const step of searchPuzzle(search, record, limits, answers, options)) {
        await (step instanceof Promise ? step : nextTurn());
        const { subproblems } = elsewhere;
        const { solutions, nodes } = search;
        if (subproblems !== undefined) this.#onSearch?.({ puzzles: record, solutions, nodes, subproblems });
      }
    } finally {
      elsewhere.close();
    }
  }

  /** Terminates the threads, even during a search. */
  async close(): Promise<void> {
    await Promise.all([this.subproblems.close(), ...this.#threads.map((thread) => thread.terminate())]);
  }

  /** Takes records as the other threads do, in turns with the job, until none are left. */
  async #solveInTurns(): Promise<void> {
    this.#solving = true;
    await nextTurn();
    let turnMs = this.#clock.monotonicMs();
    for (let task = this.#nextTask(); task !== undefined; task = this.#nextTask()) {
      try {
        await this.#solveNext(task);
      } catch (error) {
        this.#finish(task.id, error);
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

  /** The oldest block with records left. */
  #nextTask(): Task | undefined {
    for (const { task } of this.#tasks.values()) if (hasRecordsLeft(task)) return task;
    return undefined;
  }

  async #solveNext(task: Task): Promise<void> {
    const { limits, answers } = task;
    const taker = this.#taker;
    if (!taker.take(task, task.geometry.cellCount)) return;
    const range = { puzzles: task, from: taker.from, to: taker.to, limits, answers };
    for (const _ of this.#solver.solve(range)) await nextTurn();
    if (taker.finish(task)) this.#finish(task.id);
  }

  #start(): void {
    for (let k = 1; k < this.workers; k++) {
      const thread = startSolverWorker({ engine: this.#engine.name });
      thread.on('message', (message: WorkerMessage) => this.#onMessage(message));
      thread.on('error', (error) => this.#fail(error));
      thread.on('exit', () => this.#fail(new Error('a worker thread exited before its blocks were solved')));
      this.#threads.push(thread);
    }
    for (const { task } of this.#tasks.values()) this.#send(task);
  }

  #send(task: Task): void {
    if (this.#threads.length === 0) return;
    const sent = task.geometry === this.#sentGeometry;
    this.#sentGeometry = task.geometry;
    const message: BlockMessage = sent ? { ...task, geometry: undefined } : task;
    for (const thread of this.#threads) thread.postMessage(message);
  }

  #onMessage(message: WorkerMessage): void {
    if (message.kind === 'solved') this.#finish(message.id);
    else this.#finish(message.id, message.kind === 'outOfTime' ? new OutOfTimeError() : message.error);
  }

  /** Settles the promise of a block. */
  #finish(id: number, error?: unknown): void {
    const pending = this.#tasks.get(id);
    if (pending === undefined) return;
    this.#tasks.delete(id);
    if (error === undefined) pending.resolve();
    else pending.reject(error);
  }

  #fail(error: unknown): void {
    this.#failure ??= error;
    for (const id of [...this.#tasks.keys()]) this.#finish(id, error);
  }
}
