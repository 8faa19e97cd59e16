import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ALL, BOARD_WORDS, bitOf, wordOf } from '../../../../lib/sudoku/engines/bitboard/board.ts';
import { open, propagate } from '../../../../lib/sudoku/engines/bitboard/propagation.ts';
import { placeGivens } from '../../../../lib/sudoku/engines/bitboard/scalar-kernel.ts';
import { chooseNineItem } from '../../../../lib/sudoku/engines/dlx/nine-choice.ts';
import { itemsOf, NineLinks } from '../../../../lib/sudoku/engines/dlx/nine-links.ts';
import { standardGeometry } from '../../../../lib/sudoku/geometry/geometry.ts';
import { propertyRuns } from '../../../support/depth.ts';
import { puzzleOf } from '../../random-puzzles.ts';

interface Option {
  readonly cell: number;
  readonly digit: number;
}

const NINE = standardGeometry(9);
const CELLS = Array.from({ length: 81 }, (_, cell) => cell);
const DIGITS = [0, 1, 2, 3, 4, 5, 6, 7, 8];

/** Lists the candidates of a board, cell by cell. */
function optionsOf(board: Int32Array): Option[] {
  return CELLS.flatMap((cell) =>
    DIGITS.filter((digit) => ((board[3 * digit + wordOf(cell)] >>> bitOf(cell)) & 1) === 1).map((digit) => ({
      cell,
      digit,
    })),
  );
}

/** Whether two options have an item in common. */
function exclude(a: Option, b: Option): boolean {
  const items = itemsOf(a.cell, a.digit);
  return itemsOf(b.cell, b.digit).some((item, k) => item === items[k]);
}

/** The rule from the options alone: the points of an item, counted one by one for each option. */
function pointsOf(item: number, options: readonly Option[]): number {
  const candidates = (cell: number) => options.filter((option) => option.cell === cell).length;
  let points = 0;
  for (const option of options.filter(({ cell, digit }) => itemsOf(cell, digit).includes(item))) {
    for (const other of options) {
      if (other === option || !exclude(option, other)) continue;
      points += 1;
      if (other.cell !== option.cell && candidates(other.cell) === 2) points += 2;
    }
  }
  return points;
}

describe('the choice of an item', () => {
  test('is the first with the most points, of the first 32 with the fewest options', () => {
    let chosen = 0;
    fc.assert(
      fc.property(puzzleOf(NINE), (cells) => {
        const board = new Int32Array(BOARD_WORDS);
        placeGivens(board, cells, 0);
        if (!propagate(board, 0, true) || (open[0] | open[1] | open[2]) === 0) return;
        const links = new NineLinks();
        links.link(board, 0, open);
        const all = optionsOf(board);
        const sizeOf = new Map<number, number>();
        for (const { cell, digit } of all) {
          for (const item of itemsOf(cell, digit)) sizeOf.set(item, (sizeOf.get(item) ?? 0) + 1);
        }
        const branching = [...sizeOf].filter(([, size]) => size > 1);
        const least = Math.min(...branching.map(([, size]) => size));
        const tied = branching.filter(([, size]) => size === least).map(([item]) => item);
        const compared = tied.sort((a, b) => a - b).slice(0, 32);
        const points = compared.map((item) => pointsOf(item, all));
        expect(chooseNineItem(links, board, 0)).toBe(compared[points.indexOf(Math.max(...points))]);
        chosen++;
      }),
      { numRuns: propertyRuns(20) },
    );
    expect(chosen).toBeGreaterThan(0);
  });

  test('is a larger item if none has two options', () => {
    const board = new Int32Array(BOARD_WORDS).fill(ALL);
    // No 9 in r1c1 to r1c6: three places in row 1; all other items have more.
    for (const cell of CELLS.slice(0, 6)) board[3 * 8 + wordOf(cell)] &= ~(1 << bitOf(cell));
    const links = new NineLinks();
    links.link(board, 0, Int32Array.of(ALL, ALL, ALL));
    expect(chooseNineItem(links, board, 0)).toBe(82 + 8);
  });
});
