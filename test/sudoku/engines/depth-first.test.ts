import { describe, expect, it } from 'vitest';
import { createAnswers, Stop } from '../../../lib/sudoku/engine.ts';
import {
  createDepthFirstEngine,
  type PuzzleSearch,
  RunEnd,
} from '../../../lib/sudoku/engines/depth-first.ts';
import { standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';

const four = standardGeometry(4);
const LIMITS = { maxSolutions: 2, maxNodes: 10, sliceNodes: Infinity, pauseAtSolution: false };
const puzzles = { geometry: four, cells: new Uint8Array(32) };

/** A search of five nodes below the root, each of them a solution. */
class FiveSolutions implements PuzzleSearch {
  entered = 0;
  guessed = 0;
  bytes = 0;
  private seen = 0;

  begin(): void {
    this.seen = 0;
  }

  run(maxNodes: number): RunEnd {
    this.entered = 0;
    if (this.seen === 5) return RunEnd.exhausted;
    if (maxNodes === 0) return RunEnd.nodes;
    this.entered = 1;
    this.seen++;
    return RunEnd.solution;
  }

  writeSolution(out: Uint8Array): void {
    out.fill(this.seen);
  }
}

const engine = () => createDepthFirstEngine('backtrack', 1, () => new FiveSolutions());

describe('an engine made from a search', () => {
  it.each([
    { name: 'finds one', limits: { maxSolutions: 1 }, solutions: 1, stop: Stop.solutionLimit, nodes: 2 },
    { name: 'finds all', limits: { maxSolutions: 6 }, solutions: 5, stop: Stop.exhausted, nodes: 6 },
    {
      name: 'finds all that exist',
      limits: { maxSolutions: 5 },
      solutions: 5,
      stop: Stop.solutionLimit,
      nodes: 6,
    },
    {
      name: 'has just enough nodes',
      limits: { maxSolutions: 6, maxNodes: 6 },
      solutions: 5,
      stop: Stop.exhausted,
      nodes: 6,
    },
    {
      name: 'has one node too few',
      limits: { maxSolutions: 6, maxNodes: 5 },
      solutions: 4,
      stop: Stop.nodeLimit,
      nodes: 5,
    },
    { name: 'has the root only', limits: { maxNodes: 1 }, solutions: 0, stop: Stop.nodeLimit, nodes: 1 },
    { name: 'pauses after the root', limits: { sliceNodes: 1 }, solutions: 0, stop: Stop.paused, nodes: 1 },
    {
      name: 'pauses in a slice',
      limits: { maxSolutions: 6, sliceNodes: 3 },
      solutions: 2,
      stop: Stop.paused,
      nodes: 3,
    },
    {
      name: 'stops at its budget, not at the slice',
      limits: { maxSolutions: 6, maxNodes: 3, sliceNodes: 3 },
      solutions: 2,
      stop: Stop.nodeLimit,
      nodes: 3,
    },
    {
      name: 'pauses at a solution',
      limits: { pauseAtSolution: true },
      solutions: 1,
      stop: Stop.paused,
      nodes: 2,
    },
  ])('$name', ({ limits, solutions, stop, nodes }) => {
    const answers = createAnswers(1, 16);
    engine().solve(puzzles, 0, 1, { ...LIMITS, ...limits }, answers);
    expect([answers.solutions[0], answers.stop[0], answers.nodes[0]]).toEqual([solutions, stop, nodes]);
  });

  it('keeps the first solution, or writes the latest one if it pauses at each', () => {
    const answers = createAnswers(1, 16);
    const first = engine();
    first.solve(puzzles, 0, 1, { ...LIMITS, maxSolutions: 3 }, answers);
    expect(answers.cells[0]).toBe(1);
    const latest = engine();
    const limits = { ...LIMITS, maxSolutions: 3, pauseAtSolution: true };
    latest.solve(puzzles, 0, 1, limits, answers);
    latest.resume(limits, answers);
    expect(answers.cells[0]).toBe(2);
  });

  it.each([
    { name: 'no solutions', limits: { maxSolutions: 0 }, message: 'maxSolutions 0' },
    { name: 'no nodes', limits: { maxNodes: 0 }, message: 'maxNodes 0' },
    { name: 'empty slices', limits: { sliceNodes: 0 }, message: 'sliceNodes 0' },
    { name: 'a limit that is not a number', limits: { maxNodes: Number.NaN }, message: 'maxNodes NaN' },
  ])('rejects a limit of $name', ({ limits, message }) => {
    expect(() => engine().solve(puzzles, 0, 1, { ...LIMITS, ...limits }, createAnswers(1, 16))).toThrow(
      message,
    );
  });

  it.each([{ sliceNodes: 5 }, { pauseAtSolution: true }])(
    'solves only one puzzle if it may pause: %o',
    (limits) => {
      expect(() => engine().solve(puzzles, 0, 2, { ...LIMITS, ...limits }, createAnswers(2, 16))).toThrow(
        'solves one puzzle: 0 to 2 are 2',
      );
    },
  );

  it('names a digit above the size, and a puzzle outside the block', () => {
    const cells = new Uint8Array(16);
    cells[3] = 5;
    const answers = createAnswers(2, 16);
    expect(() => engine().solve({ geometry: four, cells }, 0, 1, LIMITS, answers)).toThrow(
      'puzzle 0 has digit 5 in cell 3: expected 0 to 4',
    );
    expect(() => engine().solve({ geometry: four, cells }, 1, 2, LIMITS, answers)).toThrow(
      'puzzle 1 ends at byte 32',
    );
  });
});
