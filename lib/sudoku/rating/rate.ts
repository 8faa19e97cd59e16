/**
 * How hard a puzzle is for a person: it is solved step by step, each time with the easiest technique that makes progress. The
 * rating is that of the hardest step.
 */
import type { Geometry } from '../geometry/geometry.ts';
import { Board, MAX_RATED_SIZE, type Placement } from './board.ts';
import type { Finding } from './finding.ts';
import { type Grade, gradeOf } from './grades.ts';
import { bitsOf } from './layout.ts';
import { TECHNIQUES, type Technique } from './techniques.ts';

/** One application of a technique. */
export interface Step {
  readonly technique: string;
  readonly rating: number;
  /** The cells and digits of the pattern. */
  readonly cells: readonly number[];
  readonly digits: readonly number[];
  /** The candidates that the step removes; with a placement, those that lead to it. */
  readonly eliminations: readonly Placement[];
  readonly placement?: Placement | undefined;
}

export interface Rating {
  /** The rating of the hardest step, from 1.0. */
  readonly rating: number;
  /** Whether the puzzle may be harder: it needs a chain or a search, whose length is not measured. */
  readonly isLowerBound: boolean;
  /** The hardest technique; `search` if the techniques do not solve the puzzle. */
  readonly technique: string;
  readonly grade: Grade;
}

/** The first rating of Sudoku Explainer for chains, which are all that is left. */
const SEARCH = { technique: 'search', rating: 6.5 };

/** Why a geometry has no ratings, as a sentence; undefined if it has. */
export function ratingRefusal({ size }: Geometry): string | undefined {
  return size > MAX_RATED_SIZE
    ? `Ratings have at most ${MAX_RATED_SIZE} digits: this is ${size}x${size}.`
    : undefined;
}

/**
 * Rates a puzzle that has exactly one solution.
 *
 * @param cells from `offset`, 0 for a blank, 1 to `size` for a given
 * @param visit is called with each step
 * @throws RangeError if `ratingRefusal` returns a reason for the geometry
 */
export function ratePuzzle(
  geometry: Geometry,
  cells: ArrayLike<number>,
  visit?: (step: Step) => void,
): Rating {
  const board = new Board(geometry, cells);
  let hardest = { technique: 'none', rating: 1 };
  while (board.open > 0) {
    const step = nextStep(board);
    if (step === undefined) {
      hardest = SEARCH;
      break;
    }
    const { technique, found } = step;
    if (technique.rating > hardest.rating || hardest.technique === 'none') {
      hardest = { technique: technique.name, rating: technique.rating };
    }
    apply(board, found);
    visit?.(describe(technique, found));
  }
  const { technique, rating } = hardest;
  return { rating, isLowerBound: rating >= SEARCH.rating, technique, grade: gradeOf(rating) };
}

function nextStep(board: Board): { technique: Technique; found: Finding } | undefined {
  for (const technique of TECHNIQUES) {
    const found = technique.find(board);
    if (found !== undefined) return { technique, found };
  }
  return undefined;
}

/** Removes the candidates or, if the step ends in a placement, only places the digit, as Sudoku Explainer does. */
function apply(board: Board, { removals, placement }: Finding): void {
  if (placement !== undefined) board.place(placement.cell, placement.digit);
  else for (const { cell, digits } of removals) board.remove(cell, digits);
}

function describe({ name, rating }: Technique, { cells, digits, removals, placement }: Finding): Step {
  const listed = (mask: number) => bitsOf(mask).map((bit) => bit + 1);
  const eliminations = removals.flatMap(({ cell, digits }) =>
    listed(digits).map((digit) => ({ cell, digit })),
  );
  return { technique: name, rating, cells, digits: listed(digits), eliminations, placement };
}
