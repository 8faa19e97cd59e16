/**
 * The interface of every sudoku engine: blocks of puzzles in, arrays of answers out, no object for each puzzle.
 *
 *     puzzles.cells   | puzzle 0: cellCount bytes | puzzle 1 | ...      0 blank, 1..size a given
 *     answers.cells   | puzzle 0: first solution  | puzzle 1 | ...      all 0 if none was found
 *     answers.solutions[i], .stop[i], .nodes[i], .guesses[i]            one number for each puzzle
 */
import type { RunLimits } from '../exact-cover/dancing-links.ts';
import type { OpenAnswers } from '../exact-cover/split/split-search.ts';
import type { Geometry } from './geometry/geometry.ts';

/** Why the search for one puzzle ended or paused. */
export { SearchStop as Stop } from '../exact-cover/search.ts';

export const ENGINE_NAMES = ['dlx', 'bitboard', 'backtrack'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** Consecutive puzzles of one geometry. */
export interface PuzzleCells {
  readonly geometry: Geometry;
  /** `cellCount` bytes for each puzzle: 0 for a blank, 1 to `size` for a given. */
  readonly cells: Uint8Array;
}

/**
 * Limits of the search for one puzzle, each at least 1: 1 solution finds one, 2 prove uniqueness, Infinity counts all. Nodes are
 * those of all slices. With `pauseAtSolution`, the caller can read each solution from `answers.cells`.
 */
export interface SearchLimits extends RunLimits {
  /** Has the subproblems of a long search searched elsewhere, if the engine splits any; the answers are the same. */
  readonly openAnswers?: OpenAnswers | undefined;
}

/** One entry for each puzzle; the arrays may be in shared memory. */
export interface Answers {
  /** Solutions found, up to `maxSolutions`. */
  readonly solutions: Float64Array;
  /** A `Stop`. */
  readonly stop: Uint8Array;
  /** Nodes of the search tree that were entered, with the root. The same on every machine for the same input. */
  readonly nodes: Float64Array;
  /** Options tried while another one was left. */
  readonly guesses: Float64Array;
  /** `cellCount` bytes for each puzzle: the first solution; with `pauseAtSolution`, the latest one. */
  readonly cells: Uint8Array;
}

/**
 * Called after the search of a puzzle of a block, before the next one, so that a caller with a clock can time them. Its answer may
 * not be written yet. An exception ends the block.
 */
export type OnSearched = (index: number) => void;

export interface Engine {
  readonly name: EngineName;
  /** Raised whenever node counts or the order of solutions change. */
  readonly version: number;
  /** Whether the latest search is paused because an answer of `openAnswers` is not known yet. */
  readonly isWaiting?: boolean;
  /**
   * Most bytes that the search of one puzzle has taken since the caller set it to 0, without parts of it that are searched
   * elsewhere.
   */
  searchBytes: number;
  /** Why this engine does not support a geometry, as a sentence; undefined if it does. */
  refuses(geometry: Geometry): string | undefined;
  /**
   * Solves the puzzles `from` (inclusive) to `to` (exclusive) one by one and fills their answers. Keeps no state
   * between puzzles. Givens that clash give 0 solutions, exhausted.
   *
   * With `sliceNodes` or `pauseAtSolution`, `to` must be `from` + 1.
   *
   * @param onSearched is called for each puzzle: one call of `solve` for many puzzles costs less than a call for each
   * @throws RangeError if `refuses` returns a reason for the geometry, or a limit, digit or range is invalid
   */
  solve(
    puzzles: PuzzleCells,
    from: number,
    to: number,
    limits: SearchLimits,
    answers: Answers,
    onSearched?: OnSearched,
  ): void;
  /**
   * Continues with the puzzle whose stop is `slice` or `solution`; the limits are those of its `solve`, or others from now on. A search
   * that is paused and resumed gives the same answers and counts as an uninterrupted one.
   *
   * @throws Error if no puzzle is paused
   */
  resume(limits: SearchLimits, answers: Answers): void;
}

/** Creates answers for `count` puzzles, all zero. */
export function createAnswers(count: number, cellCount: number): Answers {
  return {
    solutions: new Float64Array(count),
    stop: new Uint8Array(count),
    nodes: new Float64Array(count),
    guesses: new Float64Array(count),
    cells: new Uint8Array(count * cellCount),
  };
}
