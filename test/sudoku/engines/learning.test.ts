/** Learned clauses on sudokus: the same answers as dancing links, and large grids that links alone do not finish. */
import { expect, test } from 'vitest';
import { DancingLinks } from '../../../lib/exact-cover/dancing-links.ts';
import { LearningSearch } from '../../../lib/exact-cover/learning/learning-search.ts';
import { createPlainSearch } from '../../../lib/exact-cover/plain-search.ts';
import { searchBytes } from '../../../lib/exact-cover/search-memory.ts';
import { isSolutionOf } from '../../../lib/sudoku/checks/solution-check.ts';
import { createAnswers, Stop } from '../../../lib/sudoku/engine.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { type Geometry, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { variantGeometry } from '../../../lib/sudoku/geometry/variants.ts';
import { sudokuCover } from '../../../lib/sudoku/sudoku-cover.ts';
import { withGivens } from '../../bench/large-puzzles.ts';
import { propertyRuns } from '../../support/depth.ts';

const LIMITS = {
  maxSolutions: 2,
  maxNodes: Number.POSITIVE_INFINITY,
  sliceNodes: Number.POSITIVE_INFINITY,
  pauseAtSolution: false,
};

/** The options of the givens. */
function givensOf({ size }: Geometry, optionOf: Int32Array, cells: Uint8Array): number[] {
  return Array.from(cells, (digit, cell) => (digit === 0 ? -1 : optionOf[cell * size + digit - 1])).filter(
    (option) => option >= 0,
  );
}

// Shares of givens with which some puzzles have one solution, some several; one in four gets a wrong digit.
test.each([
  ['9x9', standardGeometry(9), 0.3, 0.5],
  ['latin 8', variantGeometry({ variant: 'latin', size: 8 }), 0.3, 0.7],
] as const)('learned clauses give the answers of dancing links: %s', (_name, geometry, least, most) => {
  const { problem, optionOf } = sudokuCover(geometry);
  const links = new DancingLinks(problem);
  const learning = new DancingLinks(problem, 2, (same) => new LearningSearch(createPlainSearch(same), 1, 0));
  const found = [0, 0, 0];
  const count = propertyRuns(40);
  for (let k = 0; k < count; k++) {
    const random = new RandomSource(k);
    const cells = withGivens(geometry, least + ((most - least) * k) / count, random);
    if (k % 4 === 0) {
      const cell = cells.indexOf(0);
      cells[cell] = 1 + random.below(geometry.size);
    }
    for (const each of [links, learning]) {
      each.reset(givensOf(geometry, optionOf, cells));
      each.run(LIMITS);
    }
    expect([k, learning.solutions]).toEqual([k, links.solutions]);
    found[links.solutions]!++;
  }
  expect(Math.min(...found)).toBeGreaterThan(0);
});

// The links find no solution of the first one in 200,000 nodes; the second one has one solution.
test.each([
  [2, 2, Stop.solutionLimit],
  [25, 1, Stop.exhausted],
])('solves 36x36 puzzle %d', (seed, solutions, stop) => {
  const geometry = standardGeometry(36);
  const cells = withGivens(geometry, 0.54, new RandomSource(seed));
  const answers = createAnswers(1, geometry.cellCount);
  const engine = createEngine('dlx');
  engine.solve({ geometry, cells }, 0, 1, { ...LIMITS, maxNodes: 20_000 }, answers);
  expect([answers.solutions[0], answers.stop[0]]).toEqual([solutions, stop]);
  expect(isSolutionOf(geometry, cells, 0, answers.cells, 0)).toBe(true);
  const nodes = answers.nodes[0];
  expect(nodes).toBeGreaterThan(6000);
  const bytes = engine.searchBytes;
  const learned = bytes - searchBytes(sudokuCover(geometry).problem);
  expect(learned).toBeGreaterThan(100_000);
  expect(learned).toBeLessThan(40 * 2 ** 20);

  engine.searchBytes = 0;
  const sliced = createAnswers(1, geometry.cellCount);
  const slices = { ...LIMITS, sliceNodes: 1000 };
  engine.solve({ geometry, cells }, 0, 1, slices, sliced);
  while (sliced.stop[0] >= Stop.slice) engine.resume(slices, sliced);
  expect(sliced).toEqual(answers);
  expect(engine.searchBytes).toBe(bytes);

  // The next puzzle takes nothing but the links.
  engine.searchBytes = 0;
  const empty = new Uint8Array(geometry.cellCount);
  engine.solve({ geometry, cells: empty }, 0, 1, { ...LIMITS, maxNodes: 10 }, sliced);
  expect(engine.searchBytes).toBe(bytes - learned);
});
