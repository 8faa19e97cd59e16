/** The answer to one puzzle, as the caller receives it. */
import { clashError, countGivens } from '../batch/results/givens.ts';
import type { LimitAdvice } from '../batch/results/limit-advice.ts';
import { limitError, type RecordError } from '../batch/results/record-error.ts';
import { type BlockAnswers, createBlockAnswers } from '../batch/solving/block-answers.ts';
import { PUZZLE_STATUSES, type PuzzleStatus, StatusCode } from '../batch/solving/puzzle-status.ts';
import { refusalText } from '../batch/solving/refuse-block.ts';
import type { RecordBlock } from '../formats/records/record-block.ts';
import { gridText } from '../formats/writing/grid-text.ts';
import { type Engine, Stop } from '../sudoku/engine.ts';
import type { Geometry } from '../sudoku/geometry/geometry.ts';
import { cellName } from '../sudoku/names.ts';
import { type PuzzleOptions, readPuzzle } from './puzzle.ts';

/**
 * The answer to one puzzle. Fields that do not apply are undefined.
 *
 * @example
 * ```ts
 * import { type PuzzleResult, solve } from 'dlx-batch';
 *
 * const result: PuzzleResult = solve('11..............');
 * result.status; // => 'invalid'
 * result.error?.message; // => '1 occurs twice in row 1 (r1c1, r1c2); 1 occurs twice in box 1 (r1c1, r1c2)'
 * solve('123.3.1.2.......').differingCells; // => ['r3c2', 'r3c4', 'r4c2', 'r4c4']
 * ```
 */
export interface PuzzleResult {
  /**
   * - `solved`: it has a solution, the only one unless `solutions` is 1
   * - `multiple`: it has more than one solution
   * - `unsolvable`: it is proven that it has none
   * - `invalid`: its givens clash
   * - `unreadable`: it is no puzzle of these rules
   * - `limit`: the budget ran out; nothing is proven
   */
  readonly status: PuzzleStatus;
  /** The first solution in the symbols of the puzzle, one for each cell; numbers of several digits have spaces. */
  readonly solution?: string;
  /** The same as numbers, 1 to size, one for each cell. */
  readonly cells?: readonly number[];
  /** If the status is `multiple`: the second solution that was found, in the symbols of the puzzle. */
  readonly otherSolution?: string;
  /** The cells in which both solutions differ, such as `r1c5`. */
  readonly differingCells?: readonly string[];
  /** Solutions found, at most the option `solutions`. */
  readonly solutions: number;
  /** Whether the whole search space was searched, so that `solutions` is the exact number. */
  readonly exact: boolean;
  /** Number of cells that are not blank. */
  readonly givens: number;
  /** Nodes of the search tree; the same on every machine. */
  readonly nodes: number;
  /** Values tried while a cell or unit had another one left. */
  readonly guesses: number;
  /** Assumptions about the puzzle, such as `alphabet_assumed`. */
  readonly warnings?: readonly string[];
  /**
   * Why the status is `invalid`, `unreadable` or `limit`. After a search that was long enough to estimate its tree in a tenth of
   * its time, the message of `limit` has the size of the tree, but not from `solveWith`.
   */
  readonly error?: RecordError;
}

/** The result of the only puzzle of a block. @param other its second solution, if it has several */
export function puzzleResult(
  block: RecordBlock,
  { status, solutions, stop, nodes, guesses, cells: solved }: BlockAnswers,
  warnings: readonly string[] | undefined,
  advice?: LimitAdvice,
  other?: Uint8Array,
): PuzzleResult {
  const { geometry, layout, cells } = block;
  const code = status[0]!;
  const solution = solutions[0]! > 0 ? solved.subarray(0, geometry.cellCount) : undefined;
  return {
    status: PUZZLE_STATUSES[code]!,
    solution: solution && gridText(layout, solution, 0),
    cells: solution && Array.from(solution),
    otherSolution: other && gridText(layout, other, 0),
    differingCells: other && differingCells(geometry, solved, other),
    solutions: solutions[0]!,
    exact: stop[0] === Stop.exhausted,
    givens: countGivens(cells, 0, geometry.cellCount),
    nodes: nodes[0]!,
    guesses: guesses[0]!,
    warnings,
    error:
      code === StatusCode.invalid
        ? clashError(geometry, cells, 0, layout.alphabet.symbols)
        : code === StatusCode.limit
          ? limitError(solutions[0]!, nodes[0]!, advice?.(block, 0, nodes[0]!, Number.POSITIVE_INFINITY))
          : undefined,
  };
}

function differingCells(geometry: Geometry, one: Uint8Array, other: Uint8Array): string[] {
  const names: string[] = [];
  for (let cell = 0; cell < geometry.cellCount; cell++) {
    if (one[cell] !== other[cell]) names.push(cellName(geometry, cell));
  }
  return names;
}

/**
 * Reads a puzzle for an engine.
 *
 * @param settings options that `PUZZLE_OPTIONS` has read
 * @param shared whether its block and answers are in shared memory, for worker threads
 * @returns its block, for its answers; or the result of a puzzle that cannot be read, or is not supported by the engine
 */
export function readFor(engine: Engine, puzzle: unknown, settings: PuzzleOptions, shared?: boolean) {
  const read = readPuzzle(puzzle, settings, shared);
  if (read.error !== undefined) return unreadableResult(read.error);
  const { geometry } = read.block;
  const refusal = engine.refuses(geometry);
  if (refusal === undefined) return { ...read, answers: createBlockAnswers(1, geometry.cellCount, shared) };
  return unreadableResult({ code: 'unsupported_variant', message: refusalText(engine, refusal) });
}

function unreadableResult(error: RecordError): PuzzleResult {
  return { status: 'unreadable', solutions: 0, exact: false, givens: 0, nodes: 0, guesses: 0, error };
}
