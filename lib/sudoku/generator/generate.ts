/**
 * Puzzles from seeds: the same geometry, request and seed give the same bytes on every machine.
 *
 * A random full grid loses givens, one orbit of its symmetry after the other, in random order. Where the puzzle must
 * have one solution, an orbit goes only if an engine proves that there is still one without it. One that is needed
 * stays needed when others go, so one pass over all of them leaves a puzzle that is minimal: none can go.
 *
 * For the same reason several may be tried at once. Where the puzzle has one solution without all of them, it has one
 * without each of them as well; where it has two, fewer are tried. The puzzle is the one that comes of trying them one
 * by one, and a minimal 9x9 takes 49 proofs instead of 81:
 *
 *     order     a b c d e f g h i j k l ...
 *     tried     a b c d e f g h               one solution: all eight go
 *                               i j k l       two
 *                               i j           one: both go
 *                                   k         two: k stays
 *                                     l ...
 *
 * Which engine proves it makes no difference to the puzzle, as long as none runs out of nodes; full grids that no search
 * finds (large windokus and jigsaws) come from the engine: see completed-grid.ts.
 */

import { type Answers, createAnswers, type Engine, type SearchLimits, Stop } from '../engine.ts';
import { type Geometry, standardGeometry } from '../geometry/geometry.ts';
import { completedGrid } from './completed-grid.ts';
import { NoFullGridError, randomFullGrid } from './full-grid.ts';
import { RandomSource } from './random-source.ts';
import { orbitsOf, type SymmetryName } from './symmetry.ts';

export interface PuzzleRequest {
  /** A whole number from 0 to 2^53 - 1; for many puzzles count it up. */
  readonly seed: number;
  /** How many; or `minimal`: as many as are left when none can go without a second solution appearing. */
  readonly givens: number | 'minimal';
  /** Whether there must be exactly one solution; by default true. A minimal puzzle always has one. */
  readonly unique?: boolean;
  /** Of the places of the givens. A minimal puzzle then is one from which no orbit can go. @default none */
  readonly symmetry?: SymmetryName;
  /** Full grids tried for a number of givens, at least 1. @default 200; in a 9x9, 22 takes about 15, 24 about 2 */
  readonly maxGrids?: number;
  /** Searches started for each full grid. @default 1000 */
  readonly maxSearches?: number;
}

export interface GeneratedPuzzle {
  /** `cellCount` values: 0 for a blank, 1 to `size` for a given. */
  readonly cells: Uint8Array;
  /** The full grid it was made from: its solution, or one of them. */
  readonly solution: Uint8Array;
}

/** No puzzle with so few givens was found; there may be one all the same. */
export class GivensNotReachedError extends Error {
  override readonly name = 'GivensNotReachedError';
}

const MAX_GRIDS = 200;

/**
 * An orbit stays where an engine cannot prove within so many nodes that it may go. Up to 16x16 that never happens.
 * Beyond, near the fewest givens, most proofs would take for ever: of a 25x25, 1,000 nodes leave 284 givens, and 5,000
 * nodes 283 in three times the time.
 */
const PROOF_NODES = 200_000;
const LARGE_PROOF_NODES = 1000;
const MAX_PROVEN_SIZE = 16;

/** Share of the orbits that the first proof takes away, which nearly always may go; each later one takes half as many. */
const FIRST_SHARE = 0.3;

/**
 * Fewest givens of a puzzle with one solution that are known to exist, by size, for ordinary boxes. 4x4 and 6x6 by
 * exhaustion; 9x9 by McGuire, Tugemann and Civario, "There is no 16-clue sudoku" (2012).
 */
const MIN_GIVENS: Readonly<Record<number, number>> = { 4: 4, 6: 8, 9: 17 };

/**
 * One puzzle.
 *
 * @param engine proves that there is one solution; any that takes the geometry will do
 * @throws RangeError where the seed or the number of givens is out of range, or no puzzle can have it
 * @throws GivensNotReachedError where no puzzle with so few givens is found
 * @throws NoFullGridError where no full grid is found
 */
export function generatePuzzle(geometry: Geometry, request: PuzzleRequest, engine: Engine): GeneratedPuzzle {
  const { seed, givens, unique = true, symmetry = 'none', maxGrids = MAX_GRIDS, maxSearches } = request;
  const orbits = cachedOrbits(geometry, symmetry);
  const cellCount = orbits.reduce((sum, orbit) => sum + orbit.length, 0);
  checkGivens(geometry, givens, unique, symmetry, orbits, cellCount);
  const random = new RandomSource(seed);
  if (givens !== 'minimal' && !unique) {
    const solution = fullGrid(geometry, random, engine, maxSearches);
    return { cells: removeGivens(solution, orbits, cellCount - givens, random), solution };
  }
  const reducer = new Reducer(geometry, engine);
  const toRemove = givens === 'minimal' ? undefined : cellCount - givens;
  for (let grid = 0; grid < maxGrids; grid++) {
    const solution = fullGrid(geometry, random, engine, maxSearches);
    const cells = reducer.reduce(solution, shuffled(orbits, random), toRemove);
    if (cells !== undefined) return { cells, solution };
  }
  throw new GivensNotReachedError(
    `no puzzle with one solution and ${givens} givens found from seed ${seed} in ${maxGrids} full ` +
      `${maxGrids === 1 ? 'grid' : 'grids'}: ask for more givens, or for minimal`,
  );
}

/** Cells up to which a search that finds nothing is worth all its starts; and starts beyond. */
const SMALL_CELLS = 200;
const FEW_SEARCHES = 20;

/** A random full grid: by search, or where that finds none, by the engine. */
function fullGrid(
  geometry: Geometry,
  random: RandomSource,
  engine: Engine,
  maxSearches = geometry.cellCount <= SMALL_CELLS ? undefined : FEW_SEARCHES,
): Uint8Array {
  try {
    return randomFullGrid(geometry, random, maxSearches);
  } catch (error) {
    if (!(error instanceof NoFullGridError)) throw error;
    return completedGrid(geometry, random, engine);
  }
}

const orbitCache = new WeakMap<Geometry, Map<SymmetryName, readonly Int32Array[]>>();

function cachedOrbits(geometry: Geometry, symmetry: SymmetryName): readonly Int32Array[] {
  let bySymmetry = orbitCache.get(geometry);
  if (bySymmetry === undefined) {
    bySymmetry = new Map();
    orbitCache.set(geometry, bySymmetry);
  }
  let orbits = bySymmetry.get(symmetry);
  if (orbits === undefined) {
    orbits = orbitsOf(geometry, symmetry);
    bySymmetry.set(symmetry, orbits);
  }
  return orbits;
}

function checkGivens(
  geometry: Geometry,
  givens: number | 'minimal',
  unique: boolean,
  symmetry: SymmetryName,
  orbits: readonly Int32Array[],
  cellCount: number,
): void {
  if (givens === 'minimal') return;
  if (!(Number.isInteger(givens) && givens >= 0 && givens <= cellCount)) {
    throw new RangeError(`${givens} givens are out of range: expected 0 to ${cellCount}, or minimal`);
  }
  const fewest = unique ? minGivens(geometry) : 0;
  if (givens < fewest) {
    const { variant, size } = geometry;
    throw new RangeError(
      `no ${variant} ${size}x${size} puzzle with ${givens} givens has just one solution: ask for ${fewest} or ` +
        'more, for minimal, or for any puzzle, unique or not',
    );
  }
  if (!new OrbitCounts(orbits).canMake(cellCount - givens)) {
    throw new RangeError(
      `no ${geometry.size}x${geometry.size} puzzle with symmetry ${symmetry} has ${givens} givens: its cells are ` +
        'given or blank in groups; ask for one more or one less',
    );
  }
}

/** Givens below which no puzzle has one solution: two digits that are not given could be exchanged. */
function minGivens(geometry: Geometry): number {
  const { size, boxRows } = geometry;
  const usual = MIN_GIVENS[size];
  const isUsual = usual !== undefined && boxRows > 0 && geometry === standardGeometry(size);
  return isUsual ? usual : size - 1;
}

function shuffled(orbits: readonly Int32Array[], random: RandomSource): Int32Array[] {
  return Array.from(random.permutation(orbits.length), (index) => orbits[index]);
}

/** The full grid without `toRemove` of its cells. */
function removeGivens(
  solution: Uint8Array,
  orbits: readonly Int32Array[],
  toRemove: number,
  random: RandomSource,
): Uint8Array {
  const cells = solution.slice();
  const left = new OrbitCounts(orbits);
  let rest = toRemove;
  for (const orbit of shuffled(orbits, random)) {
    left.take(orbit);
    if (orbit.length > rest || !left.canMake(rest - orbit.length)) continue;
    for (const cell of orbit) cells[cell] = 0;
    rest -= orbit.length;
  }
  return cells;
}

/** How many orbits of each size are left: whether a number of cells can be made up of them. */
class OrbitCounts {
  /** By size 1, 2, 4, 8, largest first: each divides the one before, so taking the largest first finds a sum. */
  private readonly counts = new Int32Array(9);

  constructor(orbits: readonly Int32Array[]) {
    for (const { length } of orbits) this.counts[length]++;
  }

  take({ length }: Int32Array): void {
    this.counts[length]--;
  }

  putBack({ length }: Int32Array): void {
    this.counts[length]++;
  }

  canMake(cells: number): boolean {
    let rest = cells;
    for (let size = 8; size >= 1; size >>= 1)
      rest -= size * Math.min(this.counts[size], Math.floor(rest / size));
    return rest === 0;
  }
}

/** Takes givens away while there is one solution; its memory is used again for the next grid. */
class Reducer {
  private readonly engine: Engine;
  private readonly limits: SearchLimits;
  private readonly puzzles: { readonly geometry: Geometry; readonly cells: Uint8Array };
  private readonly answers: Answers;

  constructor(geometry: Geometry, engine: Engine) {
    this.engine = engine;
    this.limits = {
      maxSolutions: 2,
      maxNodes: geometry.size <= MAX_PROVEN_SIZE ? PROOF_NODES : LARGE_PROOF_NODES,
      sliceNodes: Number.POSITIVE_INFINITY,
      pauseAtSolution: false,
    };
    this.puzzles = { geometry, cells: new Uint8Array(geometry.cellCount) };
    this.answers = createAnswers(1, geometry.cellCount);
  }

  /**
   * A puzzle with one solution.
   *
   * @param orbits in the order in which they are tried
   * @param toRemove how many cells go; undefined for all that can
   * @returns undefined where not so many can go
   */
  reduce(solution: Uint8Array, orbits: readonly Int32Array[], toRemove?: number): Uint8Array | undefined {
    const { cells } = this.puzzles;
    cells.set(solution);
    const left = toRemove === undefined ? undefined : new OrbitCounts(orbits);
    let rest = toRemove ?? Number.POSITIVE_INFINITY;
    let most = Math.max(1, Math.floor(orbits.length * FIRST_SHARE));
    for (let at = 0; at < orbits.length && rest > 0; ) {
      const from = at;
      let tried = 0;
      let removed = 0;
      for (; at < orbits.length && tried < most && removed < rest; at++) {
        const orbit = orbits[at];
        left?.take(orbit);
        if (removed + orbit.length > rest || left?.canMake(rest - removed - orbit.length) === false) continue;
        for (const cell of orbit) cells[cell] = 0;
        removed += orbit.length;
        tried++;
      }
      if (tried === 0 || this.hasOneSolution()) {
        rest -= removed;
        most = Math.max(1, most >> 1);
        continue;
      }
      for (let k = from; k < at; k++) for (const cell of orbits[k]) cells[cell] = solution[cell];
      if (tried > 1) {
        for (let k = from; k < at; k++) left?.putBack(orbits[k]);
        at = from;
        most = tried >> 1;
      } else if (left?.canMake(rest) === false) {
        return undefined;
      }
    }
    return toRemove === undefined || rest === 0 ? cells.slice() : undefined;
  }

  private hasOneSolution(): boolean {
    const { engine, limits, puzzles, answers } = this;
    engine.solve(puzzles, 0, 1, limits, answers);
    return answers.solutions[0] === 1 && answers.stop[0] === Stop.exhausted;
  }
}
