/**
 * Solves on several threads: blocks of records over shared memory, problems, and subproblems of long searches.
 *
 *     job's thread     read, parse | solve a little | write, read, parse | solve a little | ...
 *     other threads              solve solve solve solve solve solve solve solve solve ...
 *
 * The job's thread solves records while the job waits, in turns of two milliseconds, and pauses hard searches between turns,
 * so that the other threads never run out of tasks. So one thread fewer has to start, and this one solves while the others
 * start, for the time of thousands of puzzles. A small file is finished before another thread is worth starting; for a file
 * known to be large they start before its first block is read.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { SearchProgress } from '../batch/job/job-run.ts';
import type { Clock } from '../batch/ports.ts';
import type { BlockAnswers } from '../batch/solving/block-answers.ts';
import { type BlockSolver, TURN_MS } from '../batch/solving/block-solver.ts';
import { BlockTasks } from '../batch/solving/block-tasks.ts';
import type { PuzzleLimits } from '../batch/solving/drive.ts';
import { Elsewhere } from '../batch/solving/elsewhere.ts';
import { EngineSearch, PuzzleSearch, searchPuzzle } from '../batch/solving/puzzle-search.ts';
import { RangeSolver, type RecordRange, SPLIT } from '../batch/solving/range-solver.ts';
import { rateRecord } from '../batch/solving/rate-record.ts';
import { RecordAnswer } from '../batch/solving/record-search.ts';
import { type OpenPort, ThreadPool } from '../batch/solving/thread-pool.ts';
import type { RecordBlock } from '../formats/records/record-block.ts';
import type { Engine } from '../sudoku/engine.ts';
import { createEngine } from '../sudoku/engines.ts';
import { SearchTasks } from './search-tasks.ts';

/** Blocks in addition to two for each thread, so that no thread waits for the job's own. */
const BLOCKS_AHEAD = 2;

/** Time that the job's own thread solves alone before others are started. */
const START_AFTER_MS = 40;

/** The file in the package's library, which has it next to the command; set by bin/build/library.ts. */
declare const SOLVER_WORKER: string | undefined;

/** Starts a worker thread that runs solver-worker.ts. */
export const openWorker: OpenPort = (onReply, onFailure) => {
  // Else the worker's file is next to this one: a source here, a bundle in a function.
  const name = import.meta.url.endsWith('.ts') ? './solver-worker.ts' : './solver-worker.mjs';
  const path = typeof SOLVER_WORKER === 'string' ? SOLVER_WORKER : name;
  const worker = new Worker(new URL(path, import.meta.url));
  worker.on('message', onReply);
  worker.on('error', onFailure);
  worker.on('exit', () => onFailure(new Error('a worker thread exited before its tasks were done')));
  return { post: (message) => worker.postMessage(message), close: () => worker.terminate() };
};

export class WorkerPool implements BlockSolver {
  readonly workers: number;
  readonly depth: number;
  readonly sharedMemory = true;
  readonly subproblems: SearchTasks;
  readonly problems: SearchTasks;
  readonly #engine: Engine;
  readonly #clock: Clock;
  readonly #onSearch: ((search: SearchProgress) => void) | undefined;
  readonly #solver: RangeSolver;
  readonly #pool = new ThreadPool(openWorker);
  readonly #blocks: BlockTasks;
  /** The engine for searches that are split, and the end of the latest one. */
  #splitEngine: Engine | undefined;
  #splits: Promise<void> = Promise.resolve();
  #aloneMs = 0;
  #isSolving = false;

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
    this.depth = 2 * workers + BLOCKS_AHEAD;
    this.#engine = engine;
    this.#clock = clock;
    this.#onSearch = onSearch;
    this.#solver = new RangeSolver(engine, clock, { sliceMs: TURN_MS, splits: true, rate: rateRecord });
    this.#blocks = new BlockTasks(this.#pool, engine.name, clock, true);
    this.subproblems = new SearchTasks(this.#pool, workers);
    this.problems = this.subproblems;
    if (startNow) this.#pool.start(workers - 1);
  }

  async solve(block: RecordBlock, limits: PuzzleLimits, answers: BlockAnswers): Promise<void> {
    const solved = this.#blocks.solve(block, limits, answers);
    if (!this.#isSolving) void this.#solveInTurns();
    await solved;
    for (let record = 0; record < block.count; record++) {
      if (answers.status[record] === SPLIT) await this.#solveSplit(block, record, limits, answers);
    }
  }

  /** Terminates the threads, even during a search. */
  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Takes records as the other threads do, in turns with the job, until none are left. */
  async #solveInTurns(): Promise<void> {
    this.#isSolving = true;
    await nextTurn();
    const solve = async (range: RecordRange) => {
      for (const _ of this.#solver.solve(range)) await nextTurn();
    };
    let turnMs = this.#clock.monotonicMs();
    while (await this.#blocks.solveHere(solve)) {
      const nowMs = this.#clock.monotonicMs();
      if (nowMs - turnMs < TURN_MS) continue;
      if (this.#pool.threads.length === 0) {
        this.#aloneMs += nowMs - turnMs;
        if (this.#aloneMs >= START_AFTER_MS) {
          this.#pool.start(this.workers - 1);
          this.#pool.give();
        }
      }
      await nextTurn();
      turnMs = this.#clock.monotonicMs();
    }
    this.#isSolving = false;
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
    const search = new PuzzleSearch(place, new EngineSearch(place, elsewhere.openAnswers));
    const options = { clock: this.#clock, each: false, elsewhere, sliceMs: TURN_MS };
    const answer = new RecordAnswer();
    for (const step of searchPuzzle(search, record, limits, answers, options, answer)) {
      await (step instanceof Promise ? step : nextTurn());
      const { solutions, nodes, subproblems } = answer;
      if (subproblems !== undefined) this.#onSearch?.({ puzzles: record, solutions, nodes, subproblems });
    }
    if (limits.rate === true) rateRecord(block, record, answers);
  }
}
