/**
 * How hard a puzzle is for a person: it is solved step by step, each time with the easiest technique that makes progress. The
 * rating is that of the hardest step.
 */
import type { Geometry } from '../geometry/geometry.ts';
import { Board, type Placement } from './board.ts';
import { type Finding, first } from './finding.ts';
import { bitsOf } from './layout.ts';
import { MAX_RATED_SIZE, RATINGS, type Rating } from './scale.ts';
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

/**
 * Rates a puzzle that has exactly one solution.
 *
 * @param cells 0 for a blank, 1 to `size` for a given
 * @param visit is called with each step
 * @throws RangeError if the size is above `MAX_RATED_SIZE`
 */
export function ratePuzzle(
  geometry: Geometry,
  cells: ArrayLike<number>,
  visit?: (step: Step) => void,
): Rating {
  const { size } = geometry;
  if (size > MAX_RATED_SIZE)
    throw new RangeError(`a rating of ${size}x${size}: expected at most ${MAX_RATED_SIZE} digits`);
  const board = new Board(geometry, cells);
  let hardest: Rating = RATINGS[0];
  while (board.open > 0) {
    const step = first(TECHNIQUES, (technique) => {
      const found = technique.find(board);
      return found && { technique, found };
    });
    if (step === undefined) return RATINGS[TECHNIQUES.length];
    const { technique, found } = step;
    if (technique.rating > hardest.rating) hardest = RATINGS[TECHNIQUES.indexOf(technique)];
    // As in Sudoku Explainer, a step that ends in a placement removes nothing else.
    const { removals, placement } = found;
    if (placement === undefined) for (const { cell, digits } of removals) board.remove(cell, digits);
    else board.place(placement.cell, placement.digit);
    visit?.(describe(technique, found));
  }
  return hardest;
}

function describe({ technique, rating }: Technique, { cells, digits, removals, placement }: Finding): Step {
  const listed = (mask: number) => bitsOf(mask).map((bit) => bit + 1);
  const eliminations = removals.flatMap(({ cell, digits }) =>
    listed(digits).map((digit) => ({ cell, digit })),
  );
  return { technique, rating, cells, digits: listed(digits), eliminations, placement };
}
