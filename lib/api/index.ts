/**
 * Solves sudokus of every size and variant, and exact covers: `import { solve } from 'dlx-batch'`.
 *
 * @module dlx-batch
 */
import type { Unpacking } from '../batch/ports.ts';
import type { EngineName } from './names.ts';
import { ENGINE_OPTION } from './puzzle.ts';
import { readOptions, whole } from './read-options.ts';
import type { PuzzleFile, SolveAllOptions, SolveRecord } from './solve-all.ts';
import { batchSolver, type Environment, type Solver, solveAllIn } from './solver.ts';

export * from './core.ts';

const unpacking: Unpacking = {
  async *unpack(format, packed) {
    const { zlibUnpacking } = await import('./node.ts');
    yield* zlibUnpacking.unpack(format, packed);
  },
};

const environment: Environment = {
  unpacking,
  async open(workers, engine) {
    const { openSolver } = await import('./node.ts');
    return openSolver(workers, engine);
  },
};

/**
 * Options of `createSolver`; all are optional.
 *
 * @example
 * ```ts
 * import { createSolver, type SolverOptions } from 'dlx-batch';
 *
 * const options: SolverOptions = { engine: 'bitboard', workers: 2 };
 * const solver = createSolver(options);
 * solver.workers; // => 2
 * await solver.close();
 * ```
 */
export interface SolverOptions {
  /** Search engine; `bitboard` is the fastest for ordinary 9x9 and refuses others. @default `dlx` */
  readonly engine?: EngineName;
  /** Number of threads that solve, 1 to 1024; 1 means the caller's. @default the number of cores */
  readonly workers?: number;
}

const SOLVER_OPTIONS = { engine: ENGINE_OPTION, workers: whole(1, 1024) };

/**
 * Creates a solver for many puzzles. Threads start when there is work for some hundredths of a second, and keep the process
 * running until `close`.
 *
 * @throws DlxBatchError `bad_option` for an unknown option or a bad value
 *
 * @example
 * ```ts
 * import { createSolver } from 'dlx-batch';
 *
 * const solver = createSolver({ engine: 'dlx', workers: 2 });
 * const statuses = [];
 * for await (const { status } of solver.solveAll('1.....3..4.....2\n123....4........\n')) statuses.push(status);
 * statuses; // => ['solved', 'unsolvable']
 * (await solver.solve('................')).status; // => 'multiple'
 * await solver.close();
 * ```
 */
export function createSolver(options: SolverOptions = {}): Solver {
  const { engine, workers = navigator.hardwareConcurrency } = readOptions(options, SOLVER_OPTIONS);
  return batchSolver(engine, workers, workers === 1 ? { unpacking } : environment);
}

/**
 * Solves all puzzles of a file of any format, one by one and in order, in this thread; `createSolver` uses several.
 *
 * Memory stays flat: the file is read as its records are requested, a few blocks of at most 512 puzzles ahead. Ending the
 * iteration early (`break`, `return`) stops reading. A malformed puzzle is a record with the status `unreadable`. Events
 * are handled during long searches.
 *
 * @param file text, bytes, or an iterable of pieces of these; compressed bytes (gzip, Zstandard, ZIP) too
 * @returns a record for each puzzle, or for each exact-cover problem
 * @throws DlxBatchError at once: `bad_argument`, `bad_option`; while iterating: `unreadable_file` if the whole file cannot
 *   be read, with a `cause` that has a code of its own, such as `no_puzzles`
 *
 * @example
 * ```ts
 * import { solveAll } from 'dlx-batch';
 *
 * const file = 'id,puzzle\neasy,1.....3..4.....2\ncut,1.....3..4\n';
 * const lines = [];
 * for await (const record of solveAll(file)) lines.push(`line ${record.line}: ${record.status}`);
 * lines; // => ['line 2: solved', 'line 3: unreadable']
 * ```
 */
export function solveAll(
  file: PuzzleFile,
  options: SolveAllOptions = {},
): AsyncGenerator<SolveRecord, void, void> {
  return solveAllIn(unpacking, file, options);
}
