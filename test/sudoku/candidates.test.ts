import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCandidate, withCandidates } from '../../lib/sudoku/candidates.ts';
import { checkSolutions, isSolutionOf } from '../../lib/sudoku/checks/solution-check.ts';
import { createAnswers, Stop } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { type Geometry, standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';

const four = standardGeometry(4);
const dlx = createEngine('dlx');

/** All solutions of a puzzle. */
function solutionsOf(geometry: Geometry, cells = new Uint8Array(geometry.cellCount)): Uint8Array[] {
  const answers = createAnswers(1, geometry.cellCount);
  const limits = { maxSolutions: Infinity, maxNodes: Infinity, sliceNodes: Infinity, pauseAtSolution: true };
  const solutions: Uint8Array[] = [];
  dlx.solve({ geometry, cells }, 0, 1, limits, answers);
  while (answers.stop[0]! >= Stop.slice) {
    solutions.push(answers.cells.slice());
    dlx.resume(limits, answers);
  }
  return solutions;
}

const all = solutionsOf(four);
const sorted = (grids: readonly Uint8Array[]) => grids.map((grid) => grid.join('')).sort();

describe('a puzzle given by candidates', () => {
  it('has the solutions of the empty grid whose digits are all candidates, and no others', () => {
    expect(all.length).toBe(288);
    const mask = fc.integer({ min: 0, max: 15 }).map((marks) => (marks % 5 === 0 ? 15 : marks));
    fc.assert(
      fc.property(fc.array(mask, { minLength: 16, maxLength: 16 }), fc.nat(287), (masks, one) => {
        // One of the grids is always allowed, so that every puzzle has a solution.
        const candidates = Int32Array.from(masks, (marks, cell) => marks | (1 << (all[one]![cell]! - 1)));
        const geometry = withCandidates(four, candidates);
        const fitting = all.filter((grid) =>
          grid.every((digit, cell) => (candidates[cell]! >> (digit - 1)) & 1),
        );
        expect(sorted(solutionsOf(geometry))).toEqual(sorted(fitting));
        for (const grid of all) {
          expect(isSolutionOf(geometry, new Uint8Array(16), 0, grid, 0)).toBe(fitting.includes(grid));
        }
      }),
    );
  });

  it('may have givens too, each of which is a candidate of its cell', () => {
    fc.assert(
      fc.property(fc.nat(287), fc.array(fc.nat(15), { minLength: 16, maxLength: 16 }), (one, masks) => {
        const candidates = Int32Array.from(masks, (marks, cell) => marks | (1 << (all[one]![cell]! - 1)));
        const geometry = withCandidates(four, candidates);
        const cells = all[one]!.map((digit, cell) => (masks[cell]! % 3 === 0 ? digit : 0));
        const fitting = solutionsOf(geometry).filter((grid) =>
          cells.every((digit, cell) => digit === 0 || digit === grid[cell]),
        );
        expect(sorted(solutionsOf(geometry, cells))).toEqual(sorted(fitting));
      }),
    );
    const geometry = withCandidates(four, new Int32Array(16).fill(0b0111));
    expect(() => solutionsOf(geometry, new Uint8Array(16).fill(4, 0, 1))).toThrow('digit 4 in cell 0');
  });

  it('without a candidate in some cell has no solution', () => {
    const candidates = new Int32Array(16).fill(15);
    candidates[7] = 0;
    expect(solutionsOf(withCandidates(four, candidates))).toEqual([]);
  });

  it('of 9x9 is not checked like an ordinary 9x9', () => {
    const nine = standardGeometry(9);
    const solution = Uint8Array.from({ length: 81 }, (_, cell) => {
      const row = Math.floor(cell / 9);
      return ((cell + 3 * row + Math.floor(row / 3)) % 9) + 1;
    });
    const candidates = Int32Array.from(solution, (digit) => 1 << (digit - 1));
    const verdicts = new Uint8Array(1);
    checkSolutions(withCandidates(nine, candidates), new Uint8Array(81), solution, 0, 1, verdicts);
    expect(verdicts[0]).toBe(1);
    candidates[80] = ~candidates[80]! & 511;
    checkSolutions(withCandidates(nine, candidates), new Uint8Array(81), solution, 0, 1, verdicts);
    expect(verdicts[0]).toBe(0);
  });

  it('gives the digits that a cell may have', () => {
    const geometry = withCandidates(four, new Int32Array(16).fill(0b0101));
    expect([1, 2, 3, 4].map((digit) => isCandidate(geometry, 3, digit))).toEqual([true, false, true, false]);
    expect(isCandidate(four, 3, 4)).toBe(true);
  });

  it.each(['bitboard', 'backtrack'] as const)(
    'is rejected by %s, which names an engine that takes it',
    (name) => {
      const engine = createEngine(name);
      const geometry = withCandidates(standardGeometry(9), new Int32Array(81).fill(511));
      expect(engine.refuses(geometry)).toMatch(/sukaku.*use dlx/);
      const limits = { maxSolutions: 1, maxNodes: 9, sliceNodes: Infinity, pauseAtSolution: false };
      const solve = () =>
        engine.solve({ geometry, cells: new Uint8Array(81) }, 0, 1, limits, createAnswers(1, 81));
      expect(solve).toThrow(RangeError);
    },
  );

  it('needs candidates for every cell, and a size that fits into a word', () => {
    expect(() => withCandidates(four, new Int32Array(15))).toThrow('candidates for 15 cells of standard 4x4');
    expect(() => withCandidates(standardGeometry(36), new Int32Array(1296))).toThrow('a size up to 31');
  });
});
