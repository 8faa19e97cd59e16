import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSolutionOf } from '../../lib/sudoku/checks/solution-check.ts';
import { createAnswers, ENGINE_NAMES, type Engine, type EngineName, Stop } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { generatePuzzle } from '../../lib/sudoku/generator/generate.ts';
import type { Geometry } from '../../lib/sudoku/geometry/geometry.ts';
import { VARIANT_NAMES, variantGeometry } from '../../lib/sudoku/geometry/variants.ts';
import { propertyRuns } from '../support/depth.ts';
import { countByBruteForce } from './brute-force.ts';
import { createBitmaskEngine } from './oracle/bitmask.ts';
import { puzzleOf } from './random-puzzles.ts';

const regionsOf = (map: string) => Uint8Array.from(map, (symbol) => symbol.charCodeAt(0) - 96);
const FOUR = regionsOf('bbaabddabddacccc');
const SIX = regionsOf('aaaaababbbbbcccddfcccdffeeeddfeeedff');
const NINE = regionsOf('aaaabbbccaabbbbbcfdaabccccfdaeeeeccfdddeehhffdgddehffidggeehffiggghhhiiiggghhiiii');

const small: readonly Geometry[] = [
  variantGeometry({ variant: 'x', size: 4 }),
  variantGeometry({ variant: 'windoku', size: 4 }),
  variantGeometry({ variant: 'windoku-x', size: 4 }),
  variantGeometry({ variant: 'latin', size: 4 }),
  variantGeometry({ variant: 'latin', size: 6 }),
  variantGeometry({ variant: 'latin-x', size: 5 }),
  variantGeometry({ variant: 'x', size: 6 }),
  variantGeometry({ variant: 'jigsaw', size: 4, regions: FOUR }),
  variantGeometry({ variant: 'jigsaw-boxes', size: 6, regions: SIX }),
  variantGeometry({ variant: 'jigsaw-x', size: 6, regions: SIX }),
];
const large: readonly Geometry[] = [
  variantGeometry({ variant: 'x', size: 9 }),
  variantGeometry({ variant: 'windoku', size: 9 }),
  variantGeometry({ variant: 'windoku-x', size: 9 }),
  variantGeometry({ variant: 'latin', size: 8 }),
  variantGeometry({ variant: 'jigsaw', size: 9, regions: NINE }),
  variantGeometry({ variant: 'samurai', size: 9 }),
];

const solve = (engine: Engine, geometry: Geometry, cells: Uint8Array, maxSolutions: number) => {
  const limits = { maxSolutions, maxNodes: Infinity, sliceNodes: Infinity, pauseAtSolution: false };
  const answers = createAnswers(1, geometry.cellCount);
  engine.solve({ geometry, cells }, 0, 1, limits, answers);
  const exhausted = answers.stop[0] === Stop.exhausted;
  return { solutions: answers.solutions[0], exhausted, cells: answers.cells };
};

/** Engines that solve any of these quickly; `backtrack` takes minutes for some large ones. */
const enginesFor = (geometry: Geometry, names: readonly EngineName[]) =>
  [...names.map(createEngine), createBitmaskEngine()].filter(
    (engine) => engine.refuses(geometry) === undefined,
  );

describe.each(small)('$variant $size', (geometry) => {
  const engines = enginesFor(geometry, ENGINE_NAMES);

  it('is solved by every engine that works from units', () => {
    expect(engines.map(({ name }) => name)).toEqual(['dlx', 'backtrack', 'bitmask']);
  });

  it('has the same number of solutions by each engine and by brute force, for any givens', () => {
    fc.assert(
      fc.property(puzzleOf(geometry), (cells) => {
        const expected = countByBruteForce(geometry, cells, 60);
        for (const engine of engines) {
          const { solutions, exhausted, cells: solution } = solve(engine, geometry, cells, 60);
          expect([engine.name, solutions, exhausted]).toEqual([engine.name, expected, expected < 60]);
          if (solutions > 0) expect(isSolutionOf(geometry, cells, 0, solution, 0)).toBe(true);
        }
      }),
      { numRuns: propertyRuns(20) },
    );
  });
});

describe.each(large)('$variant $size', (geometry) => {
  it('has the same solutions by dlx and an independent oracle, for any givens: none, one or many', () => {
    const engines = enginesFor(geometry, ['dlx']);
    const counts = new Set<number>();
    fc.assert(
      fc.property(puzzleOf(geometry), (cells) => {
        const [one, other] = engines.map((engine) => solve(engine, geometry, cells, 3));
        expect([other.solutions, other.exhausted]).toEqual([one.solutions, one.exhausted]);
        for (const { solutions, cells: solution } of [one, other]) {
          if (solutions > 0) expect(isSolutionOf(geometry, cells, 0, solution, 0)).toBe(true);
        }
        if (one.solutions === 1) expect(other.cells).toEqual(one.cells);
        counts.add(Math.min(one.solutions, 2));
      }),
      // Samurais take bitmask much longer than the others.
      { numRuns: propertyRuns(geometry.cellCount > 100 ? 4 : 30) },
    );
    expect(counts.size).toBeGreaterThan(0);
  });

  it('is rejected by the bitboard with a reason', () => {
    const bitboard = createEngine('bitboard');
    expect(bitboard.refuses(geometry)).toMatch(
      new RegExp(`supports only the standard 9x9 with 3x3 boxes, not ${geometry.variant} ${geometry.size}x`),
    );
    const puzzles = { geometry, cells: new Uint8Array(geometry.cellCount) };
    const limits = { maxSolutions: 2, maxNodes: 9, sliceNodes: Infinity, pauseAtSolution: false };
    expect(() => bitboard.solve(puzzles, 0, 1, limits, createAnswers(1, geometry.cellCount))).toThrow(
      RangeError,
    );
  });
});

describe('the rules of a variant', () => {
  it.each(['x', 'windoku', 'windoku-x'] as const)(
    'are followed by dlx if the boxes alone would allow more: %s',
    (variant) => {
      const geometry = variantGeometry({ variant, size: 9 });
      const standard = variantGeometry({ variant: 'standard', size: 9 });
      const { cells, solution } = generatePuzzle(
        geometry,
        { seed: 5, givens: 'minimal' },
        createEngine('dlx'),
      );
      // The rules are needed: without them the same givens have more solutions.
      expect(solve(createEngine('dlx'), geometry, cells, 3)).toMatchObject({ solutions: 1, cells: solution });
      expect(solve(createEngine('dlx'), standard, cells, 3).solutions).toBe(3);
    },
  );

  it('are checked for every unit: a solution with two cells of any unit exchanged is rejected', () => {
    for (const geometry of [...small, ...large]) {
      const { solution } = generatePuzzle(
        geometry,
        { seed: 1, givens: geometry.cellCount },
        createEngine('dlx'),
      );
      const blank = new Uint8Array(geometry.cellCount);
      expect(isSolutionOf(geometry, blank, 0, solution, 0)).toBe(true);
      for (const { cells } of geometry.units) {
        const wrong = solution.slice();
        wrong[cells[0]] = solution[cells[1]];
        expect(isSolutionOf(geometry, blank, 0, wrong, 0)).toBe(false);
      }
    }
  });

  it('exist for every name', () => {
    expect(new Set([...small, ...large].map(({ variant }) => variant))).toEqual(
      new Set(VARIANT_NAMES.filter((name) => name !== 'standard')),
    );
  });
});
