/** Generates puzzles from a seed. */
import { countGivens } from '../batch/results/givens.ts';
import { characterAlphabet, decimalAlphabet } from '../formats/cells/alphabets.ts';
import { regionMap } from '../formats/cells/regions.ts';
import type { Alphabet } from '../formats/records/layout.ts';
import { gridText } from '../formats/writing/grid-text.ts';
import { NotGeneratedError } from '../sudoku/generator/generate.ts';
import { PuzzleSeries, type SeriesPuzzle } from '../sudoku/generator/puzzle-series.ts';
import { SYMMETRY_NAMES, type SymmetryName } from '../sudoku/generator/symmetry.ts';
import {
  needsRegions,
  VARIANT_NAMES,
  type VariantName,
  variantProblem,
} from '../sudoku/geometry/variants.ts';
import { DlxBatchError } from './errors.ts';
import { PUZZLE_OPTIONS } from './puzzle.ts';
import { badOption, flag, type OptionReader, oneOf, readOptions, whole } from './read-options.ts';
import { namedAlphabet } from './symbols.ts';

/**
 * Options of `generate` and `generateMany`; all are optional. The same options and seed give the same puzzles on every machine.
 *
 * @example
 * ```ts
 * import { generate, type GenerateOptions } from 'dlx-batch';
 *
 * const options: GenerateOptions = { size: 4, givens: 6, seed: 1 };
 * generate(options).givens; // => 6
 * ```
 */
export interface GenerateOptions {
  /** A whole number from 0 to 2^53 - 1. @default random; each puzzle has it */
  readonly seed?: number;
  /** Number of digits, 4 to 36. @default 9, or the cells of the box */
  readonly size?: number;
  /** Shape of a box: rows and columns of cells, whose product is `size`. @default the usual one of the size */
  readonly box?: readonly [rows: number, columns: number];
  /** Rules of the puzzles; jigsaws get random regions. @default `standard` */
  readonly variant?: VariantName;
  /** Givens of each puzzle; `minimal`: none can be removed. @default `minimal` */
  readonly givens?: number | 'minimal';
  /** Whether each puzzle has exactly one solution; a minimal one always has. @default true */
  readonly unique?: boolean;
  /** Symmetry of the cells of the givens. @default `none` */
  readonly symmetry?: SymmetryName;
  /** Symbols of the digits in order, or the name of a usual alphabet. @default decimal numbers from 1; `A-P` and so on above 9 */
  readonly alphabet?: string;
}

/**
 * A generated puzzle.
 *
 * @example
 * ```ts
 * import { type GeneratedPuzzle, generate, solve } from 'dlx-batch';
 *
 * const { puzzle, regions, solution }: GeneratedPuzzle = generate({ size: 6, variant: 'jigsaw', seed: 1 });
 * solve(puzzle, { regions }).solution === solution; // => true
 * ```
 */
export interface GeneratedPuzzle {
  /** One symbol for each cell, row after row; `.` for a blank. */
  readonly puzzle: string;
  /** A solution of the puzzle; the only one, unless `unique` is false. */
  readonly solution: string;
  /** Number of cells that are not blank. */
  readonly givens: number;
  /** Jigsaws only: for each cell the letter of its region. */
  readonly regions?: string;
  /** The seed of the series. */
  readonly seed: number;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

const givens: OptionReader<number | 'minimal'> = (value = 'minimal', name) => {
  if (value === 'minimal' || (Number.isInteger(value) && (value as number) >= 0)) return value as number;
  throw badOption(name, value, 'a whole number from 0 up, or minimal');
};

const goneCount: OptionReader<undefined> = (value) => {
  if (value === undefined) return undefined;
  throw new DlxBatchError('bad_option', 'option "count" is gone: use generateMany(count, options)');
};

const GENERATE_OPTIONS = {
  count: goneCount,
  seed: whole(0, Number.MAX_SAFE_INTEGER),
  size: PUZZLE_OPTIONS.size,
  box: PUZZLE_OPTIONS.box,
  variant: oneOf(VARIANT_NAMES, 'standard'),
  givens,
  unique: flag(true),
  symmetry: oneOf(SYMMETRY_NAMES, 'none'),
  alphabet: PUZZLE_OPTIONS.alphabet,
};

/**
 * Generates a puzzle: a minimal 9x9 takes a millisecond, a large one seconds.
 *
 * @throws DlxBatchError `bad_option` for an unknown option, a bad value or a combination that does not exist;
 *   `not_generated` if no puzzle with so few givens, or no full grid, is found
 *
 * @example
 * ```ts
 * import { generate, solve } from 'dlx-batch';
 *
 * const { puzzle, solution } = generate({ seed: 7 });
 * solve(puzzle).solution === solution; // => true
 * generate({ seed: 7 }).puzzle === puzzle; // => true
 * ```
 */
export function generate(options: GenerateOptions = {}): GeneratedPuzzle {
  return openSeries(options)();
}

/**
 * Generates puzzles one by one, as they are requested; the first is that of `generate`.
 *
 * @param count number of puzzles, 1 up or Infinity
 * @throws DlxBatchError as `generate`, the code `not_generated` while iterating
 *
 * @example
 * ```ts
 * import { generate, generateMany, solve } from 'dlx-batch';
 *
 * const puzzles = [...generateMany(3, { seed: 7 })];
 * puzzles.map(({ puzzle }) => solve(puzzle).status); // => ['solved', 'solved', 'solved']
 * puzzles[0]?.puzzle === generate({ seed: 7 }).puzzle; // => true
 * ```
 */
export function generateMany(
  count: number,
  options: GenerateOptions = {},
): Generator<GeneratedPuzzle, void, void> {
  const most = whole(1, Number.POSITIVE_INFINITY, 0)(count, 'count');
  if (count === undefined)
    throw new DlxBatchError('bad_argument', 'generateMany expects a number of puzzles');
  return puzzlesOf(openSeries(options), most);
}

/** @returns what makes the next puzzle */
function openSeries(options: GenerateOptions): () => GeneratedPuzzle {
  const settings = readOptions(options, GENERATE_OPTIONS);
  const { variant, box, unique } = settings;
  const size = settings.size ?? (box === undefined ? 9 : box[0] * box[1]);
  if (box !== undefined && box[0] * box[1] !== size) throw badOption('box', box.join('x'), `${size} cells`);
  const regions = needsRegions(variant) ? new Uint8Array(size * size) : undefined;
  const problem = variantProblem({ variant, size, box, regions });
  if (problem !== undefined) throw badOption('variant', `${variant} ${size}x${size}`, problem);
  if (!unique && settings.givens === 'minimal') {
    throw badOption('givens', 'minimal', 'a number if unique is false: a minimal puzzle has one solution');
  }
  const seed = settings.seed ?? Math.floor(Math.random() * 2 ** 32);
  const { givens, symmetry } = settings;
  const alphabet =
    settings.alphabet === undefined ? usualAlphabet(size) : namedAlphabet(size, settings.alphabet);
  if (alphabet.symbols.includes('.'))
    throw badOption('alphabet', settings.alphabet, 'symbols other than ".", the blank');
  const series = new PuzzleSeries({ size, box, variant, seed, givens, unique, symmetry });
  return () => {
    const { geometry, cells, solution } = nextOf(series);
    const layout = { format: 'line', geometry, alphabet, blank: '.' };
    return {
      puzzle: gridText(layout, cells, 0),
      solution: gridText(layout, solution, 0),
      givens: countGivens(cells, 0, geometry.cellCount),
      regions: regionMap(geometry),
      seed,
    };
  };
}

function usualAlphabet(size: number): Alphabet {
  return size <= 9 ? decimalAlphabet(size) : characterAlphabet(LETTERS.slice(0, size));
}

function* puzzlesOf(next: () => GeneratedPuzzle, count: number): Generator<GeneratedPuzzle, void, void> {
  for (let made = 0; made < count; made++) yield next();
}

/** @throws DlxBatchError for a request that the generator cannot meet */
function nextOf(series: PuzzleSeries): SeriesPuzzle {
  try {
    return series.next();
  } catch (error) {
    if (error instanceof RangeError) throw new DlxBatchError('bad_option', error.message, { cause: error });
    throw error instanceof NotGeneratedError
      ? new DlxBatchError('not_generated', error.message, { cause: error })
      : error;
  }
}
