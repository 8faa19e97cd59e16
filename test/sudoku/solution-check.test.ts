import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardGeometry } from '../../lib/sudoku/geometry.ts';
import { isSolutionOf } from '../../lib/sudoku/solution-check.ts';
import { cellsOf } from './cells.ts';
import { latin9, overlapping4 } from './variant-geometries.ts';

const nine = standardGeometry(9);
const solution = cellsOf(
  '712469358 365287194 498513672 924156837 576398241 183724965 231975486 647832519 859641723',
);
const blank = new Uint8Array(81);

/** The standard pattern grid of any box shape. */
function patternGrid(size: number, boxRows: number, boxColumns: number): Uint8Array {
  return Uint8Array.from({ length: size * size }, (_, cell) => {
    const row = Math.floor(cell / size);
    return (((row % boxRows) * boxColumns + Math.floor(row / boxRows) + (cell % size)) % size) + 1;
  });
}

const changed = (cells: Uint8Array, changes: Record<number, number>) =>
  cells.map((value, cell) => changes[cell] ?? value);

describe('the solution check', () => {
  it('takes a solution of the puzzle', () => {
    expect(isSolutionOf(nine, changed(blank, { 0: 7, 80: 3 }), 0, solution, 0)).toBe(true);
  });

  it.each([
    { name: 'that changes a given', givens: changed(blank, { 0: 1 }), grid: solution },
    { name: 'with a blank', givens: blank, grid: changed(solution, { 40: 0 }) },
    { name: 'with a digit over the size', givens: blank, grid: changed(solution, { 40: 10 }) },
    { name: 'with a digit that is equal modulo 32', givens: blank, grid: changed(solution, { 40: 9 + 32 }) },
    { name: 'with a digit twice', givens: blank, grid: changed(solution, { 40: 1 }) },
    { name: 'with two columns swapped in one row', givens: blank, grid: changed(solution, { 0: 1, 1: 7 }) },
    { name: 'that is all blank', givens: blank, grid: blank },
    { name: 'that ends early', givens: blank, grid: solution.subarray(0, 80) },
    { name: 'for givens that end early', givens: blank.subarray(1), grid: solution },
  ])('refuses a grid $name', ({ givens, grid }) => {
    expect(isSolutionOf(nine, givens, 0, grid, 0)).toBe(false);
  });

  it.each([
    { kind: 'row', digitAt: (row: number, column: number) => (column % 3) * 3 + row },
    { kind: 'column', digitAt: (row: number, column: number) => (row % 3) * 3 + column },
    { kind: 'box', digitAt: (row: number, column: number) => row + column },
  ])('refuses a grid in which only a $kind has a digit twice', ({ kind, digitAt }) => {
    const grid = blank.map((_, cell) => (digitAt(Math.floor(cell / 9), cell % 9) % 9) + 1);
    const otherRules = { ...nine, units: nine.units.filter((unit) => unit.kind !== kind) };
    expect(isSolutionOf(nine, blank, 0, grid, 0)).toBe(false);
    expect(isSolutionOf(otherRules, blank, 0, grid, 0)).toBe(true);
  });

  it.each([
    { size: 4, box: [2, 2] },
    { size: 6, box: [2, 3] },
    { size: 9, box: [3, 3] },
    { size: 25, box: [5, 5] },
    { size: 31, box: [1, 31] },
    { size: 32, box: [4, 8] },
    { size: 36, box: [6, 6] },
    { size: 255, box: [15, 17] },
  ])('works at size $size, and sees any one cell changed', ({ size, box: [boxRows, boxColumns] }) => {
    const geometry = standardGeometry(size, boxRows, boxColumns);
    const grid = patternGrid(size, boxRows, boxColumns);
    const givens = new Uint8Array(size * size);
    expect(isSolutionOf(geometry, givens, 0, grid, 0)).toBe(true);
    fc.assert(
      fc.property(fc.nat({ max: size * size - 1 }), fc.nat({ max: 255 }), (cell, value) => {
        const right = grid[cell] === value;
        expect(isSolutionOf(geometry, givens, 0, changed(grid, { [cell]: value }), 0)).toBe(right);
      }),
      { numRuns: size > 100 ? 5 : 50 },
    );
  });

  it('of an ordinary 9x9, words at a time, says what unit by unit says', () => {
    // The same rules, told in an order in which no ordinary 9x9 tells them.
    const [first, ...others] = nine.units;
    const unusual = { ...nine, units: [{ ...first, cells: first.cells.toReversed() }, ...others] };
    const cell = fc.nat({ max: 80 });
    const change = fc.oneof(
      fc.record({ kind: fc.constant('set' as const), at: cell, value: fc.nat({ max: 255 }) }),
      fc.record({ kind: fc.constant('swap' as const), at: cell, value: cell }),
    );
    const givenCells = fc.uniqueArray(cell, { maxLength: 40 });
    const room = fc.nat({ max: 9 });
    let right = 0;
    let wrong = 0;
    fc.assert(
      fc.property(fc.array(change, { maxLength: 3 }), givenCells, room, room, (changes, givenAt, a, b) => {
        const grid = solution.slice();
        const givens = new Uint8Array(a + 81 + 5).subarray(a > 4 ? 4 : 0);
        const givensOffset = a > 4 ? a - 4 : a;
        for (const at of givenAt) givens[givensOffset + at] = solution[at];
        for (const { kind, at, value } of changes) {
          const before = grid[at];
          grid[at] = kind === 'set' ? value : grid[value];
          if (kind === 'swap') grid[value] = before;
        }
        const solutions = new Uint8Array(b + 81);
        solutions.set(grid, b);
        const found = isSolutionOf(nine, givens, givensOffset, solutions, b);
        expect(found).toBe(isSolutionOf(unusual, givens, givensOffset, solutions, b));
        if (found) right++;
        else wrong++;
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(right, wrong)).toBeGreaterThan(100);
  });

  it('of an ordinary 9x9 sees any one given that is not kept', () => {
    for (let cell = 0; cell < 81; cell++) {
      for (let digit = 1; digit <= 255; digit++) {
        const right = solution[cell] === digit;
        expect(isSolutionOf(nine, changed(blank, { [cell]: digit }), 0, solution, 0)).toBe(right);
      }
    }
  });

  it('reads both grids from their offsets', () => {
    const givens = new Uint8Array(3 * 81);
    givens.set(changed(blank, { 0: 7 }), 81);
    givens.set(changed(blank, { 0: 1 }), 162);
    const grids = new Uint8Array(2 * 81);
    grids.set(solution, 81);
    expect(isSolutionOf(nine, givens, 81, grids, 81)).toBe(true);
    expect(isSolutionOf(nine, givens, 162, grids, 81)).toBe(false);
    expect(isSolutionOf(nine, givens, 81, grids, 0)).toBe(false);
  });

  it('knows the rules of a geometry from its units alone', () => {
    const cyclic = Uint8Array.from(blank, (_, cell) => ((cell + Math.floor(cell / 9)) % 9) + 1);
    expect(isSolutionOf(latin9, blank, 0, cyclic, 0)).toBe(true);
    expect(isSolutionOf(nine, blank, 0, cyclic, 0)).toBe(false);
  });

  it('holds the gaps between overlapping grids to nothing but their givens', () => {
    const solved = cellsOf('1234.. 3412.. 214321 432143 ..1234 ..3412');
    const givens = (changes: Record<number, number>) => changed(new Uint8Array(36), changes);
    expect(isSolutionOf(overlapping4, givens({ 0: 1 }), 0, solved, 0)).toBe(true);
    expect(isSolutionOf(overlapping4, givens({ 4: 1 }), 0, solved, 0)).toBe(false);
    expect(isSolutionOf(overlapping4, givens({}), 0, changed(solved, { 35: 3 }), 0)).toBe(false);
  });
});
