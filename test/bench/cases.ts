/** Generated cases of the benchmark, from seeds, so that they are the same everywhere. */
import { type BenchCase, concatenatedPuzzles } from '../../lib/cli/bench/bench-case.ts';
import type { Engine } from '../../lib/sudoku/engine.ts';
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
