import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSolutionOf } from '../../../lib/sudoku/checks/solution-check.ts';
import { createAnswers, type Engine, type SearchLimits, Stop } from '../../../lib/sudoku/engine.ts';
import { createBitboardEngine } from '../../../lib/sudoku/engines/bitboard.ts';
import { createWasmNineKernel } from '../../../lib/sudoku/engines/dlx/wasm-nine-kernel.ts';
import { createDlxEngine } from '../../../lib/sudoku/engines/dlx.ts';
import { type Geometry, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { propertyRuns } from '../../support/depth.ts';
import { diagonalGeometry, gappedGeometry, latinGeometry } from '../odd-geometries.ts';
import { COUNT_ALL, FIND_TWO } from '../search-limits.ts';
import { anyPuzzle, countNineByBruteForce } from './bitboard-puzzles.ts';

const NINE = standardGeometry(9);
const EASY = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const EASY_SOLVED = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';
/** A puzzle without a single at the start. */
const HARD = '8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..';
const HARD_SOLVED = '812753649943682175675491283154237896369845721287169534521974368438526917796318452';
/** The solution above without four cells in two rows, whose digits can be exchanged. */
const TWO_SOLUTIONS = withoutRectangle(EASY_SOLVED);

describe('the dlx engine', () => {
  test.each([
    ['an easy puzzle', EASY, 1, EASY_SOLVED],
    ['a puzzle that needs guesses', HARD, 1, HARD_SOLVED],
    ['a finished grid', EASY_SOLVED, 1, EASY_SOLVED],
    ['two fives in a row', `55${'.'.repeat(79)}`, 0, '.'.repeat(81)],
    ['two fives in a column', `5${'.'.repeat(8)}5${'.'.repeat(71)}`, 0, '.'.repeat(81)],
    ['two fives in a box', `5${'.'.repeat(9)}5${'.'.repeat(70)}`, 0, '.'.repeat(81)],
    ['a cell with no digit left', `12345678.${'.'.repeat(8)}9${'.'.repeat(63)}`, 0, '.'.repeat(81)],
    ['an unsolvable puzzle', `${HARD.slice(0, 1)}2${HARD.slice(2, 80)}9`, 0, '.'.repeat(81)],
  ])('solves %s', (_name, puzzle, solutions, solved) => {
    const answer = solve(NINE, [puzzle], FIND_TWO);
    expect(answer.solutions[0]).toBe(solutions);
    expect(answer.stop[0]).toBe(Stop.exhausted);
    expect(text(answer.cells)).toBe(solved);
  });

  test('counts up to the limit', () => {
    expect(solve(NINE, [TWO_SOLUTIONS], COUNT_ALL)).toMatchObject({
      solutions: Float64Array.of(2),
      stop: exhausted,
    });
    expect(solve(NINE, [TWO_SOLUTIONS], FIND_TWO).stop[0]).toBe(Stop.solutionLimit);
    expect(solve(NINE, [HARD], { ...FIND_TWO, maxSolutions: 1 }).stop[0]).toBe(Stop.solutionLimit);
  });

  test('solves a grid of blanks', () => {
    const answer = solve(NINE, ['.'.repeat(81)], FIND_TWO);
    expect(answer.solutions[0]).toBe(2);
    expect(new Set(answer.cells).size).toBe(9);
  });

  test.each<[string, Geometry, number]>([
    ['4x4', standardGeometry(4), 288],
    ['1x1', standardGeometry(1, 1, 1), 1],
    ['4x4 Latin square', latinGeometry(4), 576],
    ['pair of squares with a gap', gappedGeometry(), 2],
  ])('counts all solutions of the empty %s', (_name, geometry, count) => {
    expect(solve(geometry, ['.'.repeat(geometry.cellCount)], COUNT_ALL).solutions[0]).toBe(count);
  });

  test('solves diagonals as two more units', () => {
    const geometry = diagonalGeometry();
    const answer = solve(geometry, [`123456789${'.'.repeat(72)}`], { ...FIND_TWO, maxSolutions: 1 });
    for (const { cells } of geometry.units) {
      expect([...cells].map((cell) => answer.cells[cell]).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }
  });

  test('numbers the options of a 36x36 in more than 16 bits', () => {
    const geometry = standardGeometry(36);
    const cells = latinGrid(36, 6);
    for (let cell = 0; cell < cells.length; cell += 5) {
      cells[cell] = 0;
    }
    const answers = createAnswers(1, geometry.cellCount);
    createDlxEngine().solve({ geometry, cells }, 0, 1, { ...FIND_TWO, maxSolutions: 1 }, answers);
    for (const unit of geometry.units) {
      expect(new Set([...unit.cells].map((cell) => answers.cells[cell])).size).toBe(36);
    }
  });

  test('without a solution, leaves no digit of the previous puzzle', () => {
    const answer = solve(NINE, [EASY, `55${'.'.repeat(79)}`, HARD], FIND_TWO);
    expect(text(answer.cells)).toBe(EASY_SOLVED + '.'.repeat(81) + HARD_SOLVED);
  });

  test('gives the same answer after any other puzzle', () => {
    const alone = solve(NINE, [HARD], FIND_TWO);
    const after = solve(NINE, [EASY, TWO_SOLUTIONS, HARD], FIND_TWO);
    expect([after.nodes[2], after.guesses[2], after.solutions[2]]).toEqual([
      alone.nodes[0],
      alone.guesses[0],
      alone.solutions[0],
    ]);
  });

  test('solves only the requested puzzles', () => {
    const puzzles = { geometry: NINE, cells: bytes(EASY + HARD + EASY) };
    const answers = createAnswers(3, 81);
    createDlxEngine().solve(puzzles, 1, 2, FIND_TWO, answers);
    expect([...answers.solutions]).toEqual([0, 1, 0]);
    expect(text(answers.cells)).toBe('.'.repeat(81) + HARD_SOLVED + '.'.repeat(81));
  });

  test('stops at its node budget without an answer', () => {
    const answer = solve(NINE, [HARD], { ...FIND_TWO, maxNodes: 3 });
    expect(answer).toMatchObject({ solutions: Float64Array.of(0), nodes: Float64Array.of(3) });
    expect(answer.stop[0]).toBe(Stop.nodeLimit);
  });

  test('shows each solution when it pauses at them', () => {
    const seen = new Set<string>();
    const answer = solve(
      standardGeometry(4),
      ['.'.repeat(16)],
      { ...COUNT_ALL, pauseAtSolution: true },
      (cells) => seen.add(text(cells)),
    );
    expect(answer.solutions[0]).toBe(288);
    expect(seen.size).toBe(288);
  });

  test('rejects resume without a paused puzzle', () => {
    const engine = createDlxEngine();
    expect(() => engine.resume(FIND_TWO, createAnswers(1, 81))).toThrow('no puzzle is paused');
    const answers = createAnswers(1, 81);
    engine.solve({ geometry: NINE, cells: bytes(EASY) }, 0, 1, FIND_TWO, answers);
    expect(() => engine.resume(FIND_TWO, answers)).toThrow('no puzzle is paused');
  });

  test('rejects a digit above the size', () => {
    const cells = new Uint8Array(16);
    cells[3] = 5;
    expect(() =>
      createDlxEngine().solve({ geometry: standardGeometry(4), cells }, 0, 1, FIND_TWO, createAnswers(1, 16)),
    ).toThrow('puzzle 0 has digit 5 in cell 3: expected 0 to 4');
  });

  const thinned = fc
    .tuple(
      fc.constantFrom(EASY_SOLVED, HARD_SOLVED),
      fc.array(fc.boolean(), { minLength: 81, maxLength: 81 }),
    )
    .map(([grid, keep]) =>
      [...grid].map((digit, cell) => (keep[cell] || cell % 3 === 0 ? digit : '.')).join(''),
    );

  test('gives the same answers and counts when it is paused and resumed', () => {
    fc.assert(
      fc.property(
        thinned,
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        (puzzle, sliceNodes, pauseAtSolution) => {
          const limits = { ...FIND_TWO, maxSolutions: 50 };
          const whole = solve(NINE, [puzzle], limits);
          const cut = solve(NINE, [puzzle], { ...limits, sliceNodes, pauseAtSolution });
          expect({ ...cut, cells: pauseAtSolution ? whole.cells : cut.cells }).toEqual(whole);
        },
      ),
    );
  });

  test('finds with bitmasks and links the solutions of the exact-cover core', () => {
    const sameShape: Geometry = { ...NINE };
    fc.assert(
      fc.property(
        thinned,
        fc.integer({ min: 0, max: 80 }),
        fc.integer({ min: 1, max: 9 }),
        (puzzle, cell, digit) => {
          const maybeWrong = `${puzzle.slice(0, cell)}${digit}${puzzle.slice(cell + 1)}`;
          for (const given of [puzzle, maybeWrong]) {
            const limits = { ...FIND_TWO, maxSolutions: 50 };
            const [ours, core] = [solve(NINE, [given], limits), solve(sameShape, [given], limits)];
            expect([ours.solutions, ours.stop]).toEqual([core.solutions, core.stop]);
          }
        },
      ),
    );
  });

  test('counts as brute force does if the links take over after the root', () => {
    const engine = createDlxEngine(() => createWasmNineKernel(1));
    fc.assert(
      fc.property(anyPuzzle(), (cells) => {
        const expected = countNineByBruteForce(cells, 30);
        const answers = createAnswers(1, 81);
        engine.solve({ geometry: NINE, cells }, 0, 1, { ...FIND_TWO, maxSolutions: 30 }, answers);
        expect(answers.solutions[0]).toBe(expected);
        expect(isSolutionOf(NINE, cells, 0, answers.cells, 0)).toBe(expected > 0);
      }),
      { numRuns: propertyRuns(40) },
    );
  });

  test('begins as bitboard does, so puzzles that need few nodes build no links', () => {
    const solved = (engine: Engine, puzzle: string) => {
      const answers = createAnswers(1, 81);
      engine.solve({ geometry: NINE, cells: bytes(puzzle) }, 0, 1, FIND_TWO, answers);
      return answers;
    };
    for (const puzzle of [EASY, HARD, TWO_SOLUTIONS, '.'.repeat(81)]) {
      const answers = solved(createBitboardEngine(), puzzle);
      expect(answers.nodes[0]).toBeLessThan(128);
      expect(solved(createDlxEngine(), puzzle)).toEqual(answers);
    }
  });

  test('keeps its count when the digits are relabelled', () => {
    const labels = fc.shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 9 });
    fc.assert(
      fc.property(thinned, labels, (puzzle, relabelled) => {
        const other = puzzle.replaceAll(/\d/g, (digit) => String(relabelled[Number(digit) - 1]));
        const limits = { ...FIND_TWO, maxSolutions: 50 };
        expect(solve(NINE, [other], limits).solutions).toEqual(solve(NINE, [puzzle], limits).solutions);
      }),
    );
  });
});

const exhausted = Uint8Array.of(Stop.exhausted);

function solve(
  geometry: Geometry,
  puzzles: readonly string[],
  limits: SearchLimits,
  onPause: (cells: Uint8Array) => void = () => {},
) {
  const engine = createDlxEngine();
  const answers = createAnswers(puzzles.length, geometry.cellCount);
  engine.solve({ geometry, cells: bytes(puzzles.join('')) }, 0, puzzles.length, limits, answers);
  while (answers.stop[0] === Stop.paused) {
    onPause(answers.cells);
    engine.resume(limits, answers);
  }
  return answers;
}

function bytes(digits: string): Uint8Array {
  return Uint8Array.from(digits, (digit) => (digit === '.' ? 0 : Number(digit)));
}

function text(cells: Uint8Array): string {
  return cells.reduce((line, digit) => line + (digit === 0 ? '.' : String(digit)), '');
}

/** Blanks the first four cells in two boxes in which two digits can be exchanged, so that both orders fit. */
function withoutRectangle(grid: string): string {
  for (let a = 0; a < 81; a++) {
    for (let b = a + 1; b < a + 9 - (a % 9); b++) {
      for (let down = 9; a + down < 81; down += 9) {
        const sameBand = Math.floor(a / 27) === Math.floor((a + down) / 27);
        if (sameBand && grid[a] === grid[b + down] && grid[b] === grid[a + down]) {
          const blanks = new Set([a, b, a + down, b + down]);
          return [...grid].map((digit, cell) => (blanks.has(cell) ? '.' : digit)).join('');
        }
      }
    }
  }
  throw new Error('this grid has no such rectangle: take another one');
}

/** A full grid of any size n = box * box: each row is the row above, shifted. */
function latinGrid(n: number, box: number): Uint8Array {
  return Uint8Array.from(
    { length: n * n },
    (_, cell) => ((Math.floor(cell / n) * box + Math.floor(cell / n / box) + (cell % n)) % n) + 1,
  );
}
