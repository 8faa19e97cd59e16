import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSolutionOf } from '../../lib/sudoku/checks/solution-check.ts';
import {
  createAnswers,
  ENGINE_NAMES,
  type Engine,
  type EngineName,
  type SearchLimits,
  Stop,
} from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { generatePuzzle } from '../../lib/sudoku/generator/generate.ts';
import { type Geometry, standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { propertyRuns } from '../support/depth.ts';
import { countByBruteForce } from './brute-force.ts';
import { cellsOf, textOf } from './cells.ts';
import { createBitmaskEngine } from './oracle/bitmask.ts';
import { puzzleOf } from './random-puzzles.ts';
import { FIND_TWO } from './search-limits.ts';
import { diagonal9, jigsaw6, latin9, overlapping4, windoku9 } from './variant-geometries.ts';

const four = standardGeometry(4);
const six = standardGeometry(6);
const nine = standardGeometry(9);

interface Answer {
  readonly solutions: number;
  readonly stop: number;
  readonly nodes: number;
  readonly guesses: number;
  readonly cells: string;
}

function answerOf(
  engine: Engine,
  geometry: Geometry,
  cells: Uint8Array,
  limits: Partial<SearchLimits> = {},
): Answer {
  const answers = createAnswers(1, geometry.cellCount);
  answers.cells.fill(77);
  engine.solve({ geometry, cells }, 0, 1, { ...FIND_TWO, ...limits }, answers);
  return read(answers);
}

const read = (answers: ReturnType<typeof createAnswers>): Answer => ({
  solutions: answers.solutions[0],
  stop: answers.stop[0],
  nodes: answers.nodes[0],
  guesses: answers.guesses[0],
  cells: Array.from(answers.cells).join(' '),
});

const fixtures = readFileSync(new URL('../fixtures/9x9-counts.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [puzzle, count, solution] = line.split(':');
    return { puzzle, count: Number(count), solution };
  });

/** Plain backtracking may take minutes for a 9x9: its budget is enough for most of them. */
const budgetOf = ({ name }: Engine) => (name === 'backtrack' ? { maxNodes: 500_000 } : {});

/** Engines that answer any of these within a second; `backtrack` takes minutes for some. */
const strong: readonly EngineName[] = ENGINE_NAMES.filter((name) => name !== 'backtrack');
/** The engines that support a geometry, and the independent oracle. */
const taking = (geometry: Geometry, names: readonly EngineName[] = ENGINE_NAMES) =>
  [...names.map(createEngine), createBitmaskEngine()].filter(
    (engine) => engine.refuses(geometry) === undefined,
  );

describe('every engine', () => {
  it.each(ENGINE_NAMES)('is created by its name: %s', (name) => {
    expect(createEngine(name).name).toBe(name);
  });

  it.each(ENGINE_NAMES)('%s answers the fixtures with 0, 1 and many solutions', (name) => {
    const engine = createEngine(name);
    let answered = 0;
    for (const { puzzle, count, solution } of fixtures) {
      const answer = answerOf(engine, nine, cellsOf(puzzle), { maxSolutions: Infinity, ...budgetOf(engine) });
      if (answer.stop === Stop.nodeLimit) continue;
      answered++;
      expect({ puzzle, count: answer.solutions, stop: answer.stop }).toEqual({
        puzzle,
        count,
        stop: Stop.exhausted,
      });
      if (count === 1) expect(answer.cells.replaceAll(' ', '')).toBe(solution);
    }
    if (name === 'backtrack') expect(answered).toBeGreaterThan(20);
    else expect(answered).toBe(fixtures.length);
  });

  it.each([
    { name: '4x4', geometry: four, runs: 50, engines: ENGINE_NAMES },
    { name: '6x6', geometry: six, runs: 50, engines: ENGINE_NAMES },
    { name: '9x9', geometry: nine, runs: 50, engines: ENGINE_NAMES },
    { name: '12x12', geometry: standardGeometry(12), runs: 5, engines: strong },
    { name: '16x16', geometry: standardGeometry(16), runs: 1, engines: strong },
    { name: 'jigsaw', geometry: jigsaw6, runs: 25, engines: ENGINE_NAMES },
    { name: 'overlapping', geometry: overlapping4, runs: 25, engines: ENGINE_NAMES },
    { name: 'windoku', geometry: windoku9, runs: 10, engines: strong },
    { name: 'diagonal', geometry: diagonal9, runs: 10, engines: strong },
    { name: 'Latin', geometry: latin9, runs: 5, engines: strong },
  ])('agrees with the others on any $name: status, count, and the only solution', (row) => {
    const { geometry, runs } = row;
    const engines = taking(geometry, row.engines);
    expect(engines.length).toBeGreaterThan(1);
    let undecided = 0;
    fc.assert(
      fc.property(puzzleOf(geometry), fc.constantFrom(1, 2, 50), (cells, maxSolutions) => {
        const all = engines.map((engine) =>
          answerOf(engine, geometry, cells, { maxSolutions, ...budgetOf(engine) }),
        );
        const answers = all.filter(({ stop }) => stop !== Stop.nodeLimit);
        undecided += all.length - answers.length;
        for (const answer of answers) {
          expect([answer.solutions, answer.stop]).toEqual([answers[0].solutions, answers[0].stop]);
          if (answer.solutions > 0) {
            const solution = Uint8Array.from(answer.cells.split(' '), Number);
            expect(isSolutionOf(geometry, cells, 0, solution, 0)).toBe(true);
          } else {
            expect(answer.cells).toBe(Array(geometry.cellCount).fill(0).join(' '));
          }
          if (answer.solutions === 1 && answer.stop === Stop.exhausted) {
            expect(answer.cells).toBe(answers[0].cells);
          }
        }
      }),
      { numRuns: propertyRuns(runs) },
    );
    expect(undecided).toBeLessThan(propertyRuns(runs) / 2);
  });

  it.each([
    { name: '4x4', geometry: four },
    { name: '9x9', geometry: nine },
  ])('is compared on $name puzzles with no, one and many solutions, some of them minimal', ({ geometry }) => {
    const engine = createEngine('dlx');
    const kinds = { none: 0, one: 0, many: 0, minimal: 0 };
    for (const cells of fc.sample(puzzleOf(geometry), { seed: 3, numRuns: propertyRuns(100) })) {
      const { solutions } = answerOf(engine, geometry, cells);
      if (solutions === 0) kinds.none++;
      else if (solutions === 2) kinds.many++;
      else {
        kinds.one++;
        if (isMinimal(engine, geometry, cells)) kinds.minimal++;
      }
    }
    for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(9);
  });
});

/** Whether each given is needed: removing any one allows more solutions. */
function isMinimal(engine: Engine, geometry: Geometry, cells: Uint8Array): boolean {
  return [...cells.keys()].every((cell) => {
    const without = cells.slice().fill(0, cell, cell + 1);
    return cells[cell] === 0 || answerOf(engine, geometry, without).solutions === 2;
  });
}

describe.each(ENGINE_NAMES)('%s', (name) => {
  const engine = createEngine(name);
  const geometries = [four, six, jigsaw6, overlapping4].filter((g) => engine.refuses(g) === undefined);
  const small = geometries.length > 0 ? geometries : [nine];
  const smallPuzzle = fc
    .constantFrom(...small)
    .chain((geometry) => puzzleOf(geometry).map((cells) => ({ geometry, cells })));

  it('counts what brute force counts', () => {
    fc.assert(
      fc.property(smallPuzzle, ({ geometry, cells }) => {
        const { solutions, stop } = answerOf(engine, geometry, cells, { maxSolutions: 60 });
        expect(solutions).toBe(countByBruteForce(geometry, cells, 60));
        expect(stop).toBe(solutions === 60 ? Stop.solutionLimit : Stop.exhausted);
      }),
      { numRuns: propertyRuns(25) },
    );
  });

  it('counts the same when the digits are renamed', () => {
    fc.assert(
      fc.property(smallPuzzle, fc.infiniteStream(fc.nat()), ({ geometry, cells }, random) => {
        const digits = Array.from({ length: geometry.size }, (_, k) => ({
          digit: k + 1,
          key: random.next().value,
        }));
        const renamed = [0, ...digits.sort((a, b) => a.key! - b.key!).map(({ digit }) => digit)];
        const limits = { maxSolutions: 50 };
        const { solutions, stop } = answerOf(engine, geometry, cells, limits);
        const other = answerOf(
          engine,
          geometry,
          cells.map((digit) => renamed[digit]),
          limits,
        );
        expect([other.solutions, other.stop]).toEqual([solutions, stop]);
      }),
    );
  });

  it('gives the same answers and counts with and without slices', () => {
    fc.assert(
      fc.property(smallPuzzle, fc.integer({ min: 1, max: 20 }), ({ geometry, cells }, sliceNodes) => {
        const whole = answerOf(engine, geometry, cells, { maxSolutions: 20 });
        const limits = { ...FIND_TWO, maxSolutions: 20, sliceNodes };
        const answers = createAnswers(1, geometry.cellCount);
        engine.solve({ geometry, cells }, 0, 1, limits, answers);
        for (let slices = 1; answers.stop[0] === Stop.paused; slices++) {
          expect(answers.nodes[0]).toBe(slices * sliceNodes);
          engine.resume(limits, answers);
        }
        expect(read(answers)).toEqual(whole);
      }),
    );
  });

  it('shows every solution once when it pauses at each', () => {
    fc.assert(
      fc.property(smallPuzzle, ({ geometry, cells }) => {
        const limits = { ...FIND_TWO, maxSolutions: 100, pauseAtSolution: true };
        const answers = createAnswers(1, geometry.cellCount);
        const shown = new Set<string>();
        engine.solve({ geometry, cells }, 0, 1, limits, answers);
        while (answers.stop[0] === Stop.paused || answers.stop[0] === Stop.solutionLimit) {
          expect(isSolutionOf(geometry, cells, 0, answers.cells, 0)).toBe(true);
          shown.add(textOf(answers.cells));
          expect(shown.size).toBe(answers.solutions[0]);
          if (answers.stop[0] === Stop.solutionLimit) break;
          engine.resume(limits, answers);
        }
        const { cells: _, ...whole } = answerOf(engine, geometry, cells, { maxSolutions: 100 });
        expect(read(answers)).toMatchObject(whole);
        expect(shown.size).toBe(whole.solutions);
      }),
    );
  });

  it('stops at its node budget with the solutions found, and never with a wrong answer', () => {
    fc.assert(
      fc.property(smallPuzzle, fc.integer({ min: 1, max: 60 }), ({ geometry, cells }, maxNodes) => {
        const whole = answerOf(engine, geometry, cells, { maxSolutions: 30 });
        const cut = answerOf(engine, geometry, cells, { maxSolutions: 30, maxNodes });
        if (whole.nodes <= maxNodes) {
          expect(cut).toEqual(whole);
          return;
        }
        expect(cut.stop).toBe(Stop.nodeLimit);
        expect(cut.nodes).toBe(maxNodes);
        expect(cut.solutions).toBeLessThanOrEqual(whole.solutions);
        expect(cut.cells).toBe(cut.solutions > 0 ? whole.cells : Array(geometry.cellCount).fill(0).join(' '));
      }),
    );
  });

  it('keeps nothing from one puzzle to the next', () => {
    fc.assert(
      fc.property(smallPuzzle, smallPuzzle, fc.integer({ min: 1, max: 5 }), (before, puzzle, sliceNodes) => {
        const fresh = answerOf(createEngine(name), puzzle.geometry, puzzle.cells);
        answerOf(engine, before.geometry, before.cells);
        expect(answerOf(engine, puzzle.geometry, puzzle.cells)).toEqual(fresh);
        answerOf(engine, before.geometry, before.cells, { sliceNodes });
        expect(answerOf(engine, puzzle.geometry, puzzle.cells)).toEqual(fresh);
      }),
    );
  });

  it('fills only the answers of the requested puzzles', () => {
    const cells = Uint8Array.from(fixtures.slice(0, 4).flatMap(({ solution }) => [...cellsOf(solution!)]));
    for (const offset of [0, 81, 162, 243]) cells[offset] = 0;
    const answers = createAnswers(4, 81);
    engine.solve({ geometry: nine, cells }, 1, 3, FIND_TWO, answers);
    expect(Array.from(answers.solutions)).toEqual([0, 1, 1, 0]);
    expect(Array.from(answers.nodes, (nodes) => nodes > 0)).toEqual([false, true, true, false]);
    expect(textOf(answers.cells.subarray(0, 81))).toBe('.'.repeat(81));
    expect(textOf(answers.cells.subarray(81, 243))).toBe(fixtures[1].solution! + fixtures[2].solution!);
    expect(textOf(answers.cells.subarray(243))).toBe('.'.repeat(81));
  });

  it('has no puzzle to resume before a pause, or after a puzzle ended', () => {
    const fresh = createEngine(name);
    const answers = createAnswers(1, 81);
    expect(() => fresh.resume(FIND_TWO, answers)).toThrow('no puzzle is paused');
    const limits = { ...FIND_TWO, pauseAtSolution: true };
    fresh.solve({ geometry: nine, cells: cellsOf(fixtures[16].puzzle) }, 0, 1, FIND_TWO, answers);
    expect(answers.stop[0]).toBe(Stop.exhausted);
    expect(() => fresh.resume(limits, answers)).toThrow('no puzzle is paused');
  });
});

describe('the defects of textbook programs do not occur:', () => {
  describe.each(ENGINE_NAMES)('%s', (name) => {
    const engine = createEngine(name);

    it.each([
      { where: 'row', puzzle: `11${'.'.repeat(79)}` },
      { where: 'column', puzzle: `1${'.'.repeat(71)}1${'.'.repeat(8)}` },
      { where: 'box', puzzle: `1${'.'.repeat(9)}1${'.'.repeat(70)}` },
    ])('does not hang on givens that clash in a $where', ({ puzzle }) => {
      const answer = answerOf(engine, nine, cellsOf(puzzle), { maxNodes: 10 });
      expect(answer).toMatchObject({ solutions: 0, stop: Stop.exhausted });
    });

    it.each([0, 1, 9])('takes fewer than 10 givens: %i', (givens) => {
      const prover = createBitmaskEngine();
      const { cells } = generatePuzzle(nine, { seed: 8, givens, unique: false }, prover);
      const answer = answerOf(engine, nine, cells, { maxSolutions: 100 });
      expect(answer).toMatchObject({ solutions: 100, stop: Stop.solutionLimit });
      expect(isSolutionOf(nine, cells, 0, Uint8Array.from(answer.cells.split(' '), Number), 0)).toBe(true);
    });

    it('without a solution, leaves no digit of the previous puzzle', () => {
      const solvable = cellsOf(fixtures[0].solution!);
      const unsolvable = cellsOf(`12345678.${'.'.repeat(8)}9${'.'.repeat(63)}`);
      const answers = createAnswers(1, 81);
      engine.solve({ geometry: nine, cells: solvable }, 0, 1, FIND_TWO, answers);
      engine.solve({ geometry: nine, cells: unsolvable }, 0, 1, FIND_TWO, answers);
      expect(answers.solutions[0]).toBe(0);
      expect(textOf(answers.cells)).toBe('.'.repeat(81));
    });

    it('counts the same nodes in every search', () => {
      const puzzle = cellsOf(fixtures.find(({ count }) => count === 44)!.puzzle);
      const limits = { maxSolutions: Infinity };
      const first = answerOf(engine, nine, puzzle, limits);
      for (let again = 0; again < 5; again++) expect(answerOf(engine, nine, puzzle, limits)).toEqual(first);
    });
  });
});

describe('the fixtures', () => {
  it('are puzzles with no, one and many solutions', () => {
    const counts = fixtures.map(({ count }) => count);
    for (const wanted of [0, 1, 2])
      expect(counts.filter((n) => Math.min(n, 2) === wanted).length).toBeGreaterThan(9);
  });

  it.each(fixtures.filter(({ count }) => count <= 100))(
    'match brute force: $puzzle has $count',
    (fixture) => {
      expect(countByBruteForce(nine, cellsOf(fixture.puzzle))).toBe(fixture.count);
    },
  );
});
