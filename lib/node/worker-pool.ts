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
import { blockTasks } from '../batch/solving/block-tasks.ts';
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
import { searchTasks } from './search-tasks.ts';

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

/** A solver; `close` ends its threads. */
export interface OpenSolver {
  readonly solver: BlockSolver;
  close(): Promise<void>;
}

/**
 * @param workers threads that solve, at least 2, including this one
 * @param engine engine of this thread; the others create engines of the same name
 * @param startNow whether the other threads start at once, for a file known to be large
 * @param onSearch called during the search of a puzzle that is split
 */
export function workerPool(
  workers: number,
  engine: Engine,
  clock: Clock,
  startNow = false,
  onSearch: (search: SearchProgress) => void = () => {},
): OpenSolver {
  const pool = new ThreadPool(openWorker);
  const solver = new RangeSolver(engine, clock, { sliceMs: TURN_MS, splits: true, rate: rateRecord });
  const blocks = blockTasks(pool, engine.name, clock, true);
  const searches = searchTasks(pool, workers);
  /** The engine for searches that are split, and the end of the latest one. */
  let splitEngine: Engine | undefined;
  let splits: Promise<void> = Promise.resolve();
  let aloneMs = 0;
  let isSolving = false;
  if (startNow) pool.start(workers - 1);

  /** Takes records as the other threads do, in turns with the job, until none are left. */
  const solveInTurns = async () => {
    isSolving = true;
    await nextTurn();
    const solve = async (range: RecordRange) => {
      for (const _ of solver.solve(range)) await nextTurn();
    };
    let turnMs = clock.monotonicMs();
    while (await blocks.solveHere(solve)) {
      const nowMs = clock.monotonicMs();
      if (nowMs - turnMs < TURN_MS) continue;
      if (pool.threads.length === 0) {
        aloneMs += nowMs - turnMs;
        if (aloneMs >= START_AFTER_MS) {
          pool.start(workers - 1);
          pool.give();
        }
      }
      await nextTurn();
      turnMs = clock.monotonicMs();
    }
    isSolving = false;
  };

  /** Searches a record with all threads: from its beginning to the split here. */
  const searchSplit = async (
    block: RecordBlock,
    record: number,
    limits: PuzzleLimits,
    answers: BlockAnswers,
  ) => {
    splitEngine ??= createEngine(engine.name);
    splitEngine.searchBytes = 0;
    const place = { engine: splitEngine, puzzles: block, index: record, answers };
    const elsewhere = new Elsewhere(searches, { ...limits, each: true });
    const search = new PuzzleSearch(place, new EngineSearch(place, elsewhere.openAnswers));
    const options = { clock, each: false, elsewhere, sliceMs: TURN_MS };
    const answer = new RecordAnswer();
    for (const step of searchPuzzle(search, record, limits, answers, options, answer)) {
      await (step instanceof Promise ? step : nextTurn());
      const { solutions, nodes, subproblems } = answer;
      if (subproblems !== undefined) onSearch({ puzzles: record, solutions, nodes, subproblems });
    }
    if (limits.rate === true) rateRecord(block, record, answers);
  };

  return {
    solver: {
      workers,
      depth: 2 * workers + BLOCKS_AHEAD,
      sharedMemory: true,
      subproblems: searches,
      problems: searches,
      async solve(block, limits, answers) {
        const solved = blocks.solve(block, limits, answers);
        if (!isSolving) void solveInTurns();
        await solved;
        for (let record = 0; record < block.count; record++) {
          if (answers.status[record] !== SPLIT) continue;
          // After those before it.
          const searched = splits.then(() => searchSplit(block, record, limits, answers));
          splits = searched.catch(() => {});
          await searched;
        }
      },
    },
    // Also during a search.
    close: () => pool.close(),
  };
}
