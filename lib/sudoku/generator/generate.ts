/**
 * Puzzles from seeds: the same geometry, request and seed give the same bytes on every machine.
 *
 * Givens are removed from a random full grid, one orbit of the symmetry after the other, in random order. If the
 * puzzle must have one solution, an orbit is removed only if an engine proves that there is still one solution
 * without it. An orbit that is needed stays needed when others are removed, so one pass over all of them leaves a
 * minimal puzzle: none can be removed.
 *
 * For the same reason, several orbits may be tried at once. If the puzzle has one solution without all of them, it
 * also has one without each of them; if it has two, fewer are tried. The result is the same as that of trying them
 * one by one, and a minimal 9x9 takes 49 proofs instead of 81:
 *
 *     order     a b c d e f g h i j k l ...
 *     tried     a b c d e f g h               one solution: all eight are removed
 *                               i j k l       two
 *                               i j           one: both are removed
 *                                   k         two: k stays
 *                                     l ...
 *
 * The puzzle does not depend on the engine that proves it, unless an engine runs out of nodes. Full grids that no
 * search finds (large windokus and jigsaws) come from the engine (completed-grid.ts).
 */

import { NO_LIMITS } from '../../exact-cover/search.ts';
import { type Answers, createAnswers, type Engine, type SearchLimits, Stop } from '../engine.ts';
import { type Geometry, standardGeometry } from '../geometry/geometry.ts';
import { completedGrid } from './completed-grid.ts';
import { randomFullGrid } from './full-grid.ts';
import { RandomSource } from './random-source.ts';
import { completed, type Steps } from './steps.ts';
import { orbitsOf, type SymmetryName } from './symmetry.ts';

export interface PuzzleRequest {
  /** An integer from 0 to 2^53 - 1; different for each puzzle. */
  readonly seed: number;
  /** The number of givens, or `minimal`: removing any would allow a second solution. */
  readonly givens: number | 'minimal';
  /** Whether there must be exactly one solution. A minimal puzzle always has one. @default true */
  readonly unique?: boolean;
  /** Symmetry of the cells of the givens; from a minimal puzzle, no orbit can be removed. @default none */
  readonly symmetry?: SymmetryName;
  /**
   * Full grids tried for a number of givens, at least 1; in a 9x9, 22 givens take about 15, 24 about 2. @default 200
   */
  readonly maxGrids?: number;
  /** Searches for each full grid. @default 1000 */
  readonly maxSearches?: number;
}

export interface GeneratedPuzzle {
  /** `cellCount` values: 0 for a blank, 1 to `size` for a given. */
  readonly cells: Uint8Array;
  /** The full grid from which it was made: its solution, or one of them. */
  readonly solution: Uint8Array;
}

/** No puzzle as requested was found; one may exist nevertheless. */
export class NotGeneratedError extends Error {
  override readonly name: string = 'NotGeneratedError';
}

/** No full grid was found: the units may allow none, or it is hard to find. */
export class NoFullGridError extends NotGeneratedError {
  override readonly name = 'NoFullGridError';
}

const MAX_GRIDS = 200;

/**
 * Nodes for a proof; an orbit stays if an engine cannot prove within these that it can be removed. Up to 16x16 this
 * never happens. In larger grids, near the minimum number of givens, most proofs would not end in reasonable time: in a
 * 25x25, 1,000 nodes leave 284 givens, and 5,000 nodes 283 in three times the time.
 */
const PROOF_NODES = 200_000;
const LARGE_PROOF_NODES = 1000;
const MAX_PROVEN_SIZE = 16;

/** Share of the orbits in the first proof, which can nearly always be removed; each later proof tries half as many. */
const FIRST_SHARE = 0.3;

/**
 * Smallest known numbers of givens of a puzzle with one solution, by size, for ordinary boxes. 4x4 and 6x6 by
 * exhaustive search; 9x9 by McGuire, Tugemann and Civario, "There is no 16-clue sudoku" (2012).
 */
const MIN_GIVENS: Readonly<Record<number, number>> = { 4: 4, 6: 8, 9: 17 };

/**
 * Generates one puzzle.
 *
 * @param engine proves that there is one solution; any engine that supports the geometry
 * @throws RangeError if the seed or the number of givens is out of range, or no puzzle can have that number
 * @throws NotGeneratedError if no puzzle with so few givens is found; NoFullGridError if no full grid is
 */
export function generatePuzzle(geometry: Geometry, request: PuzzleRequest, engine: Engine): GeneratedPuzzle {
  return completed(puzzleSteps(geometry, request, engine));
}

/** Generates one puzzle as `generatePuzzle` does. A step is a proof, or a search for a full grid. */
export function* puzzleSteps(
  geometry: Geometry,
  request: PuzzleRequest,
  engine: Engine,
): Steps<GeneratedPuzzle> {
  const { seed, givens, unique = true, symmetry = 'none', maxGrids = MAX_GRIDS, maxSearches } = request;
  const orbits = cachedOrbits(geometry, symmetry);
  const cellCount = orbits.reduce((sum, orbit) => sum + orbit.length, 0);
  checkGivens(geometry, givens, unique, symmetry, orbits, cellCount);
  const random = new RandomSource(seed);
  if (givens !== 'minimal' && !unique) {
    const solution = yield* fullGrid(geometry, random, engine, maxSearches);
    const reducer = new Reducer(geometry);
    const cells = yield* reducer.reduce(solution, shuffled(orbits, random), cellCount - givens);
    return { cells: cells!, solution };
  }
  const reducer = new Reducer(geometry, engine);
  const toRemove = givens === 'minimal' ? undefined : cellCount - givens;
  for (let grid = 0; grid < maxGrids; grid++) {
    const solution = yield* fullGrid(geometry, random, engine, maxSearches);
    const cells = yield* reducer.reduce(solution, shuffled(orbits, random), toRemove);
    if (cells !== undefined) return { cells, solution };
  }
  throw new NotGeneratedError(
    `no puzzle with one solution and ${givens} givens found from seed ${seed} in ${maxGrids} full ` +
      `${maxGrids === 1 ? 'grid' : 'grids'}: ask for more givens, or minimal`,
  );
}

/** Cells up to which the default of searches applies; and the number of searches beyond. */
const SMALL_CELLS = 200;
const FEW_SEARCHES = 20;

/** Returns a random full grid: by search or, if that finds none, by the engine. */
function* fullGrid(
  geometry: Geometry,
  random: RandomSource,
  engine: Engine,
  maxSearches = geometry.cellCount <= SMALL_CELLS ? undefined : FEW_SEARCHES,
): Steps<Uint8Array> {
  const grid =
    (yield* randomFullGrid(geometry, random, maxSearches)) ??
    (yield* completedGrid(geometry, random, engine));
  if (grid !== undefined) return grid;
  const { variant, size } = geometry;
  throw new NoFullGridError(`no full grid of ${variant} ${size}x${size} found: its units may allow none`);
}

const orbitCache = new WeakMap<Geometry, Partial<Record<SymmetryName, readonly Int32Array[]>>>();

function cachedOrbits(geometry: Geometry, symmetry: SymmetryName): readonly Int32Array[] {
  const known = orbitCache.get(geometry) ?? {};
  orbitCache.set(geometry, known);
  known[symmetry] ??= orbitsOf(geometry, symmetry);
  return known[symmetry];
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
  const min = unique ? minGivens(geometry) : 0;
  if (givens < min) {
    const { variant, size } = geometry;
    throw new RangeError(
      `no ${variant} ${size}x${size} puzzle with ${givens} givens has just one solution: ask for ${min} or ` +
        'more, minimal, or a puzzle that may have several solutions',
    );
  }
  if (!new OrbitCounts(orbits).canMake(cellCount - givens)) {
    throw new RangeError(
      `no ${geometry.size}x${geometry.size} puzzle with symmetry ${symmetry} has ${givens} givens: its cells are ` +
        'given or blank in groups; ask for one more or one less',
    );
  }
}

/** Returns the minimum number of givens for one solution: two digits without a given could be exchanged. */
function minGivens(geometry: Geometry): number {
  const { size, boxRows } = geometry;
  const known = MIN_GIVENS[size];
  const isKnown = known !== undefined && boxRows > 0 && geometry === standardGeometry(size);
  return isKnown ? known : size - 1;
}

function shuffled(orbits: readonly Int32Array[], random: RandomSource): Int32Array[] {
  return Array.from(random.permutation(orbits.length), (index) => orbits[index]);
}

/** Counts the orbits of each size that are left, and whether a number of cells is a sum of these. */
class OrbitCounts {
  /** By size 1, 2, 4, 8. Each size divides the next, so taking the largest first finds a sum if there is one. */
  private readonly counts = new Int32Array(9);

  constructor(orbits: readonly Int32Array[]) {
    for (const orbit of orbits) this.change(orbit, 1);
  }

  /** Adds an orbit (`by` 1), or takes it (-1). */
  change({ length }: Int32Array, by: 1 | -1): void {
    this.counts[length] += by;
  }

  canMake(cells: number): boolean {
    let rest = cells;
    for (let size = 8; size >= 1; size >>= 1)
      rest -= size * Math.min(this.counts[size], Math.floor(rest / size));
    return rest === 0;
  }
}

/** Removes givens, while there is one solution if it has an engine; all grids share its memory. */
class Reducer {
  private readonly engine: Engine | undefined;
  private readonly limits: SearchLimits;
  private readonly puzzles: { readonly geometry: Geometry; readonly cells: Uint8Array };
  private readonly answers: Answers;

  constructor(geometry: Geometry, engine?: Engine) {
    this.engine = engine;
    const maxNodes = geometry.size <= MAX_PROVEN_SIZE ? PROOF_NODES : LARGE_PROOF_NODES;
    this.limits = { ...NO_LIMITS, maxSolutions: 2, maxNodes };
    this.puzzles = { geometry, cells: new Uint8Array(geometry.cellCount) };
    this.answers = createAnswers(1, geometry.cellCount);
  }

  /**
   * Returns a puzzle.
   *
   * @param orbits in the order in which they are tried
   * @param toRemove number of cells to remove; undefined for as many as possible
   * @returns undefined if so many cannot be removed
   */
  *reduce(
    solution: Uint8Array,
    orbits: readonly Int32Array[],
    toRemove?: number,
  ): Steps<Uint8Array | undefined> {
    const { cells } = this.puzzles;
    cells.set(solution);
    const left = toRemove === undefined ? undefined : new OrbitCounts(orbits);
    let rest = toRemove ?? Number.POSITIVE_INFINITY;
    let maxTried = Math.max(1, Math.floor(orbits.length * FIRST_SHARE));
    for (let at = 0; at < orbits.length && rest > 0; ) {
      const from = at;
      let tried = 0;
      let removed = 0;
      for (; at < orbits.length && tried < maxTried && removed < rest; at++) {
        const orbit = orbits[at];
        left?.change(orbit, -1);
        if (removed + orbit.length > rest || left?.canMake(rest - removed - orbit.length) === false) continue;
        for (const cell of orbit) cells[cell] = 0;
        removed += orbit.length;
        tried++;
      }
      yield;
      if (tried === 0 || this.hasOneSolution()) {
        rest -= removed;
        maxTried = Math.max(1, maxTried >> 1);
        continue;
      }
      for (let k = from; k < at; k++) for (const cell of orbits[k]) cells[cell] = solution[cell];
      if (tried > 1) {
        for (let k = from; k < at; k++) left?.change(orbits[k], 1);
        at = from;
        maxTried = tried >> 1;
      } else if (left?.canMake(rest) === false) {
        return undefined;
      }
    }
    return toRemove === undefined || rest === 0 ? cells.slice() : undefined;
  }

  private hasOneSolution(): boolean {
    const { engine, limits, puzzles, answers } = this;
    if (engine === undefined) return true;
    engine.solve(puzzles, 0, 1, limits, answers);
    return answers.solutions[0] === 1 && answers.stop[0] === Stop.exhausted;
  }
}
