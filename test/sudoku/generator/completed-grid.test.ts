import { describe, expect, it } from 'vitest';
import { isSolutionOf } from '../../../lib/sudoku/checks/solution-check.ts';
import { createEngine } from '../../../lib/sudoku/engines.ts';
import { completedGrid } from '../../../lib/sudoku/generator/completed-grid.ts';
import { generatePuzzle } from '../../../lib/sudoku/generator/generate.ts';
import { RandomSource } from '../../../lib/sudoku/generator/random-source.ts';
import { completed } from '../../../lib/sudoku/generator/steps.ts';
import { type Geometry, standardGeometry } from '../../../lib/sudoku/geometry/geometry.ts';
import { variantGeometry } from '../../../lib/sudoku/geometry/variants.ts';

const dlx = createEngine('dlx');

describe('a completed grid', () => {
  it.each([
    ['windoku', 16],
    ['x', 16],
    ['standard', 9],
  ] as const)('of %s %i follows its rules, and depends only on the seed', (variant, size) => {
    const geometry = variantGeometry({ variant, size });
    const grid = (seed: number) => completed(completedGrid(geometry, new RandomSource(seed), dlx))!;
    const blank = new Uint8Array(geometry.cellCount);
    expect(isSolutionOf(geometry, blank, 0, grid(1), 0)).toBe(true);
    expect(grid(1)).toEqual(grid(1));
    expect(grid(1)).not.toEqual(grid(2));
  });

  it('is not found if the rules allow none', () => {
    const { units, ...rest } = standardGeometry(4);
    // One more unit, across two boxes and two rows, that no full 4x4 grid can fill.
    const impossible: Geometry = {
      ...rest,
      variant: 'impossible',
      units: [
        ...units,
        { kind: 'window', ordinal: 1, cells: Int32Array.of(0, 1, 6, 7) },
        { kind: 'window', ordinal: 2, cells: Int32Array.of(0, 1, 4, 6) },
        { kind: 'window', ordinal: 3, cells: Int32Array.of(0, 1, 5, 7) },
      ],
    };
    expect(completed(completedGrid(impossible, new RandomSource(1), dlx))).toBeUndefined();
  });

  it('is used if no search finds a full grid: windoku 16x16', () => {
    const geometry = variantGeometry({ variant: 'windoku', size: 16 });
    const { cells, solution } = generatePuzzle(geometry, { seed: 3, givens: 160 }, dlx);
    expect(isSolutionOf(geometry, cells, 0, solution, 0)).toBe(true);
  });
});
