/** Matrices of 0s and 1s that may also be puzzles, in which 0 is a blank and 1 a given. */
import { LayoutBook, RARE_SIZES } from '../records/layout-book.ts';
import type { CoverDraft } from './cover-draft.ts';
import type { CoverProblem } from './cover-record.ts';

const SIZES: readonly number[] = [...new LayoutBook({}).sizes, ...RARE_SIZES];

/** The sizes of the puzzles that a matrix of that shape may be. */
export function puzzleSizes(rows: number, width: number): readonly number[] {
  return SIZES.filter((size) => {
    const cells = size * size;
    return (width === size && rows % size === 0) || width === cells || rows * width === cells;
  });
}

/** Whether a matrix without errors may be puzzles, and nothing else. */
export function puzzleReading(
  { good, itemCount, shape, line }: CoverDraft,
  cover: CoverProblem,
): 'alone' | 'too' | 'not' {
  const { items, optionStart, optionCount } = cover.problem;
  const sizes = puzzleSizes(good, itemCount);
  if (shape?.rows !== undefined) return optionCount > 0 ? 'not' : 'alone';
  if (sizes.length === 0) return 'not';
  if (new Set(items).size < itemCount) return 'alone';
  const ones = Array.from({ length: optionCount }, (_, option) =>
    Array.from(
      items.subarray(optionStart[option], optionStart[option + 1]),
      (item) => (cover.lineOf[option] - line) * itemCount + item,
    ),
  ).flat();
  return sizes.some((size) => !onesClash(ones, size)) ? 'too' : 'not';
}

/** Whether two of the cells that are 1 are in one row or one column of a grid. */
function onesClash(ones: readonly number[], size: number): boolean {
  const rows = ones.map((cell) => Math.floor(cell / size));
  const columns = ones.map((cell) => Math.floor(cell / (size * size)) * size + (cell % size));
  return [rows, columns].some((units) => new Set(units).size < units.length);
}
