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

/** The twelve pentominoes in a rectangle without some cells; each of them, and each cell, is a primary item. */
export function pentominoes(
  rows: number,
  columns: number,
  missing: readonly number[] = [],
): ExactCoverProblem {
  const cells = Array.from({ length: rows * columns }, (_, cell) => cell).filter(
    (cell) => !missing.includes(cell),
  );
  const options: number[][] = [];
  for (let piece = 0; piece < PENTOMINOES.length; piece++) {
    for (const shape of orientations(PENTOMINOES[piece])) {
      const height = Math.max(...shape.map(([row]) => row)) + 1;
      const width = Math.max(...shape.map(([, column]) => column)) + 1;
      for (let top = 0; top + height <= rows; top++) {
        for (let left = 0; left + width <= columns; left++) {
          const covered = shape.map(([row, column]) => cells.indexOf((top + row) * columns + left + column));
          if (!covered.includes(-1)) options.push([piece, ...covered.map((cell) => 12 + cell)]);
        }
      }
    }
  }
  return createProblem({ primaryCount: 12 + cells.length, options });
}

/** The cubes of each Soma piece, as x, y and z. */
const SOMA = [
  '000 100 010',
  '000 100 200 010',
  '000 100 200 110',
  '000 100 110 210',
  '000 100 010 011',
  '000 100 010 101',
  '000 100 010 001',
];

/** The seven pieces of the Soma cube in 3x3x3; each of them, and each cell, is a primary item. */
export function somaCube(): ExactCoverProblem {
  const options: number[][] = [];
  for (const [piece, text] of SOMA.entries()) {
    for (const cubes of turned(text.split(' ').map((cube) => Array.from(cube, Number)))) {
      const [depth, width, height] = [0, 1, 2].map(
        (axis) => 3 - Math.max(...cubes.map((cube) => cube[axis])),
      );
      for (let x = 0; x < depth; x++) {
        for (let y = 0; y < width; y++) {
          for (let z = 0; z < height; z++) {
            options.push([piece, ...cubes.map(([a, b, c]) => 7 + 9 * (x + a) + 3 * (y + b) + z + c)]);
          }
        }
      }
    }
  }
  return createProblem({ primaryCount: 7 + 27, options });
}

/** The different positions of cubes after rotations, each moved to the corner at 0. */
function turned(cubes: readonly number[][]): number[][][] {
  const found = new Map<string, number[][]>();
  const add = (position: readonly number[][]) => {
    const corner = [0, 1, 2].map((axis) => Math.min(...position.map((cube) => cube[axis])));
    const moved = position.map((cube) => cube.map((value, axis) => value - corner[axis])).sort();
    const key = moved.join(' ');
    if (found.has(key)) return;
    found.set(key, moved);
    // Two quarter turns generate all rotations.
    add(moved.map(([x, y, z]) => [-y, x, z]));
    add(moved.map(([x, y, z]) => [x, -z, y]));
  };
  add(cubes);
  return [...found.values()];
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
