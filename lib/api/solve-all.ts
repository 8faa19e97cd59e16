/**
 * Solves all records of a file, in any format, with flat memory.
 *
 *     text, bytes or a stream -> plain text -> blocks of records -> solver -> records, one by one
 *
 * Nothing is read before the first record is requested, and never more than a few blocks ahead of the last one.
 */

import { RecordSource } from '../batch/job/record-source.ts';
import { rejectionOf } from '../batch/job/rejection.ts';
import type { Unpacking } from '../batch/ports.ts';
import { CoverResult } from '../batch/results/cover-result.ts';
import { GridResult } from '../batch/results/grid-result.ts';
import { limitAdvice } from '../batch/results/limit-advice.ts';
import { BlockPool } from '../batch/solving/block-pool.ts';
import type { BlockSolver } from '../batch/solving/block-solver.ts';
import { searchCover } from '../batch/solving/cover-search.ts';
import { type PuzzleLimits, puzzleLimits } from '../batch/solving/drive.ts';
import { RecordAnswer } from '../batch/solving/record-search.ts';
import { solvedBlocks } from '../batch/solving/solved-blocks.ts';
import {
  alphabetProblem,
  type CoverDetection,
  FORMAT_NAMES,
  type PuzzleDetection,
} from '../formats/formats.ts';
import type { Engine } from '../sudoku/engine.ts';
import type { VariantName } from '../sudoku/geometry/variants.ts';
import { clock } from './clock.ts';
import { DlxBatchError } from './errors.ts';
import { abortable, untilAborted } from './input-bytes.ts';
import type { CoverReport, PuzzleRecord } from './names.ts';
import {
  LIMIT_OPTIONS,
  type LimitOptions,
  PUZZLE_OPTIONS,
  type SearchOptions,
  spentBudget,
} from './puzzle.ts';
import { abortSignal, type OptionReader, oneOf, text, type Values } from './read-options.ts';
import { nextTurn } from './turn.ts';

/**
 * A file: its text, its bytes, or an iterable of pieces of either, of any size. Bytes may be plain text in UTF-8 or
 * UTF-16, or compressed: gzip, Zstandard or ZIP in Node, gzip in browsers. A Node stream, the body of a `Response` and
 * an open file are such iterables.
 *
 * @example
 * ```ts
 * import { type PuzzleFile, solveAll } from 'dlx-batch';
 *
 * async function* pieces(): AsyncGenerator<string> {
 *   yield '1.....3..4';
 *   yield '.....2\n................\n';
 * }
 * const file: PuzzleFile = pieces();
 * const statuses = [];
 * for await (const { status } of solveAll(file)) statuses.push(status);
 * statuses; // => ['solved', 'multiple']
 * ```
 */
export type PuzzleFile =
  | string
  | Uint8Array
  | AsyncIterable<string | Uint8Array>
  | Iterable<string | Uint8Array>;

/**
 * How a file is read. The format is detected; these options settle what the file leaves open.
 *
 * @example
 * ```ts
 * import { type FileOptions, solveAll } from 'dlx-batch';
 *
 * const options: FileOptions = { variant: 'x' };
 * for await (const record of solveAll('1.....3..4.....2', options)) record.status; // => 'unsolvable'
 * ```
 */
export interface FileOptions {
  /** Format of the file, such as `csv`: a value of `--format`. @default detected */
  readonly format?: string;
  /** Rules of puzzles for which the file names none. @default `standard` */
  readonly variant?: VariantName;
  /** Shape of a box, rows and columns. @default the usual one of each size */
  readonly box?: readonly [rows: number, columns: number];
  /** Symbols of the digits in order, or the name of a usual alphabet. @default detected */
  readonly alphabet?: string;
  /** Name of the file; `.dlx` and `.xcc` mean exact-cover problems. @default none */
  readonly fileName?: string;
  /** Stops reading and solving: the iteration then throws the reason of the signal. */
  readonly signal?: AbortSignal;
}

/**
 * Options of `solveAll`.
 *
 * @example
 * ```ts
 * import { type SolveAllOptions, solveAll } from 'dlx-batch';
 *
 * const options: SolveAllOptions = { solutions: Infinity, signal: AbortSignal.timeout(10_000) };
 * for await (const { solutions } of solveAll('................', options)) solutions; // => 288
 * ```
 */
export interface SolveAllOptions extends FileOptions, SearchOptions {}

/**
 * The record of one puzzle, or of one exact-cover problem, of a file; the same as in `records.jsonl`, without times. It has the
 * first solution that was found; for `multiple`, `solve(record.puzzle)` has the second one too, and the cells that differ.
 *
 * @example
 * ```ts
 * import { type SolveRecord, solveAll } from 'dlx-batch';
 *
 * const records: SolveRecord[] = [];
 * for await (const record of solveAll('1.....3..4.....2\n1.....3..4')) records.push(record);
 * records[0]?.line; // => 1
 * records[1]?.error?.code; // => 'bad_length'
 * ```
 */
export type SolveRecord = PuzzleRecord | CoverReport;

const alphabet: OptionReader<string | undefined> = (value, name) => {
  const given = text(value, name);
  const problem = given === undefined ? undefined : alphabetProblem(given);
  if (problem !== undefined) throw new DlxBatchError('bad_option', `option "${name}": ${problem}`);
  return given;
};

/** Readers of {@link FileOptions} and {@link LimitOptions}. */
export const FILE_OPTIONS = {
  format: oneOf(FORMAT_NAMES),
  variant: PUZZLE_OPTIONS.variant,
  box: PUZZLE_OPTIONS.box,
  alphabet,
  fileName: text,
  signal: abortSignal,
  ...LIMIT_OPTIONS,
};

/** The settings of a file that `FILE_OPTIONS` has read. */
export type FileSettings = Values<typeof FILE_OPTIONS>;

/** A solver of blocks. */
export type AbortableSolver = Pick<BlockSolver, 'depth' | 'sharedMemory' | 'solve'>;

/** What the records of a file are solved with. */
export interface RecordDependencies {
  readonly unpacking: Unpacking;
  readonly solver: AbortableSolver;
  /** The engine of the solver, which knows what it supports. */
  readonly engine: Engine;
}

/** Iterates over the records of a file. @throws DlxBatchError `unreadable_file` while iterating */
export async function* recordsOf(
  bytes: AsyncIterable<Uint8Array>,
  settings: FileSettings,
  { unpacking, solver, engine }: RecordDependencies,
): AsyncGenerator<SolveRecord, void, void> {
  const { signal } = settings;
  const source = new RecordSource(abortable(bytes, signal), settings, unpacking, clock);
  try {
    const detection = await source.detectReadable();
    if (detection.kind === 'empty') return;
    const limits = puzzleLimits(settings, settings);
    if (detection.kind === 'exact-cover') yield* coverRecords(source, detection, limits, signal);
    else yield* puzzleRecords(source, detection, limits, solver, engine, signal);
  } catch (error) {
    throw unreadableFile(error) ?? error;
  } finally {
    await source.close();
  }
}

async function* puzzleRecords(
  source: RecordSource,
  detection: PuzzleDetection,
  limits: PuzzleLimits,
  solver: AbortableSolver,
  engine: Engine,
  signal: AbortSignal | undefined,
): AsyncGenerator<PuzzleRecord, void, void> {
  const pool = new BlockPool(solver.sharedMemory);
  let index = 0;
  let endMs = clock.monotonicMs();
  const blocks = source.blocks(detection, pool);
  const abortableSolver: Pick<BlockSolver, 'depth' | 'solve'> = {
    depth: solver.depth,
    solve: (block, _, answers) => untilAborted(solver.solve(block, limits, answers, signal), signal),
  };
  const advice = limitAdvice(engine.name, (nodes) => spentBudget(nodes, limits));
  for await (const block of solvedBlocks(blocks, pool, { solver: abortableSolver, engine, limits })) {
    const solvedMs = clock.monotonicMs();
    const answers = pool.answersOf(block);
    for (let i = 0; i < block.count; i++) {
      yield new GridResult(block, answers, i, ++index, advice).record(false);
    }
    // The caller's time does not count: a slow caller must not make blocks small.
    pool.release(block, solvedMs - endMs);
    endMs = clock.monotonicMs();
  }
}

async function* coverRecords(
  source: RecordSource,
  detection: CoverDetection,
  limits: PuzzleLimits,
  signal: AbortSignal | undefined,
): AsyncGenerator<CoverReport, void, void> {
  let index = 0;
  const options = { clock, counting: limits.maxSolutions > 2 };
  for await (const record of source.covers(detection)) {
    const answer = record.cover && new RecordAnswer();
    const result = new CoverResult(record, answer, ++index, (nodes) => spentBudget(nodes, limits));
    if (answer !== undefined) {
      for (const step of searchCover(record.cover!.problem, limits, answer, options)) {
        if (step === 'solution') result.found();
        else await nextTurn();
        signal?.throwIfAborted();
      }
    }
    yield result.record(false);
  }
}

/** The error of a caller for one of a whole file; undefined for other errors. */
function unreadableFile(error: unknown): DlxBatchError | undefined {
  const cause = rejectionOf(error);
  return cause && new DlxBatchError('unreadable_file', cause.message, { cause });
}
