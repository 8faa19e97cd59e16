/** A solver for many puzzles, in this thread or on several. */
import type { Unpacking } from '../batch/ports.ts';
import { limitAdvice } from '../batch/results/limit-advice.ts';
import { InlineSolver } from '../batch/solving/block-solver.ts';
import { puzzleLimits } from '../batch/solving/drive.ts';
import { StatusCode } from '../batch/solving/puzzle-status.ts';
import type { Engine, EngineName } from '../sudoku/engine.ts';
import { createEngine } from '../sudoku/engines.ts';
import { clock } from './clock.ts';
import { DlxBatchError } from './errors.ts';
import { bytesOf, untilAborted } from './input-bytes.ts';
import {
  ENGINE_OPTION,
  LIMIT_OPTIONS,
  type LimitOptions,
  PUZZLE_OPTIONS,
  type PuzzleInput,
  type PuzzleOptions,
  spentBudget,
} from './puzzle.ts';
import { type PuzzleResult, puzzleResult, readFor } from './puzzle-result.ts';
import { abortSignal, readOptions } from './read-options.ts';
import { secondSolution } from './second-solution.ts';
import {
  type AbortableSolver,
  FILE_OPTIONS,
  type FileOptions,
  type FileSettings,
  type PuzzleFile,
  recordsOf,
  type SolveAllOptions,
  type SolveRecord,
} from './solve-all.ts';
import { inTurns, turns } from './turn.ts';

/**
 * Options of one puzzle of a {@link Solver}.
 *
 * @example
 * ```ts
 * import { createSolver, type SolverPuzzleOptions } from 'dlx-batch';
 *
 * const solver = createSolver();
 * const options: SolverPuzzleOptions = { solutions: Infinity, signal: AbortSignal.timeout(10_000) };
 * (await solver.solve('................', options)).solutions; // => 288
 * await solver.close();
 * ```
 */
export interface SolverPuzzleOptions extends PuzzleOptions, LimitOptions {
  /** Stops the search: the promise is then rejected with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/**
 * A solver for many puzzles. It never blocks the event loop for long, and several calls may be in progress.
 *
 * @example
 * ```ts
 * import { createSolver, type Solver } from 'dlx-batch';
 *
 * const solver: Solver = createSolver({ workers: 1 });
 * const puzzles = ['1.....3..4.....2', '11..............'];
 * const results = await Promise.all(puzzles.map((puzzle) => solver.solve(puzzle)));
 * results.map(({ status }) => status); // => ['solved', 'invalid']
 * await solver.close();
 * ```
 */
export interface Solver extends AsyncDisposable {
  /** Number of threads that solve. */
  readonly workers: number;
  /**
   * Solves one puzzle; the result is that of `solve`.
   *
   * @throws DlxBatchError `bad_argument`, `bad_option`, or `closed` after `close`
   */
  solve(puzzle: PuzzleInput, options?: SolverPuzzleOptions): Promise<PuzzleResult>;
  /**
   * Solves a file; the records are those of `solveAll`, in the order of the file.
   *
   * @throws DlxBatchError `bad_argument`, `bad_option`, or `closed` after `close`; while iterating, `unreadable_file`
   */
  solveAll(file: PuzzleFile, options?: FileOptions & LimitOptions): AsyncGenerator<SolveRecord, void, void>;
  /** Ends its threads, also during a search; the calls in progress fail. */
  close(): Promise<void>;
}

/** A solver of blocks that is ready, and its end. */
export interface OpenedSolver {
  readonly solver: AbortableSolver;
  close(): Promise<void>;
}

/** The environment of a solver: Node or a browser. */
export interface Environment {
  readonly unpacking: Unpacking;
  /** Opens a solver on several threads; called once, for the first puzzle. @default there are no other threads */
  open?(workers: number, engine: Engine): Promise<OpenedSolver>;
}

/** Readers of {@link SolverPuzzleOptions}. */
const SOLVER_PUZZLE_OPTIONS = { ...PUZZLE_OPTIONS, ...LIMIT_OPTIONS, signal: abortSignal };

/** Opens a solver in an environment. */
export function batchSolver(name: EngineName, workers: number, environment: Environment): Solver {
  const engine = createEngine(name);
  const closing = new AbortController();
  let opened: Promise<OpenedSolver> | undefined;

  const open = async () => {
    closing.signal.throwIfAborted();
    opened ??=
      environment.open?.(workers, engine) ??
      Promise.resolve({ solver: inlineSolver(engine), close: async () => {} });
    return (await opened).solver;
  };

  const ending = (signal: AbortSignal | undefined) =>
    signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);

  async function* recordsWith(bytes: AsyncIterable<Uint8Array>, settings: FileSettings) {
    const dependencies = { unpacking: environment.unpacking, solver: await open(), engine };
    yield* recordsOf(bytes, { ...settings, signal: ending(settings.signal) }, dependencies);
  }

  const close = async () => {
    if (!closing.signal.aborted) closing.abort(new DlxBatchError('closed', 'the solver was closed'));
    await (await opened)?.close();
  };

  return {
    workers,
    async solve(puzzle, options = {}) {
      const settings = readOptions(options, SOLVER_PUZZLE_OPTIONS);
      const solver = await open();
      const signal = ending(settings.signal);
      signal.throwIfAborted();
      const read = readFor(engine, puzzle, settings, solver.sharedMemory);
      if ('status' in read) return read;
      const { block, warnings, answers } = read;
      const limits = puzzleLimits(settings, settings);
      await untilAborted(solver.solve(block, limits, answers, signal), signal);
      const advice = limitAdvice(name, (nodes) => spentBudget(nodes, settings));
      // Other calls may be in progress, each with an engine of its own.
      const other =
        answers.status[0] === StatusCode.multiple
          ? await inTurns(secondSolution(block, createEngine(name), limits), turns(), signal)
          : undefined;
      return puzzleResult(block, answers, warnings, advice, other);
    },
    solveAll(file, options = {}) {
      const settings = readOptions(options, FILE_OPTIONS);
      closing.signal.throwIfAborted();
      return recordsWith(bytesOf(file), settings);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Solves in this thread, with turns for the event loop. */
function inlineSolver(engine: Engine): InlineSolver {
  return new InlineSolver(engine, clock, turns());
}

/** Reader of {@link SolveAllOptions}. */
const SOLVE_ALL_OPTIONS = { engine: ENGINE_OPTION, ...FILE_OPTIONS };

/** `solveAll` of an environment: every call has its own engine, as several files may be in progress. */
export function solveAllIn(
  unpacking: Unpacking,
  file: PuzzleFile,
  options: SolveAllOptions,
): AsyncGenerator<SolveRecord, void, void> {
  const { engine: name, ...settings } = readOptions(options, SOLVE_ALL_OPTIONS);
  const engine = createEngine(name);
  return recordsOf(bytesOf(file), settings, { unpacking, solver: inlineSolver(engine), engine });
}
