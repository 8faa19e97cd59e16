/**
 * The size of a puzzle's exact-cover matrix.
 *
 * The matrix of a puzzle has one option for each given. For a blank cell it has one for each digit that no given in the
 * cell's units has. No further conclusions are drawn. A 9x9 with 164 options:
 *
 *     items     81 cells + 81 row-digits + 81 column-digits + 81 box-digits                  324
 *     nodes     4 for each option, one for each item, and the root        4 * 164 + 324 + 1 = 981
 *
 * Bytes are given for two layouts: the arrays of lib/exact-cover for this matrix alone (with the working memory of
 * the search), and a plain linked layout. There a node has 6 components (left, right, up, down, row, column), each
 * option has 2 more, and each item and the root 1 more: 981 * 6 + 164 * 2 + 325 = 6,539.
 */
import { openBytes } from '../exact-cover/open-search.ts';
import { type ExactCoverProblem, nodeCount } from '../exact-cover/problem.ts';
import type { Geometry } from './geometry/geometry.ts';
import { givenOptions, type SudokuCover, sudokuCover } from './sudoku-cover.ts';

export interface MatrixReport {
  readonly options: number;
  readonly items: number;
  /** Entries of the options, heads of the items, and the root. */
  readonly nodes: number;
  /** Bytes of the arrays of lib/exact-cover. */
  readonly bytes: number;
  /** Bytes of the plain linked layout. */
  readonly seedBytes: number;
}

/**
 * Measures a puzzle's matrix.
 *
 * @param cells `cellCount` values from `offset`: 0 for a blank, 1 to `size` for a given
 */
export function matrixReport(geometry: Geometry, cells: Uint8Array, offset: number): MatrixReport {
  return problemReport(matrixOf(sudokuCover(geometry), cells, offset));
}

/** Measures the matrix of any exact-cover problem. */
export function problemReport(problem: ExactCoverProblem): MatrixReport {
  const options = problem.optionCount;
  const items = problem.primaryCount + problem.secondaryCount;
  const nodes = nodeCount(problem);
  return { options, items, nodes, bytes: openBytes(problem), seedBytes: nodes * 6 + options * 2 + items + 1 };
}

/** Builds the matrix: the options of the givens, and those that share no item with them. */
function matrixOf(cover: SudokuCover, cells: Uint8Array, offset: number): ExactCoverProblem {
  const { problem } = cover;
  const itemsOf = (option: number) =>
    problem.items.subarray(problem.optionStart[option], problem.optionStart[option + 1]);
  const givens = new Set(givenOptions(cover, cells, offset));
  const covered = new Set(Array.from(givens, itemsOf).flatMap((items) => [...items]));
  const optionStart = [0];
  const items: number[] = [];
  for (let option = 0; option < problem.optionCount; option++) {
    const its = itemsOf(option);
    if (!givens.has(option) && its.some((item) => covered.has(item))) continue;
    items.push(...its);
    optionStart.push(items.length);
  }
  return {
    ...problem,
    optionCount: optionStart.length - 1,
    optionStart: Int32Array.from(optionStart),
    items: Int32Array.from(items),
  };
}
