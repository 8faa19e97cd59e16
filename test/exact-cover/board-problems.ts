/** Boards to be covered with pieces: problems whose residual problems occur again and fall apart. */
import fc from 'fast-check';
import type { ExactCoverProblem } from '../../lib/exact-cover/problem.ts';
import { createProblem } from './create-problem.ts';

/** Dominoes on a board without some cells. */
export function dominoes(rows: number, columns: number, missing: readonly number[] = []): ExactCoverProblem {
  const cells = Array.from({ length: rows * columns }, (_, cell) => cell).filter(
    (cell) => !missing.includes(cell),
  );
  const options = neighbours(rows, columns).flatMap(([a, b]) =>
    cells.includes(a) && cells.includes(b) ? [[cells.indexOf(a), cells.indexOf(b)]] : [],
  );
  return createProblem({ primaryCount: cells.length, options });
}

/** Pairs of neighbouring cells. */
function neighbours(rows: number, columns: number): [number, number][] {
  const pairs: [number, number][] = [];
  for (let cell = 0; cell < rows * columns; cell++) {
    if (cell % columns < columns - 1) pairs.push([cell, cell + 1]);
    if (cell + columns < rows * columns) pairs.push([cell, cell + columns]);
  }
  return pairs;
}

/** Latin squares: cells, and each digit in each row and each column. */
export function latinSquare(size: number): ExactCoverProblem {
  const options: number[][] = [];
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      for (let digit = 0; digit < size; digit++) {
        options.push([
          row * size + column,
          size * size + row * size + digit,
          2 * size * size + column * size + digit,
        ]);
      }
    }
  }
  return createProblem({ primaryCount: 3 * size * size, options });
}

/** `count` items, each with two options of its own: 2^count solutions. */
export function choices(count: number): ExactCoverProblem {
  const options = Array.from({ length: 2 * count }, (_, option) => [option >> 1]);
  return createProblem({ primaryCount: count, options });
}

/**
 * Small boards with dominoes, single cells and corners. Some cells are missing, some are secondary, and some pieces give a
 * secondary item a colour.
 */
export const boardProblem: fc.Arbitrary<ExactCoverProblem> = fc
  .record({
    rows: fc.integer({ min: 1, max: 4 }),
    columns: fc.integer({ min: 2, max: 5 }),
    coloured: fc.boolean(),
    seed: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  })
  .map(({ rows, columns, coloured, seed }) => {
    let state = seed;
    const random = (below: number) => {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9;
      return (state >>> 0) % below;
    };
    const cells = Array.from({ length: rows * columns }, (_, cell) => cell);
    const kinds = cells.map(() => random(8));
    const primary = cells.filter((cell) => kinds[cell]! > 1);
    const order = [...primary, ...cells.filter((cell) => kinds[cell] === 1)];
    const marks = 2;
    const options: number[][] = [];
    const colours: number[][] = [];
    const pieces = [
      ...neighbours(rows, columns),
      ...cells.filter(() => random(3) === 0).map((cell) => [cell]),
    ];
    for (const piece of pieces) {
      const items = piece.map((cell) => order.indexOf(cell));
      if (items.includes(-1) || random(10) === 0) continue;
      const mark = random(4);
      options.push(mark < marks ? [...items, order.length + mark] : items);
      const colour = random(3);
      colours.push(options.at(-1)!.map((_, k) => (k === items.length ? colour : 0)));
    }
    return createProblem({
      primaryCount: primary.length,
      secondaryCount: order.length - primary.length + marks,
      options,
      colours: coloured ? colours : undefined,
    });
  });
