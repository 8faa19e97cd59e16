/** `createSolver` and `solveAll` in browsers. */
import { FileRejection } from '../batch/job/input.ts';
import type { Unpacking } from '../batch/ports.ts';
import type { EngineName } from './names.ts';
import { ENGINE_OPTION } from './puzzle.ts';
import { badOption, type OptionReader, readOptions, whole } from './read-options.ts';
import type { PuzzleFile, SolveAllOptions, SolveRecord } from './solve-all.ts';
import { batchSolver, type Solver, solveAllIn } from './solver.ts';
import { type WebWorker, webWorkerPool } from './web-workers.ts';

/** Browsers decompress gzip only. */
const unpacking: Unpacking = {
  async *unpack(format, packed) {
    if (format !== 'gzip') {
      const message = `the file is ${format} data, which browsers do not unpack: expected plain text or gzip`;
      throw new FileRejection({ code: 'unsupported_compression', message });
    }
    const source = packed[Symbol.asyncIterator]();
    let sourceError: unknown;
    const stored = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        try {
          const next = await source.next();
          // The source may reuse its array.
          if (next.done === true) controller.close();
          else controller.enqueue(new Uint8Array(next.value));
        } catch (error) {
          sourceError = error;
          controller.error(error);
        }
      },
      cancel: async () => void (await source.return?.()),
    });
    const reader = stored.pipeThrough(new DecompressionStream('gzip')).getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
    } catch (error) {
      const message = `the gzip data is damaged or truncated: ${error}`;
      throw sourceError ?? new FileRejection({ code: 'corrupt', message });
    } finally {
      await reader.cancel().catch(() => {});
    }
  },
};

/**
 * Options of `createSolver`; all are optional.
 *
 * @example
 * ```ts
 * import { createSolver, type SolverOptions } from 'dlx-batch/browser';
 *
 * const options: SolverOptions = { engine: 'bitboard' };
 * createSolver(options).workers; // => 1
 * ```
 */
export interface SolverOptions {
  /** Search engine; `bitboard` is the fastest for ordinary 9x9 and refuses others. @default `dlx` */
  readonly engine?: EngineName;
  /** Creates a Web Worker whose script calls `serveSolver`. @default none: the page's own thread solves, in slices */
  readonly createWorker?: () => WebWorker;
  /** Number of Web Workers, 1 to 1024; only with `createWorker`. @default the number of cores */
  readonly workers?: number;
}

const createWorkerOption: OptionReader<(() => WebWorker) | undefined> = (value, name) => {
  if (value === undefined || typeof value === 'function') return value as () => WebWorker;
  throw badOption(name, value, 'a function that creates a Web Worker');
};

const SOLVER_OPTIONS = { engine: ENGINE_OPTION, createWorker: createWorkerOption, workers: whole(1, 1024) };

/**
 * Creates a solver for many puzzles. With `createWorker` it solves on Web Workers, which start with the first puzzle:
 *
 *     // worker.js
 *     import { serveSolver } from 'dlx-batch/browser';
 *     serveSolver();
 *
 *     // page.js
 *     const createWorker = () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
 *     const solver = createSolver({ createWorker });
 *
 * @throws DlxBatchError `bad_option` for an unknown option or a bad value
 *
 * @example
 * ```ts
 * import { createSolver } from 'dlx-batch/browser';
 *
 * const solver = createSolver({ engine: 'dlx' });
 * (await solver.solve('1.....3..4.....2')).solution; // => '1324423124133142'
 * await solver.close();
 * ```
 */
export function createSolver(options: SolverOptions = {}): Solver {
  const { engine, createWorker, workers } = readOptions(options, SOLVER_OPTIONS);
  if (createWorker === undefined) {
    if ((workers ?? 1) > 1) throw badOption('workers', workers, '1, or a function createWorker');
    return batchSolver(engine, 1, { unpacking });
  }
  const count = workers ?? navigator.hardwareConcurrency;
  return batchSolver(engine, count, {
    unpacking,
    open: async () => webWorkerPool(engine, count, createWorker),
  });
}

/**
 * Solves all puzzles of a file of any format, one by one and in order, in this thread; `createSolver` uses Web Workers.
 *
 * Memory stays flat: the file is read as its records are requested, a few blocks of at most 512 puzzles ahead. Ending the
 * iteration early (`break`, `return`) stops reading. A malformed puzzle is a record with the status `unreadable`. Events
 * are handled during long searches.
 *
 * @param file text, bytes, or an iterable of pieces of these, such as the body of a `Response`; bytes may be gzip data
 * @returns a record for each puzzle, or for each exact-cover problem
 * @throws DlxBatchError at once: `bad_argument`, `bad_option`; while iterating: `unreadable_file` if the whole file cannot
 *   be read, with a `cause` that has a code of its own, such as `no_puzzles`
 *
 * @example
 * ```ts
 * import { solveAll } from 'dlx-batch/browser';
 *
 * const { body } = new Response('1.....3..4.....2\n11..............\n');
 * const statuses = [];
 * for await (const { status } of solveAll(body!)) statuses.push(status);
 * statuses; // => ['solved', 'invalid']
 * ```
 */
export function solveAll(
  file: PuzzleFile,
  options: SolveAllOptions = {},
): AsyncGenerator<SolveRecord, void, void> {
  return solveAllIn(unpacking, file, options);
}
