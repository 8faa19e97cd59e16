/**
 * What every engine promises, on every geometry, compared with the oracle: statuses, unique solutions, limits, pauses, blocks.
 *
 * The oracle (oracle.ts) shares nothing with the engines.
 */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { webAssembly } from '../../lib/exact-cover/compile-wasm.ts';
import { isSolutionOf } from '../../lib/sudoku/checks/solution-check.ts';
import {
  type Answers,
  createAnswers,
  ENGINE_NAMES,
  type Engine,
  type SearchLimits,
  Stop,
} from '../../lib/sudoku/engine.ts';
import { CoverKernel } from '../../lib/sudoku/engines/dlx/cover-kernel.ts';
import { KernelEngine } from '../../lib/sudoku/engines/kernel-engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { randomFullGrid } from '../../lib/sudoku/generator/full-grid.ts';
import { generatePuzzle } from '../../lib/sudoku/generator/generate.ts';
import { randomRegions } from '../../lib/sudoku/generator/random-regions.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { completed } from '../../lib/sudoku/generator/steps.ts';
import { type Geometry, standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import {
  needsRegions,
  VARIANT_NAMES,
  type VariantName,
  variantGeometry,
  variantProblem,
} from '../../lib/sudoku/geometry/variants.ts';
import { DEEP, propertyRuns, runSeed } from '../support/depth.ts';
import { cellsOf, textOf } from './cells.ts';
import { latinGeometry } from './odd-geometries.ts';
import { countByOracle, createOracle } from './oracle.ts';
import { puzzleOf } from './random-puzzles.ts';
import { COUNT_ALL, FIND_TWO } from './search-limits.ts';
import { diagonal9, jigsaw6, latin9, overlapping4, windoku9 } from './variant-geometries.ts';

const four = standardGeometry(4);
const nine = standardGeometry(9);
const BLANK = '.'.repeat(81);
const EASY = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
const EASY_SOLVED = '534678912672195348198342567859761423426853791713924856961537284287419635345286179';
/** A puzzle without a single at the start. */
const HARD = '8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..';

interface Searcher {
  readonly name: string;
  readonly create: () => Engine;
  /** Whether it takes minutes for some 9x9. */
  readonly isSlow?: boolean;
}

const ENGINES: readonly Searcher[] = [
  ...ENGINE_NAMES.map((name) => ({ name, create: () => createEngine(name), isSlow: name === 'backtrack' })),
  {
    name: 'dlx in the general core alone',
    create: () => new KernelEngine('dlx', 6, (geometry) => new CoverKernel(geometry)),
  },
];

const fixtures = readFileSync(new URL('../fixtures/9x9-counts.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [puzzle, count, solution] = line.split(':');
    return { puzzle, count: Number(count), solution };
  });

/** The answers at each stop of the search for one puzzle. */
function answersOf(
  engine: Engine,
  geometry: Geometry,
  cells: Uint8Array,
  limits: Partial<SearchLimits> = {},
): Answers[] {
  const answers = createAnswers(1, geometry.cellCount);
  answers.cells.fill(77);
  const all = { ...FIND_TWO, ...limits };
  engine.solve({ geometry, cells }, 0, 1, all, answers);
  const seen = [structuredClone(answers)];
  while (answers.stop[0] >= Stop.slice) {
    engine.resume(all, answers);
    seen.push(structuredClone(answers));
  }
  return seen;
}

const answerOf = (...args: Parameters<typeof answersOf>): Answers => answersOf(...args).at(-1)!;

/** Fails unless an answer is what the rules say, and what the oracle says if both have searched all that they may. */
function expectRight(answer: Answers, expected: Answers, geometry: Geometry, cells: Uint8Array): void {
  const found = answer.solutions[0] > 0;
  expect(isSolutionOf(geometry, cells, 0, answer.cells, 0)).toBe(found);
  if (!found) expect(answer.cells.every((digit) => digit === 0)).toBe(true);
  const wereCut = [answer, expected].map(({ stop }) => stop[0] === Stop.nodeLimit);
  if (wereCut.includes(true)) {
    if (expected.stop[0] === Stop.exhausted) {
      expect(answer.solutions[0]).toBeLessThanOrEqual(expected.solutions[0]);
    }
    return;
  }
  expect([answer.solutions, answer.stop]).toEqual([expected.solutions, expected.stop]);
  if (answer.solutions[0] === 1 && answer.stop[0] === Stop.exhausted) {
    expect(answer.cells).toEqual(expected.cells);
  }
}

const GEOMETRIES = [
  { name: '4x4', geometry: four, runs: 25 },
  { name: '6x6', geometry: standardGeometry(6), runs: 25 },
  { name: '9x9', geometry: nine, runs: 60 },
  { name: '12x12', geometry: standardGeometry(12), runs: 4 },
  { name: 'jigsaw', geometry: jigsaw6, runs: 15 },
  { name: 'overlapping', geometry: overlapping4, runs: 15 },
  { name: 'windoku', geometry: windoku9, runs: 6 },
  { name: 'diagonal', geometry: diagonal9, runs: 6 },
  { name: 'Latin', geometry: latin9, runs: 4 },
] as const;

describe.each(ENGINES)('$name', ({ create, isSlow = false }) => {
  const engine = create();
  const taken = GEOMETRIES.filter(({ geometry }) => engine.refuses(geometry) === undefined);
  const budget = isSlow ? 300_000 : Number.POSITIVE_INFINITY;

  it.each(taken.filter(({ geometry }) => !isSlow || geometry.size < 10))(
    'has the statuses, counts and unique solutions of the oracle, in any slices, with and without pauses: $name',
    ({ geometry, runs }) => {
      const oracle = createOracle();
      const limitsOf = fc.record({
        maxSolutions: fc.constantFrom(1, 2, 30),
        sliceNodes: fc.integer({ min: 1, max: 20 }),
      });
      let undecided = 0;
      fc.assert(
        fc.property(puzzleOf(geometry), limitsOf, (cells, { maxSolutions, sliceNodes }) => {
          const expected = answerOf(oracle, geometry, cells, { maxSolutions });
          const whole = answerOf(engine, geometry, cells, { maxSolutions, maxNodes: budget });
          expectRight(whole, expected, geometry, cells);
          if (whole.stop[0] === Stop.nodeLimit) undecided++;
          // A slow search has millions of small slices.
          const slice = isSlow ? Math.max(sliceNodes, Math.ceil(whole.nodes[0] / 100)) : sliceNodes;
          const sliced = answersOf(engine, geometry, cells, {
            maxSolutions,
            maxNodes: budget,
            sliceNodes: slice,
          });
          for (const [k, { nodes }] of sliced.slice(0, -1).entries()) expect(nodes[0]).toBe((k + 1) * slice);
          expect(sliced.at(-1)).toEqual(whole);
          const limits = { maxSolutions, maxNodes: budget, pauseAtSolution: true };
          const shown = answersOf(engine, geometry, cells, limits).filter(
            ({ solutions }, k, all) => solutions[0] > (all[k - 1]?.solutions[0] ?? 0),
          );
          expect(shown.map(({ solutions }) => solutions[0])).toEqual(shown.map((_, k) => k + 1));
          expect(shown).toHaveLength(whole.solutions[0]);
          expect(new Set(shown.map((at) => textOf(at.cells))).size).toBe(shown.length);
          for (const at of shown) expect(isSolutionOf(geometry, cells, 0, at.cells, 0)).toBe(true);
          // Without pauses, the first solution is shown.
          if (shown.length > 0) expect(whole.cells).toEqual(shown[0].cells);
        }),
        { numRuns: propertyRuns(isSlow && geometry.size === 9 ? Math.ceil(runs / 4) : runs) },
      );
      expect(undecided).toBeLessThan(propertyRuns(runs) / 2);
    },
  );

  const smallPuzzle = fc
    .constantFrom(
      ...taken.filter(({ geometry }) => geometry.size < (isSlow ? 9 : 10)).map((row) => row.geometry),
    )
    .chain((geometry) => puzzleOf(geometry).map((cells) => ({ geometry, cells })));
  if (taken.length === 0) throw new Error('an engine takes no geometry');

  it('stops at its node budget with the solutions found, and never with a wrong answer', () => {
    fc.assert(
      fc.property(smallPuzzle, fc.integer({ min: 1, max: 60 }), ({ geometry, cells }, maxNodes) => {
        const whole = answerOf(engine, geometry, cells, { maxSolutions: 30 });
        const cut = answerOf(engine, geometry, cells, { maxSolutions: 30, maxNodes });
        if (whole.nodes[0] <= maxNodes) {
          expect(cut).toEqual(whole);
          return;
        }
        expect([cut.stop[0], cut.nodes[0]]).toEqual([Stop.nodeLimit, maxNodes]);
        expect(cut.solutions[0]).toBeLessThanOrEqual(whole.solutions[0]);
        expect(cut.cells).toEqual(cut.solutions[0] > 0 ? whole.cells : new Uint8Array(geometry.cellCount));
        expect(answerOf(engine, geometry, cells, { maxSolutions: 30, maxNodes, sliceNodes: 3 })).toEqual(cut);
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it('counts the same when the digits are renamed', () => {
    fc.assert(
      fc.property(smallPuzzle, fc.infiniteStream(fc.nat()), ({ geometry, cells }, random) => {
        const keys = Array.from({ length: geometry.size }, (_, k) => ({
          digit: k + 1,
          key: random.next().value!,
        }));
        const renamed = [0, ...keys.sort((a, b) => a.key - b.key).map(({ digit }) => digit)];
        const [one, other] = [cells, cells.map((digit) => renamed[digit])].map((each) =>
          answerOf(engine, geometry, each, { maxSolutions: 50 }),
        );
        expect([other.solutions, other.stop]).toEqual([one.solutions, one.stop]);
      }),
      { numRuns: propertyRuns(30) },
    );
  });

  it('keeps nothing from one puzzle to the next, also if one is abandoned', () => {
    fc.assert(
      fc.property(
        smallPuzzle,
        smallPuzzle,
        fc.integer({ min: 1, max: 5 }),
        (before, { geometry, cells }, slice) => {
          const fresh = answerOf(create(), geometry, cells);
          answerOf(engine, before.geometry, before.cells);
          expect(answerOf(engine, geometry, cells)).toEqual(fresh);
          const puzzles = { geometry: before.geometry, cells: before.cells };
          const answers = createAnswers(1, before.geometry.cellCount);
          engine.solve(puzzles, 0, 1, { ...FIND_TWO, sliceNodes: slice }, answers);
          expect(answerOf(engine, geometry, cells)).toEqual(fresh);
        },
      ),
      { numRuns: propertyRuns(30) },
    );
  });

  /** More puzzles than any engine solves in one call of its kernel: a few different ones, repeated, half of which need guesses. */
  const some = Array.from({ length: 16 }, (_, k) => {
    if (k === 0) return cellsOf(`55${BLANK.slice(2)}`);
    if (k < 8) return cellsOf(HARD).map((digit) => (digit === 0 ? 0 : ((digit + k) % 9) + 1));
    return generatePuzzle(nine, { seed: k, givens: 36 }, createEngine('bitboard')).cells;
  });
  const COUNT = 600;
  const block = {
    geometry: nine,
    cells: Uint8Array.from(Array.from({ length: COUNT }, (_, k) => [...some[k % 16]]).flat()),
  };
  const limits = { ...FIND_TWO, maxNodes: 500 };

  it('gives a block the answers of its puzzles, fills no others, and calls a watch for each puzzle in order', () => {
    const [from, to] = [3, COUNT - 2];
    const together = createAnswers(COUNT, 81);
    create().solve(block, from, to, limits, together);
    const alone = createAnswers(COUNT, 81);
    const one = create();
    for (let k = from; k < to; k++) one.solve(block, k, k + 1, limits, alone);
    expect(together).toEqual(alone);
    expect([together.nodes[2], together.nodes[3] > 0, together.nodes[COUNT - 2]]).toEqual([0, true, 0]);
    const watched = createAnswers(COUNT, 81);
    const calls: number[] = [];
    create().solve(block, from, to, limits, watched, (index) => void calls.push(index));
    expect(watched).toEqual(together);
    expect(calls).toEqual(Array.from({ length: to - from }, (_, k) => k + from));
  });

  it('can be stopped by its watch, and solves other puzzles afterwards', () => {
    const stop = () => {
      throw new Error('that is enough');
    };
    const [answers, fresh] = [createAnswers(COUNT, 81), createAnswers(COUNT, 81)];
    const stopped = create();
    expect(() => stopped.solve(block, 0, COUNT, limits, answers, stop)).toThrow('enough');
    stopped.solve(block, 0, COUNT, limits, answers);
    create().solve(block, 0, COUNT, limits, fresh);
    expect(answers).toEqual(fresh);
  });

  it('answers the fixtures with 0, 1 and many solutions, and the same again', () => {
    let answered = 0;
    for (const { puzzle, count, solution } of fixtures) {
      const all = { maxSolutions: Infinity, maxNodes: budget };
      const answer = answerOf(engine, nine, cellsOf(puzzle), all);
      if (answer.stop[0] === Stop.nodeLimit) continue;
      answered++;
      expect([puzzle, answer.solutions[0], answer.stop[0]]).toEqual([puzzle, count, Stop.exhausted]);
      if (count === 1) expect(textOf(answer.cells)).toBe(solution);
      if (count < 50) expect(answerOf(engine, nine, cellsOf(puzzle), all)).toEqual(answer);
    }
    expect(answered).toBeGreaterThan(isSlow ? 20 : fixtures.length - 1);
  });

  it.each([
    ['two fives in a row', `55${'.'.repeat(79)}`],
    ['two fives in a column', `5${'.'.repeat(8)}5${'.'.repeat(71)}`],
    ['two fives in a box', `5${'.'.repeat(9)}5${'.'.repeat(70)}`],
    ['a cell with no digit left', `12345678.${'.'.repeat(8)}9${'.'.repeat(63)}`],
    ['a finished grid with one wrong digit', EASY_SOLVED.replace('5', '1')],
  ])(
    'finds no solution of %s within ten nodes, and leaves no digit of the puzzle before',
    (_name, puzzle) => {
      answerOf(engine, nine, cellsOf(EASY_SOLVED));
      const answer = answerOf(engine, nine, cellsOf(puzzle), { maxNodes: 10 });
      expect([answer.solutions[0], answer.stop[0], textOf(answer.cells)]).toEqual([0, Stop.exhausted, BLANK]);
    },
  );

  it.each([0, 1, 9])('takes fewer than 10 givens: %i', (givens) => {
    const { cells } = generatePuzzle(nine, { seed: 8, givens, unique: false }, createOracle());
    const answer = answerOf(engine, nine, cells, { maxSolutions: 100 });
    expect([answer.solutions[0], answer.stop[0]]).toEqual([100, Stop.solutionLimit]);
    expect(isSolutionOf(nine, cells, 0, answer.cells, 0)).toBe(true);
  });

  it('has no puzzle to resume before a pause, or after a puzzle ended', () => {
    const fresh = create();
    const answers = createAnswers(1, 81);
    expect(() => fresh.resume(FIND_TWO, answers)).toThrow('no puzzle is paused');
    fresh.solve({ geometry: nine, cells: cellsOf(EASY) }, 0, 1, FIND_TWO, answers);
    expect(answers.stop[0]).toBe(Stop.exhausted);
    expect(() => fresh.resume({ ...FIND_TWO, pauseAtSolution: true }, answers)).toThrow(
      'no puzzle is paused',
    );
  });

  it.each<[string, Partial<SearchLimits>, number, string]>([
    ['no solutions', { maxSolutions: 0 }, 1, 'maxSolutions 0'],
    ['no nodes', { maxNodes: 0 }, 1, 'maxNodes 0'],
    ['empty slices', { sliceNodes: 0 }, 1, 'sliceNodes 0'],
    ['a limit that is not a number', { maxNodes: Number.NaN }, 1, 'maxNodes NaN'],
    ['slices of two puzzles', { sliceNodes: 5 }, 2, 'solves one puzzle: 0 to 2 are 2'],
    ['pauses in two puzzles', { pauseAtSolution: true }, 2, 'solves one puzzle: 0 to 2 are 2'],
    ['puzzles outside the block', {}, 4, 'puzzle 3 ends at byte 324'],
    ['a digit above the size', {}, 3, 'puzzle 1 has digit 10 in cell 80: expected 0 to 9'],
  ])('rejects %s', (_name, wrong, to, message) => {
    const cells = cellsOf(EASY + EASY + EASY);
    cells[81 + 80] = 10;
    const answers = createAnswers(4, 81);
    const solve = () => engine.solve({ geometry: nine, cells }, 0, to, { ...FIND_TWO, ...wrong }, answers);
    expect(solve).toThrow(message);
  });
});

describe('an engine counts', () => {
  it.each<[string, Geometry, number]>([
    ['4x4', four, 288],
    ['1x1', standardGeometry(1, 1, 1), 1],
    ['4x4 Latin square', latinGeometry(4), 576],
  ])('all solutions of the empty %s', (_name, geometry, count) => {
    for (const name of ['dlx', 'backtrack'] as const) {
      const cells = new Uint8Array(geometry.cellCount);
      expect(answerOf(createEngine(name), geometry, cells, COUNT_ALL).solutions[0]).toBe(count);
    }
  });

  it('in backtrack, nodes and guesses cell by cell, and solutions in the order of the grid', () => {
    const counts = (puzzle: string) => {
      const { nodes, guesses } = answerOf(createEngine('backtrack'), four, cellsOf(puzzle));
      return [nodes[0], guesses[0]];
    };
    expect(counts('1234 3412 2143 432.')).toEqual([2, 0]);
    // 34 12 43 21 at the right is one solution; the next keeps row 1 and has 21 in row 2, the last digit left there.
    expect(counts('12.. 34.. 21.. 43..')).toEqual([1 + 8 + 6, 2]);
    const limits = { maxSolutions: 4, pauseAtSolution: true };
    const shown = answersOf(createEngine('backtrack'), four, new Uint8Array(16), limits);
    const first = ['1234341221434321', '1234341223414123', '1234341241232341', '1234341243212143'];
    expect(shown.map(({ cells }) => textOf(cells))).toEqual(first);
  });

  it('no guess if singles and locked candidates solve the puzzle, and dlx begins as bitboard', () => {
    const { nodes, guesses } = answerOf(createEngine('bitboard'), nine, cellsOf(EASY));
    expect([nodes[0], guesses[0]]).toEqual([1, 0]);
    for (const puzzle of [EASY, HARD, BLANK]) {
      const answer = answerOf(createEngine('bitboard'), nine, cellsOf(puzzle));
      expect(answer.nodes[0]).toBeLessThan(128);
      expect(answerOf(createEngine('dlx'), nine, cellsOf(puzzle))).toEqual(answer);
    }
  });

  it.each([
    { size: 31, box: [1, 31] },
    { size: 32, box: [4, 8] },
    { size: 33, box: [3, 11] },
    { size: 36, box: [6, 6] },
  ])('the last blanks of size $size', ({ size, box: [rows, columns] }) => {
    const geometry = standardGeometry(size, rows, columns);
    const grid = completed(randomFullGrid(geometry, new RandomSource(1)))!;
    for (const name of ['dlx', 'backtrack'] as const) {
      const answer = answerOf(createEngine(name), geometry, grid.slice().fill(0, 0, size));
      expect([answer.solutions[0], answer.stop[0], answer.cells]).toEqual([1, Stop.exhausted, grid]);
    }
  });
});

/** The general core may have compiled its module before. */
const { Memory, Instance } = webAssembly()!;

describe.each([
  ['there is no WebAssembly', undefined],
  ['WebAssembly has no SIMD, or a page forbids its compilation', { Memory, Instance, Module: forbidden }],
])('if %s', (_name, api) => {
  beforeEach(() => void vi.stubGlobal('WebAssembly', api));
  afterEach(() => vi.unstubAllGlobals());

  it('dlx solves in the general core: same statuses and unique solutions, and of other geometries the same nodes', () => {
    fc.assert(
      fc.property(puzzleOf(nine), puzzleOf(four), (cells, small) => {
        vi.stubGlobal('WebAssembly', api);
        const engine = createEngine('dlx');
        const answers = [answerOf(engine, nine, cells), answerOf(engine, four, small)];
        vi.unstubAllGlobals();
        expectRight(answers[0], answerOf(createOracle(), nine, cells), nine, cells);
        expect(answers[1]).toEqual(answerOf(createEngine('dlx'), four, small));
      }),
      { numRuns: propertyRuns(50) },
    );
  });

  it('bitboard refuses every puzzle and names dlx', () => {
    const engine = createEngine('bitboard');
    expect(engine.refuses(nine)).toMatch(/needs WebAssembly with SIMD.*: use dlx\.$/);
    expect(() => answerOf(engine, nine, cellsOf(EASY))).toThrow(RangeError);
  });
});

function forbidden(): never {
  throw new Error('Refused to compile or instantiate WebAssembly module');
}

describe('bitboard refuses with a reason', () => {
  it.each<[Geometry, string]>([
    [standardGeometry(16), 'standard 16x16 with 4x4 boxes'],
    [latinGeometry(9), 'latin 9x9'],
    [diagonal9, 'x 9x9 with 3x3 boxes'],
    [variantGeometry({ variant: 'samurai', size: 9 }), 'samurai 9x9'],
  ])('%#: not %s', (geometry, found) => {
    const engine = createEngine('bitboard');
    expect(engine.refuses(geometry)).toContain(`supports only the standard 9x9 with 3x3 boxes, not ${found}`);
    expect(() => answerOf(engine, geometry, new Uint8Array(geometry.cellCount))).toThrow(RangeError);
  });
});

const SIZES = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 24, 25, 28, 30, 36];
/** Largest sizes whose full grids are found in moments: by shuffling a pattern, and by search. */
const MAX_SIZE = DEEP ? 36 : 25;
const MAX_SEARCHED_SIZE = DEEP ? 16 : 10;
const SHUFFLED: readonly VariantName[] = ['standard', 'latin', 'x', 'latin-x'];
const shapes = SIZES.flatMap((size) =>
  VARIANT_NAMES.flatMap((variant) => {
    if (size > (SHUFFLED.includes(variant) ? MAX_SIZE : MAX_SEARCHED_SIZE)) return [];
    const regions = needsRegions(variant) ? new Uint8Array(size * size) : undefined;
    // Boxes of every shape; other variants have none.
    const boxes = Array.from({ length: size }, (_, k) => k + 1)
      .filter((rows) => rows > 1 && rows < size && size % rows === 0)
      .map((rows) => [rows, size / rows] as const);
    return (variant === 'standard' ? boxes : [undefined])
      .filter((box) => variantProblem({ variant, size, box, regions }) === undefined)
      .map((box) => ({ variant, size, box }));
  }),
);
type Shape = (typeof shapes)[number];

/** A geometry of the shape, and one of its full grids, or the empty one if none is found soon. */
function solvedGrid({ variant, size, box }: Shape, random: RandomSource) {
  for (let tries = 1; ; tries++) {
    const regions = needsRegions(variant) ? randomRegions(size, random) : undefined;
    const geometry = variantGeometry({ variant, size, box, regions });
    const grid = completed(randomFullGrid(geometry, random, 5));
    if (grid !== undefined) return { geometry, grid };
    if (tries === 20) return { geometry, grid: new Uint8Array(geometry.cellCount) };
  }
}

/** Puzzles with fewer and fewer givens, some of them wrong: with one solution, several or none. */
function puzzleFrom(grid: Uint8Array, size: number, random: RandomSource): Uint8Array {
  const share = 35 + random.below(60);
  const cells = grid.map((digit) => (random.below(100) < share ? digit : 0));
  if (random.below(3) === 0) cells[random.below(cells.length)] = 1 + random.below(size);
  return cells;
}

describe('every size, box and variant', () => {
  it.each(shapes)('$variant $size $box has the answers of the oracle by every engine', (shape) => {
    const random = new RandomSource(runSeed() + shapes.indexOf(shape));
    for (let run = 0; run < propertyRuns(1); run++) {
      const { geometry, grid } = solvedGrid(shape, random);
      const cells = puzzleFrom(grid, shape.size, random);
      const limits = { maxSolutions: [1, 2, 20][random.below(3)], maxNodes: 1500 };
      const expected = answerOf(createOracle(), geometry, cells, limits);
      expectRight(expected, expected, geometry, cells);
      for (const { create } of ENGINES) {
        const engine = create();
        if (engine.refuses(geometry) === undefined) {
          expectRight(answerOf(engine, geometry, cells, limits), expected, geometry, cells);
        }
      }
    }
  });

  it('are compared', () => {
    expect(new Set(shapes.map(({ variant }) => variant))).toEqual(new Set(VARIANT_NAMES));
    expect(shapes.length).toBeGreaterThan(100);
  });

  it.each(['x', 'windoku', 'windoku-x'] as const)('needs its rules: %s', (variant) => {
    const geometry = variantGeometry({ variant, size: 9 });
    const dlx = createEngine('dlx');
    const { cells, solution } = generatePuzzle(geometry, { seed: 5, givens: 'minimal' }, dlx);
    const limits = { maxSolutions: 3 };
    expect(answerOf(dlx, geometry, cells, limits)).toMatchObject({
      solutions: Float64Array.of(1),
      cells: solution,
    });
    expect(answerOf(dlx, nine, cells, limits).solutions[0]).toBe(3);
  });
});

describe('the oracle', () => {
  it('counts the solutions of the fixtures: none, one and many', () => {
    for (const { puzzle, count } of fixtures.filter(({ count }) => count <= 100)) {
      expect(countByOracle(nine, cellsOf(puzzle))).toBe(count);
    }
    for (const wanted of [0, 1, 2]) {
      expect(fixtures.filter(({ count }) => Math.min(count, 2) === wanted).length).toBeGreaterThan(9);
    }
  });

  it.each([four, nine])(
    'meets puzzles with no, one and many solutions, some of them minimal: $size',
    (geometry) => {
      const oracle = createOracle();
      const kinds = { none: 0, one: 0, many: 0, minimal: 0 };
      const countOf = (cells: Uint8Array) => answerOf(oracle, geometry, cells).solutions[0];
      for (const cells of fc.sample(puzzleOf(geometry), { seed: 3, numRuns: propertyRuns(100) })) {
        const solutions = countOf(cells);
        if (solutions === 0) kinds.none++;
        else if (solutions === 2) kinds.many++;
        else {
          kinds.one++;
          const isNeeded = (cell: number) =>
            cells[cell] === 0 || countOf(cells.slice().fill(0, cell, cell + 1)) === 2;
          if ([...cells.keys()].every(isNeeded)) kinds.minimal++;
        }
      }
      for (const count of Object.values(kinds)) expect(count).toBeGreaterThan(9);
    },
  );
});
