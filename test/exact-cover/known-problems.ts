/** Problems with multiplicities whose numbers of solutions are known. */
import { createProblem } from './create-problem.ts';

/** The intervals from..to within 0..end, as pairs. */
function intervals(end: number): (readonly [from: number, to: number])[] {
  return Array.from({ length: end }, (_, from) =>
    Array.from({ length: end - from }, (_, length) => [from, from + length + 1] as const),
  ).flat();
}

/**
 * Dissections of a board into rectangles, in which every inner line of the board is the upper or left side of a rectangle:
 * none comes from a smaller board.
 *
 * @param isMotley no two rectangles have the same rows, nor the same columns, and none spans the board
 */
function dissections(rows: number, columns: number, isMotley: boolean) {
  const cells = rows * columns;
  const lines = rows - 1 + columns - 1;
  const primaryCount = cells + lines;
  const isAllowed =
    (end: number) =>
    ([from, to]: readonly [number, number]) =>
      !isMotley || from > 0 || to < end;
  const tall = intervals(rows).filter(isAllowed(rows));
  const wide = intervals(columns).filter(isAllowed(columns));
  const options = tall.flatMap(([top, bottom], rowPair) =>
    wide.map(([left, right], columnPair) => {
      const items: number[] = [];
      for (let row = top; row < bottom; row++) {
        for (let column = left; column < right; column++) items.push(row * columns + column);
      }
      if (top > 0) items.push(cells + top - 1);
      if (left > 0) items.push(cells + rows - 1 + left - 1);
      if (isMotley) items.push(primaryCount + rowPair, primaryCount + tall.length + columnPair);
      return items;
    }),
  );
  const secondaryCount = isMotley ? tall.length + wide.length : 0;
  return {
    ...createProblem({ primaryCount, secondaryCount, options }),
    multiplicities: {
      least: new Int32Array(primaryCount).fill(1),
      most: new Int32Array(primaryCount).fill(1).fill(Math.max(rows, columns), cells),
    },
  };
}

/** Knuth's REDRECT-DLX: 219 dissections of 3x3, 2,161 of 3x4, 1,286,759 of 4x5. */
export const reducedDissections = (rows: number, columns: number) => dissections(rows, columns, false);

/** Knuth's MOTLEY-DLX finds one of each two that are reflections: 8 of 4x4, 150 of 5x5. */
export const motleyDissections = (rows: number, columns: number) => dissections(rows, columns, true);
