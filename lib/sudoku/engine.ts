/**
 * What every sudoku engine looks like: blocks of puzzles in, arrays of answers out, no object for a puzzle.
 *
 *     puzzles.cells   | puzzle 0: cellCount bytes | puzzle 1 | ...      0 blank, 1..size a given
 *     answers.cells   | puzzle 0: first solution  | puzzle 1 | ...      all 0 where none was found
 *     answers.solutions[i], .stop[i], .nodes[i], .guesses[i]            one number a puzzle
 */
import type { Geometry } from './geometry/geometry.ts';

export const ENGINE_NAMES = ['dlx', 'bitboard', 'bitmask', 'backtrack'] as const;
export type EngineName = (typeof ENGINE_NAMES)[number];

/** A run of puzzles of one geometry. */
export interface PuzzleCells {
  readonly geometry: Geometry;
  /** `cellCount` bytes a puzzle: 0 for a blank, 1 to `size` for a given. */
  readonly cells: Uint8Array;
}

/** Why the search for one puzzle ended. */
export const Stop = {
  /** Every possibility was seen: `solutions` is exact. */
  exhausted: 0,
  /** `maxSolutions` were found. */
  solutionLimit: 1,
  /** `maxNodes` were used up: what was not found may still exist. */
  nodeLimit: 2,
  /** The slice ended, or a solution was found and `pauseAtSolution` was set: `resume` goes on. */
  paused: 3,
} as const;
export type Stop = (typeof Stop)[keyof typeof Stop];

export interface SearchLimits {
  /** Stop after so many solutions: 1 finds, 2 proves uniqueness, Infinity counts all. At least 1. */
  readonly maxSolutions: number;
  /** Search nodes allowed for one puzzle, over all its slices; at least 1, may be Infinity. */
  readonly maxNodes: number;
  /** Nodes in one call of `solve` or `resume` before it pauses; Infinity for never. */
  readonly sliceNodes: number;
  /** Pause after each solution, so that all of them can be read from `answers.cells` one by one. */
  readonly pauseAtSolution: boolean;
}

/** One entry a puzzle; the arrays may lie in shared memory. */
export interface Answers {
  /** Solutions found, up to `maxSolutions`. */
  readonly solutions: Float64Array;
  /** A `Stop`. */
  readonly stop: Uint8Array;
  /** Nodes of the search tree that were entered, the root included. The same everywhere for the same input. */
  readonly nodes: Float64Array;
  /** Options tried where more than one was left. */
  readonly guesses: Float64Array;
  /** `cellCount` bytes a puzzle: the first solution; with `pauseAtSolution`, the latest one. */
  readonly cells: Uint8Array;
}

/** Told of each puzzle of a block, so that whoever has a clock can time it; what it throws ends the block. */
export interface SearchWatch {
  /** The searches that follow are about to begin. */
  begin(): void;
  /** The search of puzzle `index` is over, and the next one begins. Its answer may not be there yet. */
  end(index: number): void;
}

export interface Engine {
  readonly name: EngineName;
  /** Raised whenever node counts or the order of solutions change. */
  readonly version: number;
  /** Why this engine does not take a geometry, as a sentence; undefined where it takes it. */
  refuses(geometry: Geometry): string | undefined;
  /**
   * Solves the puzzles `from` (inclusive) to `to` (exclusive) one after the other and fills their answers.
   * Keeps nothing between puzzles. Givens that clash give 0 solutions, exhausted.
   *
   * With `sliceNodes` or `pauseAtSolution`, `to` must be `from` + 1.
   *
   * @param watch told of each puzzle as it is solved: many puzzles in one call cost less than a call for each
   * @throws RangeError where the geometry is one that `refuses` names
   */
  solve(
    puzzles: PuzzleCells,
    from: number,
    to: number,
    limits: SearchLimits,
    answers: Answers,
    watch?: SearchWatch,
  ): void;
  /**
   * Goes on with the puzzle whose stop is `paused`; the same limits as in its `solve`. Paused and resumed, a
   * search gives the same answers and counts as an unbroken one.
   *
   * @throws Error where no puzzle is paused
   */
  resume(limits: SearchLimits, answers: Answers): void;
}

/** Answers for `count` puzzles, all zero. */
export function createAnswers(count: number, cellCount: number): Answers {
  return {
    solutions: new Float64Array(count),
    stop: new Uint8Array(count),
    nodes: new Float64Array(count),
    guesses: new Float64Array(count),
    cells: new Uint8Array(count * cellCount),
  };
}
