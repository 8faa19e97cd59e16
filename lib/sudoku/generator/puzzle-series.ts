/**
 * A series of puzzles from one seed: the same request gives the same puzzles on every machine.
 *
 *     seed of the series -> a seed for each puzzle -> for a jigsaw its map of regions -> full grid -> puzzle
 *
 * The seeds of the puzzles are drawn at random, not counted up, so series with neighbouring seeds share no puzzle.
 */
import { createDlxEngine } from '../engines/dlx.ts';
import type { Geometry } from '../geometry/geometry.ts';
import { needsRegions, type VariantRequest, variantGeometry } from '../geometry/variants.ts';
import type { Rating } from '../rating/scale.ts';
import {
  type GeneratedPuzzle,
  NoFullGridError,
  NotGeneratedError,
  type PuzzleRequest,
  puzzleSteps,
} from './generate.ts';
import { randomRegions } from './random-regions.ts';
import { RandomSource } from './random-source.ts';
import { completed, type Steps } from './steps.ts';

export interface SeriesRequest
  extends Omit<PuzzleRequest, 'maxGrids' | 'maxSearches'>,
    Omit<VariantRequest, 'regions'> {
  /** Which ratings are wanted. @default puzzles are not rated */
  readonly wanted?: WantedRating | undefined;
}

/** Has the function that rates, which pages that only generate do not load. */
export interface WantedRating {
  readonly rate: (geometry: Geometry, givens: Uint8Array) => Rating;
  readonly accepts: (rating: Rating) => boolean;
}

export interface SeriesPuzzle extends GeneratedPuzzle {
  readonly geometry: Geometry;
  /** If the request depends on it. */
  readonly rating?: Rating;
}

/** Full grids tried for a number of givens: enough for 20 givens in most 9x9s, which take some seconds at most. */
const MAX_GRIDS_SMALL = 5000;
const MAX_GRIDS_LARGE = 20;
const MAX_SMALL_SIZE = 9;
/** Puzzles rated for one with a wanted rating. */
const MAX_RATED_SMALL = 1000;
const MAX_RATED_LARGE = 20;
/** Maps of regions tried for a jigsaw, and searches for a full grid in each: with diagonals, many maps have none. */
const MAX_MAPS = 200;
const SEARCHES_PER_MAP = 20;

export class PuzzleSeries {
  readonly #request: SeriesRequest;
  readonly #seeds: RandomSource;
  readonly #engine = createDlxEngine();

  /** @throws RangeError if the seed is out of range */
  constructor(request: SeriesRequest) {
    this.#request = request;
    this.#seeds = new RandomSource(request.seed);
  }

  /**
   * Returns the next puzzle.
   *
   * @throws RangeError if the geometry does not exist, or cannot have the number of givens
   * @throws NotGeneratedError if no full grid, or no puzzle with so few givens or a wanted rating, is found
   */
  next(): SeriesPuzzle {
    return completed(this.nextInSteps());
  }

  /** Makes the next puzzle as `next` does, in steps. If puzzles are rated, the last step of each also rates it. */
  *nextInSteps(): Steps<SeriesPuzzle> {
    const { wanted, size } = this.#request;
    if (wanted === undefined) return yield* this.#generate();
    const tries = size <= MAX_SMALL_SIZE ? MAX_RATED_SMALL : MAX_RATED_LARGE;
    const found = new Set<number>();
    for (let k = 0; k < tries; k++) {
      const puzzle = yield* this.#generate();
      const rating = wanted.rate(puzzle.geometry, puzzle.cells);
      if (wanted.accepts(rating)) return { ...puzzle, rating };
      found.add(rating.rating);
    }
    const [least, greatest] = [Math.min(...found), Math.max(...found)].map((rating) => rating.toFixed(1));
    const theirs = least === greatest ? `all of them have ${least}` : `they have ${least} to ${greatest}`;
    throw new NotGeneratedError(
      `none of ${tries} puzzles has the requested rating, ${theirs}: ask for another rating, size or number of givens`,
    );
  }

  *#generate(): Steps<SeriesPuzzle> {
    const request = this.#request;
    const seed = this.#seeds.next() * 2 ** 21 + (this.#seeds.next() >>> 11);
    const maxGrids = request.size <= MAX_SMALL_SIZE ? MAX_GRIDS_SMALL : MAX_GRIDS_LARGE;
    if (needsRegions(request.variant)) return yield* this.#jigsaw({ ...request, seed, maxGrids });
    const geometry = variantGeometry(request);
    const puzzle = yield* puzzleSteps(geometry, { ...request, seed, maxGrids }, this.#engine);
    return { geometry, ...puzzle };
  }

  *#jigsaw(request: SeriesRequest & { readonly maxGrids: number }): Steps<SeriesPuzzle> {
    const maps = new RandomSource(request.seed);
    for (let map = 0; map < MAX_MAPS; map++) {
      const geometry = variantGeometry({ ...request, regions: randomRegions(request.size, maps) });
      try {
        const searched = { ...request, maxSearches: SEARCHES_PER_MAP };
        const puzzle = yield* puzzleSteps(geometry, searched, this.#engine);
        return { geometry, ...puzzle };
      } catch (error) {
        // This map has no full grid, or one that is hard to find: the next map is tried.
        if (!(error instanceof NoFullGridError)) throw error;
      }
    }
    const { variant, size } = request;
    throw new NoFullGridError(
      `no full grid of ${variant} ${size}x${size} found in ${MAX_MAPS} maps of regions: ask for a smaller size`,
    );
  }
}
