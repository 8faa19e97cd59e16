/** Problems with known numbers of solutions, as exact covers. */

import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { createProblem } from './create-problem.ts';

/** Knuth's small example, items a-g as 0-6: c e, a d g, b c f, a d f, b g, d e g. */
export function knuthExample(): ExactCoverProblem {
  const options = ['24', '036', '125', '035', '16', '346'].map((items) => Array.from(items, Number));
  return createProblem({ primaryCount: 7, options });
}

/** n queens: rows and columns are primary items, diagonals secondary ones. */
export function queens(n: number): ExactCoverProblem {
  const diagonals = 2 * n - 1;
  const options: number[][] = [];
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      options.push([row, n + column, 2 * n + row + column, 2 * n + diagonals + row - column + n - 1]);
    }
  }
  return createProblem({ primaryCount: 2 * n, secondaryCount: 2 * diagonals, options });
}

/** Langford pairs: 1 1 to n n in a row of 2n places, k places between the two k. Mirror images are counted. */
export function langford(n: number): ExactCoverProblem {
  const options: number[][] = [];
  for (let digit = 1; digit <= n; digit++) {
    for (let place = 0; place + digit + 1 < 2 * n; place++) {
      options.push([digit - 1, n + place, n + place + digit + 1]);
    }
  }
  return createProblem({ primaryCount: 3 * n, options });
}

const PENTOMINOES = [
  '.##/##./.#.',
  '#####',
  '####/#...',
  '###./..##',
  '###/##.',
  '###/.#./.#.',
  '#.#/###',
  '###/#../#..',
  '##./.##/..#',
  '.#./###/.#.',
  '####/.#..',
  '##./.#./.##',
];

/** The twelve pentominoes in a rectangle; each of them, and each cell, is a primary item. */
export function pentominoes(rows: number, columns: number): ExactCoverProblem {
  const options: number[][] = [];
  for (let piece = 0; piece < PENTOMINOES.length; piece++) {
    for (const shape of orientations(PENTOMINOES[piece])) {
      const height = Math.max(...shape.map(([row]) => row)) + 1;
      const width = Math.max(...shape.map(([, column]) => column)) + 1;
      for (let top = 0; top + height <= rows; top++) {
        for (let left = 0; left + width <= columns; left++) {
          const cells = shape.map(([row, column]) => 12 + (top + row) * columns + left + column);
          options.push([piece, ...cells]);
        }
      }
    }
  }
  return createProblem({ primaryCount: 12 + rows * columns, options });
}

type Cell = readonly [row: number, column: number];

function orientations(picture: string): Cell[][] {
  let shape: Cell[] = picture
    .split('/')
    .flatMap((line, row) =>
      [...line].flatMap((mark, column): Cell[] => (mark === '#' ? [[row, column]] : [])),
    );
  const found = new Map<string, Cell[]>();
  for (let turn = 0; turn < 8; turn++) {
    shape = shape.map(([row, column]): Cell => (turn === 4 ? [row, -column] : [column, -row]));
    const top = Math.min(...shape.map(([row]) => row));
    const left = Math.min(...shape.map(([, column]) => column));
    const moved = shape
      .map(([row, column]): Cell => [row - top, column - left])
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    found.set(moved.join(';'), moved);
  }
  return [...found.values()];
}
