import { describe, expect, it } from 'vitest';
import { isSolutionOf } from '../../../lib/sudoku/checks/solution-check.ts';
import { randomFullGrid } from '../../../lib/sudoku/generator/full-grid.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { completed } from '../../../lib/sudoku/generator/steps.ts';
import { type Geometry, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { textOf } from '../cells.ts';
import { diagonal9, jigsaw6, latin9, overlapping4, windoku9 } from '../variant-geometries.ts';

describe('a random full grid', () => {
  it.each([
    standardGeometry(1, 1, 1),
    standardGeometry(4),
    standardGeometry(6, 3, 2),
    standardGeometry(9),
    standardGeometry(10),
    standardGeometry(11, 1, 11),
    standardGeometry(12),
    standardGeometry(16),
    standardGeometry(25),
    standardGeometry(36),
    latin9,
    diagonal9,
    windoku9,
    jigsaw6,
    overlapping4,
  ])('of $variant $size with boxes $boxRows x $boxColumns follows the rules', (geometry) => {
    const random = new RandomSource(1);
    for (let k = 0; k < 10; k++) {
      const grid = completed(randomFullGrid(geometry, random))!;
      expect(isSolutionOf(geometry, new Uint8Array(geometry.cellCount), 0, grid, 0)).toBe(true);
    }
  });

  it.each([4, 9, 16])('of size %i differs from the one before', (size) => {
    const random = new RandomSource(1);
    const grids = Array.from({ length: 20 }, () =>
      textOf(completed(randomFullGrid(standardGeometry(size), random))!),
    );
    expect(new Set(grids).size).toBeGreaterThan(10);
  });

  it('of a large size does not have the regularity of its pattern', () => {
    // In the pattern, two rows of a band are shifts of each other, so all their cycles are equally long.
    const grid = completed(randomFullGrid(standardGeometry(16), new RandomSource(1)))!;
    expect(new Set(cycleLengths(grid, 16, 0, 1)).size).toBeGreaterThan(1);
    expect(new Set(cycleLengths(grid, 16, 14, 15)).size).toBeGreaterThan(1);
  });

  it('of rules that contradict each other is an error', () => {
    const two = standardGeometry(2, 1, 2);
    const contradiction: Geometry = {
      ...two,
      variant: 'x',
      units: [...two.units, { kind: 'diagonal', ordinal: 1, cells: Int32Array.of(0, 3) }],
    };
    expect(completed(randomFullGrid(contradiction, new RandomSource(1)))).toBeUndefined();
  });
});

/** Lengths of the cycles from each digit of one row to the digit below it in another. */
function cycleLengths(grid: Uint8Array, size: number, row: number, other: number): number[] {
  const below = new Map<number, number>();
  for (let column = 0; column < size; column++) {
    below.set(grid[row * size + column], grid[other * size + column]);
  }
  const lengths: number[] = [];
  for (const start of [...below.keys()]) {
    let length = 0;
    for (let digit = start; below.has(digit); length++) {
      const next = below.get(digit)!;
      below.delete(digit);
      digit = next;
    }
    if (length > 0) lengths.push(length);
  }
  return lengths;
}
