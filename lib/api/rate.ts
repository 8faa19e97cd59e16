/** Rates one puzzle: how hard it is for a person. */
import type { RecordError } from '../batch/results/record-error.ts';
import type { Grade as GradeName } from '../sudoku/rating/grades.ts';
import { ratedPath } from '../sudoku/rating/path.ts';
import { MAX_RATED_SIZE } from '../sudoku/rating/scale.ts';
import { dlx } from './engines/dlx.ts';
import type { PuzzleStatus } from './names.ts';
import { PUZZLE_OPTIONS, type PuzzleInput, type PuzzleOptions, readPuzzle } from './puzzle.ts';
import { readOptions } from './read-options.ts';
import { solveWith } from './solve-with.ts';

/**
 * How hard a puzzle is, in a word: `easy`, `medium`, `hard`, `expert` or `extreme`.
 *
 * @example
 * ```ts
 * import { type Grade, rate } from 'dlx-batch';
 *
 * const grade: Grade | undefined = rate('1.....3..4.....2').grade;
 * grade; // => 'easy'
 * ```
 */
export type Grade = GradeName;

/**
 * A digit of a cell.
 *
 * @example
 * ```ts
 * import { type CellDigit, rate } from 'dlx-batch';
 *
 * const first: CellDigit | undefined = rate('1.....3..4.....2').steps?.[0]?.placement;
 * first; // => { cell: 'r1c2', digit: '3' }
 * ```
 */
export interface CellDigit {
  /** Such as `r1c5`. */
  readonly cell: string;
  /** In the symbols of the puzzle. */
  readonly digit: string;
}

/**
 * One step of the solution: a technique that removes candidates or places a digit.
 *
 * @example
 * ```ts
 * import { type RatingStep, rate } from 'dlx-batch';
 *
 * const steps: readonly RatingStep[] = rate('1.....3..4.....2').steps ?? [];
 * steps.every(({ rating }) => rating <= 1.5); // => true
 * ```
 */
export interface RatingStep {
  /** Such as `hidden single in a block` or `XY-wing`. */
  readonly technique: string;
  /** The rating of the technique. */
  readonly rating: number;
  /** The cells of the pattern. */
  readonly cells: readonly string[];
  /** The digits of the pattern. */
  readonly digits: readonly string[];
  /** The candidates that the pattern excludes. A step with a placement only places that digit. */
  readonly eliminations: readonly CellDigit[];
  /** The digit that the step places. */
  readonly placement?: CellDigit;
}

/**
 * How hard a puzzle is. Fields that do not apply are undefined.
 *
 * @example
 * ```ts
 * import { type RateResult, rate } from 'dlx-batch';
 *
 * const result: RateResult = rate('................');
 * result.status; // => 'multiple'
 * result.rating; // => undefined
 * ```
 */
export interface RateResult {
  /** As of `solve`: only a puzzle with exactly one solution, `solved`, has a rating. */
  readonly status: PuzzleStatus;
  /** The rating of the hardest step, on the scale of Sudoku Explainer, from 1.0; undefined above 31 digits. */
  readonly rating?: number;
  /** Whether the puzzle may be harder, as it needs long wings, chains or a search; then the rating is at least 6.2. */
  readonly isLowerBound?: boolean;
  /** Up to 2.0 `easy`, up to 2.8 `medium`, up to 4.4 `hard`, up to 6.4 `expert`, above `extreme`. */
  readonly grade?: Grade;
  /** The hardest technique; `search` if the steps do not reach the solution. */
  readonly technique?: string;
  /** The solution step by step, each time with the easiest technique. */
  readonly steps?: readonly RatingStep[];
  /** Why the puzzle is `invalid`, `unreadable` or `limit`. */
  readonly error?: RecordError;
}

/**
 * Rates a puzzle by the techniques that a person needs; an ordinary one takes a millisecond. The same puzzle always gets the
 * same rating.
 *
 * @param puzzle a string or an array of cells, see {@link PuzzleInput}
 * @throws DlxBatchError `bad_argument` if the puzzle is neither a string nor an array, `bad_option` for an unknown option
 *   or a bad value
 *
 * @example
 * ```ts
 * import { rate } from 'dlx-batch';
 *
 * const { rating, grade, technique } = rate('53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79');
 * [rating, grade, technique]; // => [1.2, 'easy', 'hidden single in a block']
 * ```
 */
export function rate(puzzle: PuzzleInput, options: PuzzleOptions = {}): RateResult {
  const settings = readOptions(options, PUZZLE_OPTIONS);
  const { status, error } = solveWith(dlx, puzzle, settings);
  const read = readPuzzle(puzzle, settings);
  if (status !== 'solved' || read.error !== undefined) return { status, error };
  const { geometry, cells, layout } = read.block;
  if (geometry.size > MAX_RATED_SIZE) return { status };
  return { status, ...ratedPath(geometry, cells, layout.alphabet.symbols) };
}
