import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BenchCase, fileCases } from '../../lib/cli/bench/bench-case.ts';
import { type BenchSolver, measure, median, type Pace } from '../../lib/cli/bench/measure.ts';
import { findInputFiles } from '../../lib/cli/files/input-files.ts';
import { isSolutionOf } from '../../lib/sudoku/checks/solution-check.ts';
import { createAnswers, Stop } from '../../lib/sudoku/engine.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { countByOracle } from '../sudoku/oracle.ts';
import { puzzleOf } from '../sudoku/random-puzzles.ts';
import { propertyRuns } from '../support/depth.ts';
import { evenSample } from './cases.ts';
import { ratioRows, ratioTable } from './report.ts';
import { createSolver, REFERENCE, SOLVER_NAMES } from './solvers.ts';

const NINE = standardGeometry(9);
const PUZZLE = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const SOLVED = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';
const QUICK: Pace = { warmUpMs: 1, passMs: 1, passes: 3 };

function caseOf(...texts: string[]): BenchCase {
  const cells = Uint8Array.from(texts.join(''), (symbol) => (symbol === '.' ? 0 : Number(symbol)));
  return { name: 'a case', geometry: NINE, count: texts.length, cells };
}

/** A solver that claims one solution for every puzzle: this grid. */
function claiming(name: string, solved: string): BenchSolver {
  return {
    name,
    version: '0',
    maxNodes: Number.POSITIVE_INFINITY,
    refuses: () => undefined,
    solve(puzzles, answers) {
      for (let i = 0; i < puzzles.count; i++) {
        answers.solutions[i] = 1;
        answers.cells.set(Uint8Array.from(solved, Number), 81 * i);
      }
      return undefined;
    },
  };
}

const ignore = () => undefined;

describe('a solver of the benchmark', () => {
  test.each(SOLVER_NAMES)('counts as brute force does: %s', (name) => {
    const solver = createSolver(name);
    fc.assert(
      fc.property(puzzleOf(NINE), (cells) => {
        const answers = createAnswers(1, 81);
        solver.solve({ name: 'one', geometry: NINE, count: 1, cells }, answers);
        if (name === 'backtrack' && answers.stop[0] === Stop.nodeLimit) return;
        const solutions = countByOracle(NINE, cells, 2);
        expect(answers.solutions[0]).toBe(solutions);
        expect(isSolutionOf(NINE, cells, 0, answers.cells, 0)).toBe(solutions > 0);
      }),
      { numRuns: propertyRuns(12) },
    );
  });

  test('is created by its name', () => {
    expect(() => createSolver('minisat')).toThrow(
      'there is no engine minisat: expected one of dlx, bitboard',
    );
  });
});

describe('a measurement', () => {
  test('has a rate for each pass, and the ratio of the reference is 1', async () => {
    const puzzles = caseOf(PUZZLE, PUZZLE);
    const solvers = [claiming('quick', SOLVED), claiming(REFERENCE, SOLVED)];
    const measurements = await measure(puzzles, solvers, QUICK, ignore);
    expect(measurements[0].rates).toHaveLength(3);
    const [quick, reference] = ratioRows(puzzles, measurements, REFERENCE);
    expect(quick.ratio).toBeGreaterThan(0);
    expect(reference.ratio).toBe(1);
    expect(ratioRows(puzzles, measurements, 'another')[0].ratio).toBeUndefined();
  });

  test('solves every puzzle of the case, however fast the solver is', async () => {
    const solved: number[] = [];
    const puzzles = caseOf(...Array.from({ length: 100 }, () => PUZZLE));
    const solver: BenchSolver = {
      ...claiming('quick', SOLVED),
      solve: ({ cells, count }, answers) => {
        solved.push(cells.byteOffset / 81 + count);
        return claiming('quick', SOLVED).solve({ ...puzzles, cells, count }, answers);
      },
    };
    await measure(puzzles, [solver], { warmUpMs: 20, passMs: 20, passes: 1 }, ignore);
    expect(solved.slice(0, 3)).toEqual([16, 48, 100]);
  });

  test('fails if two solvers disagree about the number of solutions', async () => {
    const none: BenchSolver = { ...claiming('none', SOLVED), solve: () => undefined };
    await expect(measure(caseOf(PUZZLE), [claiming('one', SOLVED), none], QUICK, ignore)).rejects.toThrow(
      /^none is wrong about the puzzle 530070000\d+: found 0 solutions, another solver 1$/,
    );
  });

  test.each([
    ['breaks a rule', SOLVED.replace('5', '4')],
    ['changes a given', SOLVED.replaceAll(/[12]/g, (digit) => (digit === '1' ? '2' : '1'))],
  ])('fails if an answer %s', async (_name, solved) => {
    await expect(measure(caseOf(PUZZLE), [claiming('wrong', solved)], QUICK, ignore)).rejects.toThrow(
      /^wrong is wrong about the puzzle 530070000\d+: its solution breaks a rule or changes a given$/,
    );
  });

  test.each([
    ['odd', [3, 1, 2], 2],
    ['even', [4, 1, 2, 3], 2.5],
    ['one', [7], 7],
  ])('takes the middle of an %s number of values', (_name, values, middle) => {
    expect(median(values)).toBe(middle);
  });
});

describe('a sample', () => {
  test('is even, not the first puzzles', () => {
    const texts = Array.from({ length: 7 }, (_, i) => String(i + 1).repeat(81));
    const sample = evenSample(caseOf(...texts), 3);
    expect(sample.count).toBe(3);
    expect([sample.cells[0], sample.cells[81], sample.cells[162]]).toEqual([1, 4, 7]);
  });
});

describe('a report', () => {
  const puzzles = { ...caseOf(PUZZLE), count: 1500 };
  const solver = { ...claiming('backtrack', SOLVED), maxNodes: 100_000 };
  const measurement = {
    solver,
    solved: 1200,
    limited: 7,
    rates: [900, 1234.56, 2000],
  };

  test('as JSON has the median and the ratio', () => {
    expect(ratioRows(puzzles, [measurement], 'backtrack')).toEqual([
      {
        solver: 'backtrack',
        version: '0',
        file: 'a case',
        limit: 2,
        puzzles: 1200,
        puzzlesPerSecond: 1235,
        ratio: 1,
      },
    ]);
  });

  test('as a table has the sample and the undecided puzzles', () => {
    const table = ratioTable(puzzles, [measurement], 'backtrack');
    expect(table).toContain('| backtrack | 0 | 1,200 | 1,235 | 2,000 | 89% | 1 | 7 of 1,200 |');
  });
});

describe('a file', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bench-test-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('gives its readable puzzles', async () => {
    const path = join(folder, 'some.txt');
    await writeFile(path, `# two puzzles\n${PUZZLE}\n${PUZZLE.slice(1)}\n${SOLVED}\n`);
    const [file] = await findInputFiles([path]);
    const [puzzles] = (await fileCases(file)).cases;
    expect([puzzles.name, puzzles.count, puzzles.geometry]).toEqual(['some.txt', 2, NINE]);
    const found = [puzzles.cells.subarray(0, 81), puzzles.cells.subarray(81)].map((cells) => cells.join(''));
    expect(found.sort()).toEqual([PUZZLE.replaceAll('.', '0'), SOLVED].sort());
  });

  test('without puzzles is named', async () => {
    const path = join(folder, 'none.txt');
    await writeFile(path, '# nothing\n');
    const [file] = await findInputFiles([path]);
    await expect(fileCases(file)).rejects.toThrow(`${path}: found no puzzles, expected sudokus`);
  });
});
