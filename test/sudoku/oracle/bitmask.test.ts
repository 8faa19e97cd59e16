import { describe, expect, it } from 'vitest';
import { isSolutionOf } from '../../../lib/sudoku/checks/solution-check.ts';
import { createAnswers, type Engine, Stop } from '../../../lib/sudoku/engine.ts';
import { randomFullGrid } from '../../../lib/sudoku/generator/full-grid.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { type Geometry, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { cellsOf, gridWith } from '../cells.ts';
import { createBitmaskEngine } from './bitmask.ts';
import { Candidates } from './bitmask-candidates.ts';

const LIMITS = { maxSolutions: 2, maxNodes: 100_000, sliceNodes: Infinity, pauseAtSolution: false };
const nine = standardGeometry(9);

function solve(engine: Engine, geometry: Geometry, cells: Uint8Array, limits = LIMITS) {
  const answers = createAnswers(1, geometry.cellCount);
  engine.solve({ geometry, cells }, 0, 1, limits, answers);
  return answers;
}

/** A full grid of a geometry without some of its digits. */
function withBlanks(geometry: Geometry, share: number): Uint8Array {
  const random = new RandomSource(geometry.size);
  return randomFullGrid(geometry, random)!.map((digit) => (random.below(100) < share ? 0 : digit));
}

describe('candidates', () => {
  const sizes = [2, 31, 32, 33, 63, 64, 65, 96];
  const load = (givens: Record<number, number>, geometry = nine) => {
    const candidates = new Candidates(geometry);
    const consistent = candidates.load(gridWith(geometry, givens), 0);
    candidates.save(0);
    return { candidates, consistent };
  };
  const of = ({ candidates }: ReturnType<typeof load>, cell: number): number[] => {
    const digits: number[] = [];
    for (let digit = 0; ; digits.push(digit)) {
      digit = candidates.nextSaved(0, cell, digit);
      if (digit === 0) return digits;
    }
  };

  it.each(sizes)('of an empty grid are all digits: size %i', (size) => {
    const loaded = load({}, standardGeometry(size, 1, size));
    expect(loaded.consistent).toBe(true);
    expect(of(loaded, size)).toEqual(Array.from({ length: size }, (_, k) => k + 1));
  });

  it.each(sizes.slice(1))('are listed across a gap in the middle: size %i', (size) => {
    const inRow = Array.from({ length: size - 6 }, (_, k) => k + 6);
    const loaded = load(
      Object.fromEntries(inRow.map((digit) => [digit, digit])),
      standardGeometry(size, 1, size),
    );
    const rest = Array.from({ length: size }, (_, k) => k + 1).filter((digit) => !inRow.includes(digit));
    expect(of(loaded, 0)).toEqual(rest);
  });

  it('of a blank cell are the digits that no given in its units has', () => {
    const loaded = load({ 0: 1, 80: 2, 8: 3, 72: 4, 40: 5 });
    expect(of(loaded, 0)).toEqual([1]);
    expect(of(loaded, 4)).toEqual([2, 4, 6, 7, 8, 9]);
    expect(of(loaded, 30)).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
  });

  it('are reduced to one in a cell, and then to one in the next (naked singles)', () => {
    const loaded = load({ 0: 1, 1: 2, 2: 3, 3: 4, 5: 6, 6: 7, 7: 8, 35: 5 });
    expect([of(loaded, 8), of(loaded, 4)]).toEqual([[9], [5]]);
  });

  it('are reduced to one place for a digit in a unit (hidden single)', () => {
    expect(of(load({ 12: 9, 24: 9, 28: 9, 56: 9 }), 0)).toEqual([9]);
  });

  it.each<{ name: string; givens: Record<number, number> }>([
    { name: 'two equal givens in a unit', givens: { 0: 1, 8: 1 } },
    { name: 'a cell without a candidate', givens: { 0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 8, 17: 9 } },
    { name: 'a digit without a place in a box', givens: { 12: 9, 24: 9, 28: 9, 56: 9, 0: 5 } },
    {
      name: 'one cell for two digits of a box',
      givens: { 12: 9, 24: 9, 28: 9, 56: 9, 15: 8, 21: 8, 37: 8, 65: 8 },
    },
  ])('contradict each other: $name', ({ givens }) => {
    expect(load(givens).consistent).toBe(false);
  });

  it('are restored as they were saved', () => {
    const { candidates } = load({ 0: 1 });
    const before = of({ candidates, consistent: true }, 4);
    expect(candidates.decide(4, 5)).toBe(true);
    expect(candidates.decide(40, 5)).toBe(false);
    candidates.restore(0);
    candidates.save(0);
    expect(of({ candidates, consistent: true }, 4)).toEqual(before);
  });

  it('give the first of the cells with the fewest', () => {
    const { candidates } = load({ 0: 1, 1: 2, 2: 3, 12: 4, 13: 5, 24: 6, 25: 7, 33: 8 });
    expect(candidates.fewestCell()).toBe(6);
  });
});

describe('the bitmask engine', () => {
  it('solves at its root, without a guess, a puzzle that singles solve', () => {
    const puzzle = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
    const answers = solve(createBitmaskEngine(), nine, cellsOf(puzzle));
    expect([answers.solutions[0], answers.nodes[0], answers.guesses[0]]).toEqual([1, 1, 0]);
  });

  it.each([
    { size: 16, box: [4, 4] },
    { size: 31, box: [1, 31] },
    { size: 32, box: [4, 8] },
    { size: 33, box: [3, 11] },
    { size: 36, box: [6, 6] },
    { size: 63, box: [7, 9] },
    { size: 64, box: [8, 8] },
    { size: 65, box: [5, 13] },
  ])('solves size $size, with full and partly filled words', ({ size, box: [rows, columns] }) => {
    const geometry = standardGeometry(size, rows, columns);
    const cells = withBlanks(geometry, 25);
    const answers = solve(createBitmaskEngine(), geometry, cells);
    expect(answers.solutions[0]).toBeGreaterThan(0);
    expect(isSolutionOf(geometry, cells, 0, answers.cells, 0)).toBe(true);
  });

  it('saves more levels than its initial memory has space for', () => {
    const geometry = standardGeometry(36);
    const limits = { ...LIMITS, maxSolutions: 1 };
    const answers = solve(createBitmaskEngine(), geometry, withBlanks(geometry, 75), limits);
    expect(answers.guesses[0]).toBeGreaterThan(20);
    expect(answers.solutions[0] === 1 || answers.stop[0] === Stop.nodeLimit).toBe(true);
  });

  it('stops as if its nodes were spent if its saved states would take more memory than they may', () => {
    const empty = new Uint8Array(81);
    const stateBytes = 81 * 5;
    const engine = createBitmaskEngine(10 * stateBytes);
    const unbounded = createBitmaskEngine();
    expect(solve(unbounded, nine, empty).stop[0]).toBe(Stop.solutionLimit);
    expect(unbounded.searchBytes).toBeGreaterThan(30 * stateBytes);
    const answers = solve(engine, nine, empty);
    expect([answers.solutions[0], answers.stop[0]]).toEqual([0, Stop.nodeLimit]);
    expect(answers.nodes[0]).toBeLessThan(1000);
    expect(engine.searchBytes).toBeLessThan(12 * stateBytes + 1000);
    // A search continues only if nodes were its limit, and other puzzles are solved.
    expect(solve(engine, nine, empty, { ...LIMITS, maxNodes: Infinity }).stop[0]).toBe(Stop.nodeLimit);
    const easy = withBlanks(nine, 40);
    expect(solve(engine, nine, easy).solutions).toEqual(solve(unbounded, nine, easy).solutions);
  });
});
