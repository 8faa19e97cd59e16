/** Ratings of the puzzles of a block. Threads that rate nothing, such as those of a page, do not load this file. */
import { type PuzzleCells, Stop } from '../../sudoku/engine.ts';
import { ratePuzzle } from '../../sudoku/rating/rate.ts';
import { MAX_RATED_SIZE, RATINGS } from '../../sudoku/rating/scale.ts';
import { type BlockAnswers, TOO_LARGE } from './block-answers.ts';
import { StatusCode } from './puzzle-status.ts';

/** Rates a record that has an answer, if it has exactly one solution. The rating depends on its givens alone. */
export function rateRecord({ geometry, cells }: PuzzleCells, index: number, answers: BlockAnswers): void {
  if (answers.status[index] !== StatusCode.solved || answers.stop[index] !== Stop.exhausted) return;
  const { size, cellCount } = geometry;
  const givens = cells.subarray(index * cellCount, (index + 1) * cellCount);
  answers.rating[index] =
    size > MAX_RATED_SIZE ? TOO_LARGE : 1 + RATINGS.indexOf(ratePuzzle(geometry, givens));
}
