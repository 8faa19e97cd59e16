import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSolutionOf } from '../../lib/sudoku/checks/solution-check.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';
import { variantGeometry } from '../../lib/sudoku/geometry/variants.ts';
import { concatenatedPuzzles } from './cases.ts';
import { measureLarge, measureSatPeer, writeClauses } from './large.ts';
import { mixedGrid } from './large-puzzles.ts';

const FOUR = {
  name: '4x4',
  ...concatenatedPuzzles(standardGeometry(4), [
    Uint8Array.of(1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 0, 0, 0, 0),
    new Uint8Array(16),
    Uint8Array.of(1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
  ]),
};

test.each([standardGeometry(6), standardGeometry(16), variantGeometry({ variant: 'latin', size: 11 })])(
  'mixed grids keep every rule: $variant $size',
  (geometry) => {
    const grid = mixedGrid(geometry, new RandomSource(1));
    expect(isSolutionOf(geometry, new Uint8Array(geometry.cellCount), 0, grid, 0)).toBe(true);
    expect(grid).not.toEqual(mixedGrid(geometry, new RandomSource(2)));
  },
);

test('the benchmark of large puzzles finds two solutions, or proves that there is only one', () => {
  const { solutions, solvingMs } = measureLarge(FOUR);
  expect(solutions).toEqual([1, 2, 0]);
  expect(solvingMs).toHaveLength(3);
});

test('a peer gets clauses and the givens of each puzzle, and its times are read', () => {
  const path = join(mkdtempSync(join(tmpdir(), 'bench-large-test-')), 'a.icnf');
  writeClauses(FOUR, path);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(lines.slice(0, 3)).toEqual(['p inccnf', '1 2 3 4 0', '-1 -2 0']);
  // 64 items with 4 options each, then the puzzles.
  expect(lines).toHaveLength(1 + 64 * 7 + 3);
  expect(lines.slice(-2)).toEqual(['a 0', 'a 1 5 0']);
  const command = "grep -c '^a' > /dev/null; printf '1 0.5 0.25\\n2 0.5 1e-3\\n0 0 0\\n'";
  expect(measureSatPeer({ name: 'some', command }, path, 3)).toEqual({
    solutions: [1, 2, 0],
    loadingMs: [500, 500, 0],
    solvingMs: [250, 1, 0],
  });
  expect(() => measureSatPeer({ name: 'none', command: 'cat > /dev/null' }, path, 3)).toThrow(
    'peer none wrote 0 lines "SOLUTIONS LOADING SOLVING" for 3 puzzles',
  );
});
