/** Cases of the benchmark: generated ones, from seeds, so that they are the same everywhere, and parts of others. */
import type { BenchCase } from '../../lib/cli/bench/bench-case.ts';
import type { Engine, PuzzleCells } from '../../lib/sudoku/engine.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { generatePuzzle, type PuzzleRequest } from '../../lib/sudoku/generator/generate.ts';
import { type Geometry, standardGeometry } from '../../lib/sudoku/geometry/geometry.ts';

/** Generated cases: puzzles with many givens, minimal ones, and larger grids. */
export function generatedCases(): BenchCase[] {
  const nine = createEngine('bitboard');
  const any = createEngine('dlx');
  return [
    generated('easy', standardGeometry(9), 2000, 36, nine),
    generated('minimal', standardGeometry(9), 2000, 'minimal', nine),
    generated('16x16', standardGeometry(16), 30, 100, any),
    generated('25x25', standardGeometry(25), 10, 330, any),
  ];
}

function generated(
  name: string,
  geometry: Geometry,
  count: number,
  givens: PuzzleRequest['givens'],
  engine: Engine,
): BenchCase {
  const pieces = Array.from(
    { length: count },
    (_, i) => generatePuzzle(geometry, { seed: i + 1, givens }, engine).cells,
  );
  return { name: `generated ${name}`, ...concatenatedPuzzles(geometry, pieces) };
}

/** Returns every `step`-th puzzle from the first on. */
export function evenSample(puzzles: BenchCase, step: number): BenchCase {
  const { geometry, count, cells } = puzzles;
  const size = geometry.cellCount;
  const pieces = Array.from({ length: Math.ceil(count / step) }, (_, i) =>
    cells.subarray(i * step * size, (i * step + 1) * size),
  );
  return { ...puzzles, ...concatenatedPuzzles(geometry, pieces) };
}

/** Concatenates puzzles of one geometry. */
export function concatenatedPuzzles(
  geometry: Geometry,
  pieces: readonly Uint8Array[],
): PuzzleCells & { readonly count: number } {
  const cells = new Uint8Array(pieces.length * geometry.cellCount);
  for (const [i, piece] of pieces.entries()) cells.set(piece, i * geometry.cellCount);
  return { geometry, count: pieces.length, cells };
}
