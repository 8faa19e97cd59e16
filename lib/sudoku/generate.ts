/**
 * Puzzles from seeds: the same geometry, request and seed give the same bytes on every machine.
 *
 * A random full grid loses givens, one after the other in random order. Where the puzzle must have one
 * solution, a given goes only if an engine proves that there is still one without it. A given that is needed
 * stays needed when others go, so one pass over all cells leaves a minimal puzzle.
 *
 * Which engine proves it makes no difference to the puzzle, as long as none runs out of nodes.
 */
import { type Answers, createAnswers, type Engine, type SearchLimits, Stop } from './engine.ts';
import { randomFullGrid } from './full-grid.ts';
import type { Geometry } from './geometry.ts';
import { RandomSource } from './random-source.ts';

export interface PuzzleRequest {
  /** A whole number from 0 to 2^53 - 1; for many puzzles count it up. */
  readonly seed: number;
  /** How many; or `minimal`: as many as are left when none can go without a second solution appearing. */
  readonly givens: number | 'minimal';
  /** Whether there must be exactly one solution; by default true. A minimal puzzle always has one. */
  readonly unique?: boolean;
}

export interface GeneratedPuzzle {
  /** `cellCount` values: 0 for a blank, 1 to `size` for a given. */
  readonly cells: Uint8Array;
  /** The full grid it was made from: its solution, or one of them. */
  readonly solution: Uint8Array;
}

/** Full grids tried for a number of givens; in a 9x9, 22 takes about 15 of them, 24 about 2. */
const MAX_ATTEMPTS = 200;

/** A given stays where an engine cannot prove within so many nodes that it may go. */
const PROOF_LIMITS: SearchLimits = {
  maxSolutions: 2,
  maxNodes: 200_000,
  sliceNodes: Number.POSITIVE_INFINITY,
  pauseAtSolution: false,
};

/**
 * One puzzle.
 *
 * @param engine proves that there is one solution; any will do
 * @throws RangeError where the seed or the number of givens is out of range
 * @throws Error where no puzzle with so few givens is found
 */
export function generatePuzzle(geometry: Geometry, request: PuzzleRequest, engine: Engine): GeneratedPuzzle {
  const { seed, givens, unique = true } = request;
  const usedCells = [...new Set(geometry.units.flatMap((unit) => Array.from(unit.cells)))].sort(
    (a, b) => a - b,
  );
  if (givens !== 'minimal' && !(Number.isInteger(givens) && givens >= 0 && givens <= usedCells.length)) {
    throw new RangeError(`${givens} givens are out of range: expected 0 to ${usedCells.length}, or minimal`);
  }
  const random = new RandomSource(seed);
  if (givens !== 'minimal' && !unique) {
    const solution = randomFullGrid(geometry, random);
    return { cells: withoutSome(solution, usedCells, givens, random), solution };
  }
  const fewest = givens === 'minimal' ? 0 : givens;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const solution = randomFullGrid(geometry, random);
    const { cells, left } = reduce(geometry, solution, usedCells, fewest, engine, random);
    if (givens === 'minimal' || left === givens) return { cells, solution };
  }
  throw new Error(
    `no puzzle with one solution and ${givens} givens found from seed ${seed} in ${MAX_ATTEMPTS} full grids: ` +
      'ask for more givens, or for minimal',
  );
}

/** The full grid with just `givens` of its cells. */
function withoutSome(
  solution: Uint8Array,
  usedCells: readonly number[],
  givens: number,
  random: RandomSource,
): Uint8Array {
  const cells = new Uint8Array(solution.length);
  const order = random.permutation(usedCells.length);
  for (let k = 0; k < givens; k++) cells[usedCells[order[k]]] = solution[usedCells[order[k]]];
  return cells;
}

/** Takes givens away while there is one solution and more than `fewest` of them. */
function reduce(
  geometry: Geometry,
  solution: Uint8Array,
  usedCells: readonly number[],
  fewest: number,
  engine: Engine,
  random: RandomSource,
): { readonly cells: Uint8Array; readonly left: number } {
  const cells = solution.slice();
  const answers = createAnswers(1, geometry.cellCount);
  let left = usedCells.length;
  for (const index of random.permutation(usedCells.length)) {
    if (left === fewest) break;
    const cell = usedCells[index];
    cells[cell] = 0;
    if (hasOneSolution(geometry, cells, engine, answers)) left--;
    else cells[cell] = solution[cell];
  }
  return { cells, left };
}

function hasOneSolution(geometry: Geometry, cells: Uint8Array, engine: Engine, answers: Answers): boolean {
  engine.solve({ geometry, cells }, 0, 1, PROOF_LIMITS, answers);
  return answers.solutions[0] === 1 && answers.stop[0] === Stop.exhausted;
}
