/**
 * Large puzzles from seeds, for comparisons with SAT solvers (large.ts): minimal 16x16, 25x25 and 36x36 whose numbers of givens
 * make them hardest, and Latin squares with holes at the phase transition.
 *
 * Full grids that are only shuffled keep the regularity of their pattern, and puzzles made from them are too easy. So a
 * pattern is mixed by swaps that keep every rule (cycle switches: Wanless 2004; for digits also known as Kempe chains):
 *
 *     two rows of a band   exchange their cells in one column, then in that of the digit now missing, until both are complete
 *     two columns          likewise
 *     two digits           exchange them in one cell, then in every unit that now has one of them twice, until none has
 *
 * They do not depend on any solver. The givens are then chosen at random, so that most puzzles have several solutions. (Puzzles
 * with 275 givens and one solution take 8 s each to make, and 3 ms to solve, as the generator has to prove each of its steps.)
 *
 * 36x36 have a sharp transition: with 53% of the cells given, a quarter of the puzzles takes glucose minutes; with 56%, nearly
 * none needs a guess.
 */
import type { BenchCase } from '../../lib/cli/bench/bench-case.ts';
import { createEngine } from '../../lib/sudoku/engines.ts';
import { generatePuzzle } from '../../lib/sudoku/generator/generate.ts';
import { RandomSource } from '../../lib/sudoku/generator/random-source.ts';
import { type Geometry, standardGeometry, unitsByCell } from '../../lib/sudoku/geometry/geometry.ts';
import { variantGeometry } from '../../lib/sudoku/geometry/variants.ts';
import { concatenatedPuzzles } from './cases.ts';

/** Swaps of each kind, for each digit of the grid. */
const SWAPS_PER_DIGIT = 100;

/** Puzzle `k` of a set, `share` of the way through it: 0 to 1. */
type MakePuzzle = (geometry: Geometry, k: number, share: number) => Uint8Array;

const SETS: readonly [name: string, geometry: () => Geometry, puzzle: MakePuzzle][] = [
  ['16x16 minimal', () => standardGeometry(16), minimalPuzzle],
  ['25x25, 42 to 45% givens', () => standardGeometry(25), between(0.42, 0.45)],
  ['36x36, 54 to 55% givens', () => standardGeometry(36), between(0.54, 0.55)],
  [
    'Latin squares of order 30, 42% holes',
    () => variantGeometry({ variant: 'latin', size: 30 }),
    between(0.58, 0.58),
  ],
];

/** Generates the sets whose names contain `only`, with `count` puzzles each. */
export function* largeSets(count: number, only = ''): Generator<BenchCase> {
  for (const [name, geometryOf, puzzle] of SETS) {
    if (!name.includes(only)) continue;
    const geometry = geometryOf();
    const pieces = Array.from({ length: count }, (_, k) => puzzle(geometry, k, k / count));
    yield { name, ...concatenatedPuzzles(geometry, pieces) };
  }
}

function minimalPuzzle(geometry: Geometry, k: number): Uint8Array {
  return generatePuzzle(geometry, { seed: k + 1, givens: 'minimal' }, createEngine('dlx')).cells;
}

function between(least: number, most: number): MakePuzzle {
  return (geometry, k, share) =>
    withGivens(geometry, least + (most - least) * share, new RandomSource(k + 1));
}

/** A random full grid without all but this share of its cells. */
export function withGivens(geometry: Geometry, share: number, random: RandomSource): Uint8Array {
  const cells = mixedGrid(geometry, random);
  const order = random.permutation(cells.length);
  for (const cell of order.subarray(Math.round(share * cells.length))) cells[cell] = 0;
  return cells;
}

/** A random full grid of an ordinary geometry or a Latin square. */
export function mixedGrid(geometry: Geometry, random: RandomSource): Uint8Array {
  const { size } = geometry;
  const boxRows = geometry.boxRows || size;
  const boxColumns = geometry.boxColumns || size;
  const grid = Uint8Array.from({ length: size * size }, (_, cell) => {
    const row = Math.floor(cell / size);
    // For a Latin square both are `size`: the cyclic one.
    const shift = boxRows === size ? row : (row % boxRows) * boxColumns + Math.floor(row / boxRows);
    return ((shift + (cell % size)) % size) + 1;
  });
  const unitsOf = unitsByCell(geometry);
  for (let swap = 0; swap < size * SWAPS_PER_DIGIT; swap++) {
    swapLines(grid, size, boxRows, size, 1, random);
    swapLines(grid, size, boxColumns, 1, size, random);
    swapDigits(grid, geometry, unitsOf, random);
  }
  return grid;
}

/**
 * Swaps one cycle between two random lines of a band.
 *
 * @param height lines in a band
 * @param lineStep from a cell to the same place in the next line; `size` for rows, 1 for columns
 * @param placeStep from a cell to the next one in its line
 */
function swapLines(
  grid: Uint8Array,
  size: number,
  height: number,
  lineStep: number,
  placeStep: number,
  random: RandomSource,
): void {
  const band = random.below(size / height) * height;
  const one = random.below(height);
  const first = (band + one) * lineStep;
  const second = (band + ((one + 1 + random.below(height - 1)) % height)) * lineStep;
  let place = random.below(size);
  const closing = grid[first + place * placeStep];
  for (;;) {
    const at = place * placeStep;
    const missing = grid[second + at]!;
    grid[second + at] = grid[first + at]!;
    grid[first + at] = missing;
    if (missing === closing) return;
    // The first line now has `missing` twice: here and in its old place.
    do place = (place + 1) % size;
    while (grid[first + place * placeStep] !== missing);
  }
}

/** Swaps two random digits in one cell and in every cell that this requires. */
function swapDigits(
  grid: Uint8Array,
  { size, units }: Geometry,
  unitsOf: readonly (readonly number[])[],
  random: RandomSource,
): void {
  const start = random.below(grid.length);
  const one = grid[start]!;
  const other = ((one + random.below(size - 1)) % size) + 1;
  const chain = [start];
  const inChain = new Set(chain);
  for (const cell of chain) {
    const partner = one + other - grid[cell]!;
    for (const unit of unitsOf[cell]!) {
      const next = units[unit]!.cells.find((peer) => grid[peer] === partner)!;
      if (!inChain.has(next)) {
        inChain.add(next);
        chain.push(next);
      }
    }
  }
  for (const cell of chain) grid[cell] = one + other - grid[cell]!;
}
