import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSolutionOf } from '../../../lib/sudoku/checks/solution-check.ts';
import {
  type Answers,
  createAnswers,
  type Engine,
  type SearchLimits,
  Stop,
} from '../../../lib/sudoku/engine.ts';
import { createBitboardEngine } from '../../../lib/sudoku/engines/bitboard.ts';
import { type Geometry, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { propertyRuns } from '../../support/depth.ts';
import { cellsOf, textOf } from '../cells.ts';
import { diagonalGeometry, latinGeometry } from '../odd-geometries.ts';
import { COUNT_ALL, FIND_TWO } from '../search-limits.ts';
import { anyPuzzle, countNineByBruteForce } from './bitboard-puzzles.ts';

const NINE = standardGeometry(9);

const EASY = '53..7.... 6..195... .98....6. 8...6...3 4..8.3..1 7...2...6 .6....28. ...419..5 ....8..79';
const EASY_SOLVED =
  '534678912 672195348 198342567 859761423 426853791 713924856 961537284 287419635 345286179';
const HARD = '8........ ..36..... .7..9.2.. .5...7... ....457.. ...1...3. ..1....68 ..85...1. .9....4..';
const HARD_SOLVED =
  '812753649 943682175 675491283 154237896 369845721 287169534 521974368 438526917 796318452';
const BLANK = '.'.repeat(81);

function solve(puzzle: string, limits: SearchLimits, engine: Engine = createBitboardEngine()): Answers {
  const answers = createAnswers(1, 81);
  engine.solve({ geometry: NINE, cells: cellsOf(puzzle) }, 0, 1, limits, answers);
  return answers;
}

/** Solves in slices until it no longer pauses; calls `onPause` with the answers at each pause. */
function solveInSlices(
  cells: Uint8Array,
  limits: SearchLimits,
  onPause: (answers: Answers) => void,
): Answers {
  const engine = createBitboardEngine();
  const answers = createAnswers(1, 81);
  engine.solve({ geometry: NINE, cells }, 0, 1, limits, answers);
  while (answers.stop[0] === Stop.paused) {
    onPause(answers);
    engine.resume(limits, answers);
  }
  return answers;
}

describe('the bitboard engine', () => {
  test.each([
    ['an easy puzzle', EASY, 1, EASY_SOLVED],
    ['a puzzle that needs guesses', HARD, 1, HARD_SOLVED],
    ['a finished grid', EASY_SOLVED, 1, EASY_SOLVED],
    ['two fives in a row', `5.5${'.'.repeat(78)}`, 0, BLANK],
    ['two fives in a column', `5${'.'.repeat(8)}5${'.'.repeat(71)}`, 0, BLANK],
    ['two fives in a box', `5${'.'.repeat(9)}5${'.'.repeat(70)}`, 0, BLANK],
    ['a finished grid with one wrong digit', EASY_SOLVED.replace('5', '1'), 0, BLANK],
    ['a cell with no digit left', `12345678. ${'.'.repeat(8)}9 ${'.'.repeat(63)}`, 0, BLANK],
    [
      'a row with no place for a digit',
      `1234..... ...5..... ......5.. ....5.... ${'.'.repeat(45)}`,
      0,
      BLANK,
    ],
    ['an unsolvable puzzle without clash', HARD.replace('8', '2').replace(/.$/, '9'), 0, BLANK],
  ])('solves %s', (_name, puzzle, solutions, solved) => {
    const answers = solve(puzzle, FIND_TWO);
    expect(answers.stop[0]).toBe(Stop.exhausted);
    expect(answers.solutions[0]).toBe(solutions);
    expect(textOf(answers.cells)).toBe(solved.replaceAll(' ', ''));
  });

  test('counts as brute force does, and its first solution is correct, for 0, 1 and many solutions', () => {
    fc.assert(
      fc.property(anyPuzzle(), (cells) => {
        const answers = createAnswers(1, 81);
        createBitboardEngine().solve(
          { geometry: NINE, cells },
          0,
          1,
          { ...COUNT_ALL, maxSolutions: 30 },
          answers,
        );
        const expected = countNineByBruteForce(cells, 30);
        expect(answers.solutions[0]).toBe(expected);
        expect(answers.stop[0]).toBe(expected === 30 ? Stop.solutionLimit : Stop.exhausted);
        expect(isSolutionOf(NINE, cells, 0, answers.cells, 0)).toBe(expected > 0);
      }),
      { numRuns: propertyRuns(100) },
    );
  });

  test('counts all solutions of a grid that lacks two rows and two columns of digits', () => {
    const cells = cellsOf(EASY_SOLVED).map((value) => (value > 6 ? 0 : value));
    const answers = createAnswers(1, 81);
    createBitboardEngine().solve({ geometry: NINE, cells }, 0, 1, COUNT_ALL, answers);
    expect(answers.solutions[0]).toBe(countNineByBruteForce(cells, Number.POSITIVE_INFINITY));
  });

  test('finds two solutions of a grid of blanks within a hundred nodes', () => {
    const answers = solve(BLANK, FIND_TWO);
    expect(answers.stop[0]).toBe(Stop.solutionLimit);
    expect(isSolutionOf(NINE, cellsOf(BLANK), 0, answers.cells, 0)).toBe(true);
    expect(answers.nodes[0]).toBeLessThan(100);
  });

  test.each([1, 2, 7])(
    'gives the same answers and counts in slices of %i nodes as without slices',
    (sliceNodes) => {
      fc.assert(
        fc.property(anyPuzzle(), (cells) => {
          const limits = { ...COUNT_ALL, maxSolutions: 10 };
          const unbroken = solveInSlices(cells, limits, () => expect.unreachable());
          let slices = 1;
          const sliced = solveInSlices(cells, { ...limits, sliceNodes }, () => slices++);
          expect(sliced).toEqual(unbroken);
          expect(slices).toBeGreaterThanOrEqual(Math.ceil(unbroken.nodes[0] / sliceNodes));
        }),
        { numRuns: propertyRuns(25) },
      );
    },
  );

  test('shows each solution once when it pauses at them', () => {
    const cells = cellsOf(EASY_SOLVED).map((value) => (value > 7 ? 0 : value));
    const seen: string[] = [];
    const last = solveInSlices(cells, { ...COUNT_ALL, pauseAtSolution: true }, (answers) => {
      expect(isSolutionOf(NINE, cells, 0, answers.cells, 0)).toBe(true);
      seen.push(textOf(answers.cells));
    });
    expect(new Set(seen).size).toBe(countNineByBruteForce(cells, Number.POSITIVE_INFINITY));
    expect(last.solutions[0]).toBe(seen.length);
    expect(last.stop[0]).toBe(Stop.exhausted);
  });

  test('keeps the first solution if it does not pause', () => {
    const puzzle = EASY_SOLVED.replaceAll(/[89]/g, '.');
    const first = solve(puzzle, { ...COUNT_ALL, maxSolutions: 1 });
    const all = solve(puzzle, COUNT_ALL);
    expect(all.solutions[0]).toBeGreaterThan(1);
    expect(textOf(all.cells)).toBe(textOf(first.cells));
  });

  test('stops at its node budget, in one slice or in many', () => {
    const whole = solve(HARD, FIND_TWO).nodes[0];
    for (const sliceNodes of [Number.POSITIVE_INFINITY, 1]) {
      const limits = { ...FIND_TWO, maxNodes: whole - 1, sliceNodes };
      const answers = solveInSlices(cellsOf(HARD), limits, () => undefined);
      expect(answers.stop[0]).toBe(Stop.nodeLimit);
      expect(answers.nodes[0]).toBe(whole - 1);
    }
    expect(solve(HARD, { ...FIND_TWO, maxNodes: whole }).stop[0]).toBe(Stop.exhausted);
  });

  test('gives the same answer after any other puzzle', () => {
    const puzzles = [EASY, BLANK, HARD, `55${'.'.repeat(79)}`, EASY];
    const cells = cellsOf(puzzles.join(''));
    const answers = createAnswers(puzzles.length, 81);
    createBitboardEngine().solve({ geometry: NINE, cells }, 0, puzzles.length, FIND_TWO, answers);
    puzzles.forEach((puzzle, i) => {
      const alone = solve(puzzle, FIND_TWO);
      expect([answers.solutions[i], answers.stop[i], answers.nodes[i], answers.guesses[i]]).toEqual([
        alone.solutions[0],
        alone.stop[0],
        alone.nodes[0],
        alone.guesses[0],
      ]);
      expect(answers.cells.slice(81 * i, 81 * (i + 1))).toEqual(alone.cells);
    });
  });

  test('does not change the answers of other puzzles', () => {
    const answers = createAnswers(3, 81);
    const puzzles = { geometry: NINE, cells: cellsOf(EASY + HARD + EASY) };
    createBitboardEngine().solve(puzzles, 1, 2, FIND_TWO, answers);
    expect([...answers.solutions]).toEqual([0, 1, 0]);
    expect(textOf(answers.cells)).toBe(BLANK + HARD_SOLVED.replaceAll(' ', '') + BLANK);
  });

  test('does not guess if singles and locked candidates solve the puzzle', () => {
    const answers = solve(EASY, FIND_TWO);
    expect([answers.nodes[0], answers.guesses[0]]).toEqual([1, 0]);
  });

  test.each<[string, Geometry, string]>([
    ['another size', standardGeometry(16), 'standard 16x16 with 4x4 boxes'],
    ['a Latin square', latinGeometry(9), 'latin 9x9'],
    ['diagonals', diagonalGeometry(), 'x 9x9 with 3x3 boxes'],
  ])('rejects %s', (_name, geometry, found) => {
    const engine = createBitboardEngine();
    expect(engine.refuses(geometry)).toContain(`not ${found}`);
    const puzzles = { geometry, cells: new Uint8Array(geometry.cellCount) };
    expect(() => engine.solve(puzzles, 0, 1, FIND_TWO, createAnswers(1, geometry.cellCount))).toThrow(
      RangeError,
    );
  });

  test('takes the standard 9x9', () => {
    expect(createBitboardEngine().refuses(NINE)).toBeUndefined();
  });

  test('rejects resume without a paused puzzle', () => {
    const engine = createBitboardEngine();
    expect(() => engine.resume(FIND_TWO, createAnswers(1, 81))).toThrow('no puzzle is paused');
    solve(EASY, FIND_TWO, engine);
    expect(() => engine.resume(FIND_TWO, createAnswers(1, 81))).toThrow('no puzzle is paused');
  });

  test('rejects a digit above 9', () => {
    expect(() => solve(`...A${'.'.repeat(77)}`, FIND_TWO)).toThrow(
      'puzzle 0 has digit 10 in cell 3: expected 0 to 9',
    );
  });
});
