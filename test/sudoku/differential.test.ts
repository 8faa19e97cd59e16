/** The engines give the same answers for every size, box and variant, and `dlx` the same with and without WebAssembly. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isSolutionOf } from '../../lib/sudoku/checks/solution-check.ts';
import { createAnswers, ENGINE_NAMES, type Engine, Stop } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { NoFullGridError, randomFullGrid } from '../../lib/sudoku/generator/full-grid.ts';
import { randomRegions } from '../../lib/sudoku/generator/random-regions.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import type { Geometry } from '../../lib/sudoku/geometry/geometry.ts';
import {
  needsRegions,
  VARIANT_NAMES,
  type VariantName,
  variantGeometry,
  variantProblem,
} from '../../lib/sudoku/geometry/variants.ts';
import { DEEP, propertyRuns, runSeed } from '../support/depth.ts';
import { createBitmaskEngine } from './oracle/bitmask.ts';

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
    const choices = variant === 'standard' ? boxes : [undefined];
    return choices
      .filter((box) => variantProblem({ variant, size, box, regions }) === undefined)
      .map((box) => ({
        variant,
        size,
        box,
        name: `${variant} ${size}${box ? ` in boxes of ${box.join('x')}` : ''}`,
      }));
  }),
);
type Shape = (typeof shapes)[number];

/** A geometry of the shape, and one of its full grids, or the empty one if none is found soon. */
function solvedGrid({ variant, size, box }: Shape, random: RandomSource) {
  for (let tries = 1; ; tries++) {
    const regions = needsRegions(variant) ? randomRegions(size, random) : undefined;
    const geometry = variantGeometry({ variant, size, box, regions });
    try {
      return { geometry, grid: randomFullGrid(geometry, random, 5) };
    } catch (error) {
      if (!(error instanceof NoFullGridError)) throw error;
      if (tries === 20) return { geometry, grid: new Uint8Array(size * size) };
    }
  }
}

/** Puzzles with fewer and fewer givens, some of them wrong: with one solution, several or none. */
function puzzleFrom(grid: Uint8Array, size: number, random: RandomSource): Uint8Array {
  const share = 35 + random.below(60);
  const cells = grid.map((digit) => (random.below(100) < share ? digit : 0));
  if (random.below(3) === 0) cells[random.below(cells.length)] = 1 + random.below(size);
  return cells;
}

const MAX_NODES = 1500;

function answer(engine: Engine, geometry: Geometry, cells: Uint8Array, maxSolutions: number) {
  const answers = createAnswers(1, geometry.cellCount);
  const limits = { maxSolutions, maxNodes: MAX_NODES, sliceNodes: Infinity, pauseAtSolution: false };
  engine.solve({ geometry, cells }, 0, 1, limits, answers);
  const { solutions, stop, nodes, guesses } = answers;
  return {
    name: engine.name,
    solutions: solutions[0],
    stop: stop[0],
    nodes: nodes[0],
    guesses: guesses[0],
    cells: answers.cells,
  };
}

afterEach(() => {
  vi.unstubAllGlobals();
});

describe.each(shapes)('$name', (shape) => {
  it('has the same answers by every engine', () => {
    const random = new RandomSource(runSeed() + shapes.indexOf(shape));
    const engines = [...ENGINE_NAMES.map(createEngine), createBitmaskEngine()];
    let found = 0;
    let decided = 0;
    for (let run = 0; run < propertyRuns(1); run++) {
      const { geometry, grid } = solvedGrid(shape, random);
      if (grid[0] > 0) found++;
      const cells = puzzleFrom(grid, shape.size, random);
      const maxSolutions = [1, 2, 20][random.below(3)];
      const answers = engines
        .filter((engine) => engine.refuses(geometry) === undefined)
        .map((engine) => answer(engine, geometry, cells, maxSolutions));
      expect(answers.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['dlx', 'bitmask', 'backtrack']),
      );
      for (const { solutions, cells: solution } of answers) {
        if (solutions > 0) expect(isSolutionOf(geometry, cells, 0, solution, 0)).toBe(true);
        else expect(solution.every((digit) => digit === 0)).toBe(true);
      }
      const complete = answers.filter(({ stop }) => stop !== Stop.nodeLimit);
      for (const { name, solutions, stop, cells: solution } of complete) {
        const [first] = complete;
        expect([name, solutions, stop]).toEqual([name, first.solutions, first.stop]);
        if (solutions === 1 && stop === Stop.exhausted) expect(solution).toEqual(first.cells);
      }
      // An engine that ran out of nodes has found no more than there are.
      const [exact] = complete.filter(({ stop }) => stop === Stop.exhausted);
      if (exact !== undefined) {
        for (const { solutions } of answers) expect(solutions).toBeLessThanOrEqual(exact.solutions);
      }
      vi.stubGlobal('WebAssembly', undefined);
      const plain = answer(createEngine('dlx'), geometry, cells, maxSolutions);
      vi.unstubAllGlobals();
      expect(plain).toEqual(answers.find(({ name }) => name === 'dlx'));
      if (complete.length > 1) decided++;
    }
    // Some sizes have no full grid, and of large ones hardly any is found.
    if (found > 3) expect(decided).toBeGreaterThan(0);
  });
});

it('compares geometries of every variant', () => {
  expect(new Set(shapes.map(({ variant }) => variant))).toEqual(new Set(VARIANT_NAMES));
  expect(shapes.length).toBeGreaterThan(100);
});
