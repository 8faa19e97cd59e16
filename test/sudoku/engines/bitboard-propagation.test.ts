import { describe, expect, test } from 'vitest';
import { ALL, BOARD_WORDS, bitOf, wordOf } from '../../../lib/sudoku/engines/bitboard/board.ts';
import { bivalue, open, propagate } from '../../../lib/sudoku/engines/bitboard/propagation.ts';

/** Row and column of a cell, and a digit, all from 1; r1c1 is the upper left corner. */
type Candidate = readonly [row: number, column: number, digit: number];

/** A board with all candidates. */
function fullBoard(): Int32Array {
  return new Int32Array(BOARD_WORDS).fill(ALL);
}

function has(board: Int32Array, [row, column, digit]: Candidate): boolean {
  const cell = 9 * (row - 1) + column - 1;
  return ((board[3 * (digit - 1) + wordOf(cell)] >>> bitOf(cell)) & 1) === 1;
}

function remove(board: Int32Array, [row, column, digit]: Candidate): void {
  const cell = 9 * (row - 1) + column - 1;
  board[3 * (digit - 1) + wordOf(cell)] &= ~(1 << bitOf(cell));
}

/** Removes the candidates that `where` selects. */
function without(board: Int32Array, where: (candidate: Candidate) => boolean): Int32Array {
  for (const candidate of candidates()) {
    if (where(candidate)) remove(board, candidate);
  }
  return board;
}

function candidates(): Candidate[] {
  const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  return numbers.flatMap((row) =>
    numbers.flatMap((column) => numbers.map((digit): Candidate => [row, column, digit])),
  );
}

describe('propagation', () => {
  test.each<[string, (candidate: Candidate) => boolean, Candidate[], Candidate[]]>([
    [
      'a naked single removes its digit from row, column and box',
      ([row, column, digit]) => row === 1 && column === 1 && digit !== 5,
      [
        [1, 9, 5],
        [9, 1, 5],
        [3, 3, 5],
        [2, 1, 5],
      ],
      [
        [1, 1, 5],
        [4, 4, 5],
        [2, 4, 5],
        [1, 2, 6],
      ],
    ],
    [
      'a hidden single of a box removes all other digits from its cell',
      ([row, column, digit]) => digit === 5 && row <= 3 && column <= 3 && !(row === 2 && column === 2),
      [
        [2, 2, 1],
        [2, 2, 9],
        [2, 9, 5],
        [9, 2, 5],
      ],
      [
        [2, 2, 5],
        [1, 1, 1],
        [4, 4, 5],
      ],
    ],
    [
      'a hidden single of a row removes all other digits from its cell',
      ([row, column, digit]) => digit === 5 && row === 2 && column !== 7,
      [
        [2, 7, 1],
        [2, 7, 9],
        [1, 8, 5],
        [9, 7, 5],
      ],
      [
        [2, 7, 5],
        [1, 1, 5],
        [4, 4, 5],
      ],
    ],
    [
      'a digit that a box has in one row is removed from the rest of that row',
      ([row, column, digit]) => digit === 5 && row >= 2 && row <= 3 && column <= 3,
      [
        [1, 4, 5],
        [1, 9, 5],
      ],
      [
        [1, 1, 5],
        [1, 3, 5],
        [2, 4, 5],
        [1, 4, 6],
      ],
    ],
    [
      'a digit that a column has in one box is removed from the rest of that box',
      ([row, column, digit]) => digit === 5 && column === 6 && row > 3,
      [
        [1, 4, 5],
        [3, 5, 5],
      ],
      [
        [1, 6, 5],
        [3, 6, 5],
        [4, 4, 5],
      ],
    ],
    [
      'a digit that two boxes have in the same two rows is removed from those rows of the third',
      ([row, column, digit]) => digit === 5 && row === 9 && column <= 6,
      [
        [7, 7, 5],
        [8, 9, 5],
      ],
      [
        [9, 7, 5],
        [7, 1, 5],
        [8, 6, 5],
      ],
    ],
    [
      'three digits alone in a minirow are removed from the rest of its row and box',
      ([row, column, digit]) => row === 1 && column <= 3 && digit > 3,
      [
        [1, 9, 1],
        [2, 1, 2],
        [3, 3, 3],
      ],
      [
        [1, 1, 1],
        [1, 9, 4],
        [2, 1, 4],
        [4, 1, 1],
      ],
    ],
    [
      'three digits forced into a minicolumn exclude the others',
      ([row, column, digit]) => column === 1 && row > 3 && digit <= 3,
      [
        [1, 1, 4],
        [2, 1, 9],
        [3, 1, 5],
        [1, 2, 1],
      ],
      [
        [1, 1, 1],
        [3, 1, 3],
        [1, 2, 4],
      ],
    ],
  ])('%s', (_name, where, gone, kept) => {
    const board = without(fullBoard(), where);
    expect(propagate(board, 0, true)).toBe(true);
    expect(gone.filter((candidate) => has(board, candidate))).toEqual([]);
    expect(kept.filter((candidate) => !has(board, candidate))).toEqual([]);
  });

  test.each<[string, (candidate: Candidate) => boolean]>([
    ['a cell has no candidate', ([row, column]) => row === 5 && column === 5],
    ['a digit has no place in a row', ([row, , digit]) => row === 5 && digit === 5],
    ['a digit has no place in a column', ([, column, digit]) => column === 5 && digit === 5],
    [
      'two cells of a minirow are single in one digit',
      ([row, column, digit]) => row === 1 && column <= 2 && digit !== 5,
    ],
    [
      'two cells of a box are single in one digit',
      ([row, column, digit]) => row === column && row <= 2 && digit !== 5,
    ],
    [
      'two digits have one and the same place in a box',
      ([row, column, digit]) => row <= 3 && column <= 3 && digit <= 2 && !(row === 2 && column === 2),
    ],
    ['two digits are left for a minirow', ([row, column, digit]) => row === 1 && column <= 3 && digit > 2],
    ['two digits are left for a minicolumn', ([row, column, digit]) => column === 1 && row <= 3 && digit > 2],
  ])('a board is impossible if %s', (_name, where) => {
    expect(propagate(without(fullBoard(), where), 0, true)).toBe(false);
  });

  test('returns the open cells, and those with two candidates', () => {
    const board = without(fullBoard(), ([row, column, digit]) => row === 1 && column === 1 && digit > 2);
    without(board, ([row, column, digit]) => row === 9 && column === 9 && digit !== 5);
    expect(propagate(board, 0, true)).toBe(true);
    const corner = 1 << bitOf(0);
    expect([...bivalue]).toEqual([corner, 0, 0]);
    expect([...open]).toEqual([ALL, ALL, ALL & ~(1 << bitOf(80))]);
  });

  test('applies the rules for triads only on request', () => {
    // Only 1, 2 and 3 fit into the first minirow, so they are excluded from the rest of row 1.
    const where = ([row, column, digit]: Candidate) => row === 1 && column <= 3 && digit > 3;
    const [asked, unasked] = [without(fullBoard(), where), without(fullBoard(), where)];
    expect([propagate(asked, 0, true), propagate(unasked, 0, false)]).toEqual([true, true]);
    expect([has(asked, [1, 9, 1]), has(unasked, [1, 9, 1])]).toEqual([false, true]);
  });

  test('works on one of several boards', () => {
    const boards = new Int32Array(3 * BOARD_WORDS).fill(ALL);
    boards[BOARD_WORDS] = 0;
    expect(propagate(boards, BOARD_WORDS, true)).toBe(false);
    expect(propagate(boards, 2 * BOARD_WORDS, true)).toBe(true);
    expect(boards.subarray(0, BOARD_WORDS).every((word) => word === ALL)).toBe(true);
  });
});
