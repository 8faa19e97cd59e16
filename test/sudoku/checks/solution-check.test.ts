import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSolutions, isSolutionOf } from '../../../lib/sudoku/checks/solution-check.ts';
import { type Geometry, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { propertyRuns } from '../../support/depth.ts';
import { cellsOf } from '../cells.ts';
import { latin9 } from '../variant-geometries.ts';

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
  it('accepts a solution of the puzzle', () => {
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
  ])('rejects a grid $name', ({ givens, grid }) => {
    expect(isSolutionOf(nine, givens, 0, grid, 0)).toBe(false);
  });

  it.each([
    { kind: 'row', digitAt: (row: number, column: number) => (column % 3) * 3 + row },
    { kind: 'column', digitAt: (row: number, column: number) => (row % 3) * 3 + column },
    { kind: 'box', digitAt: (row: number, column: number) => row + column },
  ])('rejects a grid in which only a $kind has a digit twice', ({ kind, digitAt }) => {
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
  ])('works for size $size, and detects a change of any cell', ({ size, box: [boxRows, boxColumns] }) => {
    const geometry = standardGeometry(size, boxRows, boxColumns);
    const grid = patternGrid(size, boxRows, boxColumns);
    const givens = new Uint8Array(size * size);
    expect(isSolutionOf(geometry, givens, 0, grid, 0)).toBe(true);
    fc.assert(
      fc.property(fc.nat({ max: size * size - 1 }), fc.nat({ max: 255 }), (cell, value) => {
        const right = grid[cell] === value;
        expect(isSolutionOf(geometry, givens, 0, changed(grid, { [cell]: value }), 0)).toBe(right);
      }),
      { numRuns: propertyRuns(size > 100 ? 5 : 50) },
    );
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

  it('takes the rules of a geometry from its units alone', () => {
    const cyclic = Uint8Array.from(blank, (_, cell) => ((cell + Math.floor(cell / 9)) % 9) + 1);
    expect(isSolutionOf(latin9, blank, 0, cyclic, 0)).toBe(true);
    expect(isSolutionOf(nine, blank, 0, cyclic, 0)).toBe(false);
  });
});

describe('the solution check of a block', () => {
  /** Returns the verdicts on the grids `from` to `to`. */
  function verdictsOn(
    geometry: Geometry,
    givens: Uint8Array,
    grids: Uint8Array,
    from: number,
    to: number,
  ): number[] {
    const verdicts = new Uint8Array(to - from).fill(7);
    checkSolutions(geometry, givens, grids, from, to, verdicts);
    return [...verdicts];
  }

  const cell = fc.nat({ max: 80 });
  const change = fc.oneof(
    fc.record({ kind: fc.constant('set' as const), at: cell, value: fc.nat({ max: 255 }) }),
    fc.record({ kind: fc.constant('digit' as const), at: cell, value: fc.integer({ min: 1, max: 9 }) }),
    fc.record({ kind: fc.constant('swap' as const), at: cell, value: cell }),
  );
  const puzzle = fc.record({
    changes: fc.array(change, { maxLength: 3 }),
    given: fc.uniqueArray(cell, { maxLength: 40 }),
    wrong: fc.option(fc.tuple(cell, fc.integer({ min: 1, max: 255 })), { freq: 5 }),
  });

  it('gives the verdict of each grid alone', () => {
    const seen = [0, 0];
    fc.assert(
      fc.property(
        fc.array(puzzle, { minLength: 1, maxLength: 9 }),
        fc.nat({ max: 3 }),
        (puzzles, skipped) => {
          const givens = new Uint8Array(puzzles.length * 81);
          const grids = new Uint8Array(puzzles.length * 81);
          for (const [i, { changes, given, wrong }] of puzzles.entries()) {
            const grid = grids.subarray(i * 81, (i + 1) * 81);
            grid.set(solution);
            for (const at of given) givens[i * 81 + at] = solution[at];
            if (wrong !== null) givens[i * 81 + wrong[0]] = wrong[1];
            for (const { kind, at, value } of changes) {
              const before = grid[at];
              grid[at] = kind === 'swap' ? grid[value] : value;
              if (kind === 'swap') grid[value] = before;
            }
          }
          const from = Math.min(skipped, puzzles.length - 1);
          const alone = Array.from({ length: puzzles.length - from }, (_, k) => {
            const offset = (from + k) * 81;
            return isSolutionOf(nine, givens, offset, grids, offset) ? 1 : 0;
          });
          for (const verdict of alone) seen[verdict]++;
          expect(verdictsOn(nine, givens, grids, from, puzzles.length)).toEqual(alone);
        },
      ),
      { numRuns: propertyRuns(1_000) },
    );
    expect(Math.min(...seen)).toBeGreaterThan(100);
  });

  it.each([
    { kind: 'row', digitAt: (row: number, column: number) => (column % 3) * 3 + row },
    { kind: 'column', digitAt: (row: number, column: number) => (row % 3) * 3 + column },
    { kind: 'box', digitAt: (row: number, column: number) => row + column },
  ])('rejects a grid in which only a $kind has a digit twice', ({ digitAt }) => {
    const grid = blank.map((_, at) => (digitAt(Math.floor(at / 9), at % 9) % 9) + 1);
    expect(verdictsOn(nine, blank, grid, 0, 1)).toEqual([0]);
  });

  it('detects a change of any cell and of any given', () => {
    for (let at = 0; at < 81; at++) {
      const grids = new Uint8Array(255 * 81);
      const givens = new Uint8Array(255 * 81);
      const same = new Uint8Array(255 * 81);
      for (let value = 1; value <= 255; value++) {
        grids.set(changed(solution, { [at]: value }), (value - 1) * 81);
        givens.set(changed(blank, { [at]: value }), (value - 1) * 81);
        same.set(solution, (value - 1) * 81);
      }
      const right = Array.from({ length: 255 }, (_, k) => (solution[at] === k + 1 ? 1 : 0));
      expect(verdictsOn(nine, new Uint8Array(255 * 81), grids, 0, 255)).toEqual(right);
      expect(verdictsOn(nine, givens, same, 0, 255)).toEqual(right);
    }
  });

  it('checks more grids than its memory has space for', () => {
    const count = 1_300;
    const grids = new Uint8Array(count * 81);
    for (let i = 0; i < count; i++) grids.set(i % 7 === 0 ? blank : solution, i * 81);
    const verdicts = verdictsOn(nine, new Uint8Array(count * 81), grids, 5, count);
    expect(verdicts).toEqual(Array.from({ length: count - 5 }, (_, k) => ((k + 5) % 7 === 0 ? 0 : 1)));
  });

  it.each([
    { name: 'without boxes', geometry: latin9 },
    { name: 'with fewer rows', geometry: { ...nine, units: nine.units.slice(1) } },
  ])('takes other rules of the same size from their units: $name', ({ geometry }) => {
    const cyclic = Uint8Array.from(blank, (_, at) => ((at + Math.floor(at / 9)) % 9) + 1);
    const right = isSolutionOf(geometry, blank, 0, cyclic, 0) ? 1 : 0;
    expect(verdictsOn(geometry, blank, cyclic, 0, 1)).toEqual([right]);
  });
});

it.each(Array.from({ length: 40 }, (_, k) => k + 1))(
  'a grid of size %i is checked by its own rules',
  (size) => {
    const geometry = standardGeometry(size, 1, size);
    const blank = new Uint8Array(size * size);
    const grid = blank.map((_, cell) => ((cell + Math.floor(cell / size)) % size) + 1);
    expect(isSolutionOf(geometry, blank, 0, grid, 0)).toBe(true);
    const wrong = grid.with(0, (grid[0] % size) + 1);
    expect(isSolutionOf(geometry, blank, 0, wrong, 0)).toBe(size === 1);
  },
);
