/** A solver for many puzzles, in this thread or on several. */
import type { Unpacking } from '../batch/ports.ts';
import { limitAdvice } from '../batch/results/limit-advice.ts';
import { createBlockAnswers } from '../batch/solving/block-answers.ts';
import { InlineSolver } from '../batch/solving/block-solver.ts';
import { StatusCode } from '../batch/solving/puzzle-status.ts';
import type { Engine, EngineName } from '../sudoku/engine.ts';
import { createEngine } from '../sudoku/engines.ts';
import { clock } from './clock.ts';
import { DlxBatchError } from './errors.ts';
import { bytesOf } from './input-bytes.ts';
import {
  ENGINE_OPTION,
  LIMIT_OPTIONS,
  type LimitOptions,
  PUZZLE_OPTIONS,
  type PuzzleInput,
  type PuzzleOptions,
  puzzleLimits,
  readPuzzle,
  spentBudget,
} from './puzzle.ts';
import { type PuzzleResult, puzzleResult, refusedResult, unreadableResult } from './puzzle-result.ts';
import { abortSignal, readOptions } from './read-options.ts';
import { secondSolution } from './second-solution.ts';
import {
  type AbortableSolver,
  FILE_OPTIONS,
  type FileOptions,
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
export class BatchSolver implements Solver {
  readonly workers: number;
  readonly #engine: Engine;
  readonly #environment: Environment;
  #opened: Promise<OpenedSolver> | undefined;
  readonly #closing = new AbortController();

  constructor(engine: EngineName, workers: number, environment: Environment) {
    this.workers = workers;
    this.#engine = createEngine(engine);
    this.#environment = environment;
  }

  async solve(puzzle: PuzzleInput, options: SolverPuzzleOptions = {}): Promise<PuzzleResult> {
    const settings = readOptions(options, SOLVER_PUZZLE_OPTIONS);
    const { solver } = await this.#open();
    const signal = this.#signal(settings.signal);
    signal.throwIfAborted();
    const read = readPuzzle(puzzle, settings, solver.sharedMemory);
    if (read.error !== undefined) return unreadableResult(read.error);
    const { block, warnings } = read;
    const { cellCount } = block.geometry;
    const refusal = this.#engine.refuses(block.geometry);
    if (refusal !== undefined) return refusedResult(this.#engine, refusal);
    const answers = createBlockAnswers(1, cellCount, solver.sharedMemory);
    await untilAborted(solver.solve(block, puzzleLimits(settings), answers, signal), signal);
    const advice = limitAdvice(this.#engine.name, (nodes) => spentBudget(nodes, settings));
    const isMultiple = answers.status[0] === StatusCode.multiple;
    // Other calls may be in progress, each with an engine of its own.
    const search = isMultiple
      ? secondSolution(block, createEngine(this.#engine.name), puzzleLimits(settings))
      : undefined;
    const other = search && (await inTurns(search, turns(), signal));
    return puzzleResult(block, answers, warnings, advice, other);
  }

  solveAll(
    file: PuzzleFile,
    options: FileOptions & LimitOptions = {},
  ): AsyncGenerator<SolveRecord, void, void> {
    const settings = readOptions(options, FILE_OPTIONS);
    this.#closing.signal.throwIfAborted();
    return this.#solveAll(bytesOf(file), settings);
  }

  async *#solveAll(
    bytes: AsyncIterable<Uint8Array>,
    settings: ReturnType<typeof readOptions<typeof FILE_OPTIONS>>,
  ): AsyncGenerator<SolveRecord, void, void> {
    const { solver } = await this.#open();
    const signal = this.#signal(settings.signal);
    const solving: AbortableSolver = {
      depth: solver.depth,
      sharedMemory: solver.sharedMemory,
      solve: (block, limits, answers) => untilAborted(solver.solve(block, limits, answers, signal), signal),
    };
    const { unpacking } = this.#environment;
    const dependencies = { unpacking, solver: solving, engine: this.#engine };
    yield* recordsOf(bytes, { ...settings, signal }, dependencies);
  }

  async close(): Promise<void> {
    if (!this.#closing.signal.aborted)
      this.#closing.abort(new DlxBatchError('closed', 'the solver was closed'));
    const opened = await this.#opened;
    await opened?.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #signal(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
  }

  #open(): Promise<OpenedSolver> {
    this.#closing.signal.throwIfAborted();
    this.#opened ??=
      this.#environment.open?.(this.workers, this.#engine) ??
      Promise.resolve({ solver: inlineSolver(this.#engine), close: async () => {} });
    return this.#opened;
  }
}

/** Solves in this thread, with turns for the event loop. */
function inlineSolver(engine: Engine): InlineSolver {
  return new InlineSolver(engine, clock, turns());
}

/** The promise, or the reason of the signal as soon as it is aborted. */
async function untilAborted(solved: Promise<void>, signal: AbortSignal): Promise<void> {
  let abort: () => void = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
  try {
    await Promise.race([solved, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
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
