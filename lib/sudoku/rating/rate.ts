/**
 * How hard a puzzle is for a person: it is solved step by step, each time with the easiest technique that makes progress. The
 * rating is that of the hardest step.
 */
import type { Geometry } from '../geometry/geometry.ts';
import { Board, type Placement } from './board.ts';
import { type Finding, first } from './finding.ts';
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
  /** Whether the puzzle may be harder: it needs a long wing, a chain or a search, whose size is not measured. */
  readonly isLowerBound: boolean;
  /** The hardest technique; `search` if the techniques do not solve the puzzle. */
  readonly technique: string;
  readonly grade: Grade;
}

/** From here on a rating is a lower bound: of long wings, chains and searches, the size is not measured. */
const BOUND = 6.2;

/** The first rating of Sudoku Explainer for chains, which are all that is left. */
const SEARCH = { name: 'search', rating: 6.5 };

/** The largest number of digits: a mask is one word. */
export const MAX_RATED_SIZE = 31;

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
  let hardest: Omit<Technique, 'find'> = TECHNIQUES[0];
  while (board.open > 0) {
    const step = first(TECHNIQUES, (technique) => {
      const found = technique.find(board);
      return found && { technique, found };
    });
    if (step === undefined) {
      hardest = SEARCH;
      break;
    }
    const { technique, found } = step;
    if (technique.rating > hardest.rating) hardest = technique;
    // As in Sudoku Explainer, a step that ends in a placement removes nothing else.
    const { removals, placement } = found;
    if (placement === undefined) for (const { cell, digits } of removals) board.remove(cell, digits);
    else board.place(placement.cell, placement.digit);
    visit?.(describe(technique, found));
  }
  const { name, rating } = hardest;
  return { rating, isLowerBound: rating >= BOUND, technique: name, grade: gradeOf(rating) };
}

function describe({ name, rating }: Technique, { cells, digits, removals, placement }: Finding): Step {
  const listed = (mask: number) => bitsOf(mask).map((bit) => bit + 1);
  const eliminations = removals.flatMap(({ cell, digits }) =>
    listed(digits).map((digit) => ({ cell, digit })),
  );
  return { technique: name, rating, cells, digits: listed(digits), eliminations, placement };
}
