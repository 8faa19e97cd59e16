/** One puzzle as the caller passes it: reads its cells and its rules. */

import { DEFAULT_MAX_NODES } from '../batch/limits.ts';
import type { RecordError } from '../batch/results/record-error.ts';
import { isTimeSpent } from '../batch/results/tree-advice.ts';
import { decimalAlphabet } from '../formats/cells/alphabets.ts';
import { NUMBER } from '../formats/cells/grid-buffer.ts';
import { type RegionMap, readRegionMap } from '../formats/cells/regions.ts';
import { type ParseErrorCode, RecordBlock } from '../formats/records/record-block.ts';
import { ENGINE_NAMES, type EngineName } from '../sudoku/engine.ts';
import type { Geometry } from '../sudoku/geometry/geometry.ts';
import {
  needsRegions,
  overlappingVariants,
  VARIANT_NAMES,
  type VariantName,
  variantGeometry,
  variantProblem,
} from '../sudoku/geometry/variants.ts';
import { cellName } from '../sudoku/names.ts';
import { DlxBatchError } from './errors.ts';
import { badOption, milliseconds, type OptionReader, oneOf, shown, text, whole } from './read-options.ts';
import { namedAlphabet, readSymbols, type Symbols } from './symbols.ts';

/**
 * One puzzle:
 * - a string with one character for each cell, row after row. White space between cells is ignored; numbers of several
 *   digits are separated by it. Blanks are `.`, `0`, `_`, `*`, `?`, `-` or `X`. A string that is drawn, labelled or in
 *   another layout is a file: pass it to `solveAll`.
 * - an array of cells: 0 or null for a blank, else 1 to `size`;
 * - an array of such rows.
 *
 * @example
 * ```ts
 * import { type PuzzleInput, solve } from 'dlx-batch';
 *
 * const inputs: PuzzleInput[] = [
 *   '1... ..3. .4.. ...2',
 *   [1, 0, 0, 0, 0, 0, 3, 0, 0, 4, 0, 0, 0, 0, 0, 2],
 *   [[1, 0, 0, 0], [0, 0, 3, 0], [0, 4, 0, 0], [0, 0, 0, 2]],
 * ];
 * inputs.map((puzzle) => solve(puzzle).solution); // => ['1324423124133142', '1324423124133142', '1324423124133142']
 * ```
 */
export type PuzzleInput = string | ArrayLike<number | null> | readonly ArrayLike<number | null>[];

/**
 * The rules and symbols of a puzzle.
 *
 * @example
 * ```ts
 * import { type PuzzleOptions, solve } from 'dlx-batch';
 *
 * const jigsaw: PuzzleOptions = { regions: 'AABC AABC DBBC DDDC' };
 * solve('...4 .... 1.4. .3..', jigsaw).solution; // => '2134341212434321'
 * ```
 */
export interface PuzzleOptions {
  /** Number of digits, 4 to 36. @default the square root of the number of cells; 9 for `samurai` */
  readonly size?: number;
  /** Rules of the puzzle. @default `jigsaw` with `regions`, else `standard` */
  readonly variant?: VariantName;
  /** Shape of a box: rows and columns of cells, whose product is `size`. @default the usual one: 6 is 2x3, 12 is 3x4 */
  readonly box?: readonly [rows: number, columns: number];
  /** The region of each cell of a jigsaw: one character, or one number, for each cell; any symbols. */
  readonly regions?: string | ArrayLike<number>;
  /**
   * Symbols of the digits in order, such as `ABCDEFGHIJKLMNOP`, or the name of a usual alphabet: `1-9`, `A-P`, `0-9A-F`.
   *
   * @default decided from the symbols of the puzzle; for arrays, decimal numbers from 1
   */
  readonly alphabet?: string;
}

/**
 * The engine and the limits of a search.
 *
 * @example
 * ```ts
 * import { type SearchOptions, solve } from 'dlx-batch';
 *
 * const options: SearchOptions = { engine: 'backtrack', solutions: 10 };
 * solve('................', options).solutions; // => 10
 * ```
 */
export interface SearchOptions extends LimitOptions {
  /**
   * Search engine. `dlx` solves every puzzle; `bitboard` is the fastest for ordinary 9x9 and refuses others; `backtrack`
   * is the textbook method, for comparison.
   *
   * @default `dlx`
   */
  readonly engine?: EngineName;
}

/**
 * The limits of a search.
 *
 * @example
 * ```ts
 * import { dlx, type LimitOptions, solveWith } from 'dlx-batch';
 *
 * const limits: LimitOptions = { solutions: Infinity, maxNodes: 100_000 };
 * solveWith(dlx, '................', limits).solutions; // => 288
 * ```
 */
export interface LimitOptions {
  /** Solutions to search for, 1 up or Infinity: 2 proves that a solution is unique, Infinity counts all. @default 2 */
  readonly solutions?: number;
  /** Budget of search nodes for each puzzle, 1 up or Infinity. If it runs out, the status is `limit`. @default 50,000,000 */
  readonly maxNodes?: number;
  /**
   * Time budget for each puzzle in milliseconds. Results then depend on the machine, unlike with `maxNodes`.
   *
   * @default Infinity
   */
  readonly maxMs?: number;
}

export const MIN_SIZE = 4;
export const MAX_SIZE = 36;

const box: OptionReader<readonly [rows: number, columns: number] | undefined> = (value, name) => {
  if (value === undefined) return undefined;
  const isBox =
    Array.isArray(value) && value.length === 2 && value.every((side) => Number.isInteger(side) && side > 0);
  if (isBox) return value as unknown as readonly [number, number];
  throw badOption(name, value, 'two whole numbers, rows and columns, such as [2, 3]');
};

const regions: OptionReader<string | ArrayLike<number> | undefined> = (value, name) => {
  if (value === undefined || typeof value === 'string' || isArrayLike(value))
    return value as ArrayLike<number>;
  throw badOption(name, value, 'a string or an array with the region of each cell');
};

/** Readers of {@link PuzzleOptions}. */
export const PUZZLE_OPTIONS = {
  size: whole(MIN_SIZE, MAX_SIZE),
  variant: oneOf(VARIANT_NAMES),
  box,
  regions,
  alphabet: text,
};

/** Reader of the option `engine`. */
export const ENGINE_OPTION = oneOf(ENGINE_NAMES, 'dlx');

/** Readers of {@link LimitOptions}. */
export const LIMIT_OPTIONS = {
  solutions: whole(1, Number.POSITIVE_INFINITY, 2),
  maxNodes: whole(1, Number.POSITIVE_INFINITY, DEFAULT_MAX_NODES),
  maxMs: milliseconds,
};

/** The limit to raise after that many nodes. */
export function spentBudget(
  nodes: number,
  limits: Pick<Required<LimitOptions>, 'maxNodes' | 'maxMs'>,
): string {
  return isTimeSpent(nodes, limits) ? 'maxMs' : 'maxNodes';
}

interface Unreadable {
  readonly error: RecordError;
}

/** A puzzle as a block of one record, or why it cannot be read. */
export type ReadPuzzle =
  | { readonly block: RecordBlock; readonly warnings?: readonly string[]; readonly error?: undefined }
  | Unreadable;

/**
 * Reads a puzzle.
 *
 * @param settings options that `PUZZLE_OPTIONS` has read
 * @param shared whether the block is in shared memory, for worker threads
 * @throws DlxBatchError if the puzzle is neither a string nor an array, or the alphabet does not fit the size
 */
export function readPuzzle(puzzle: unknown, settings: PuzzleOptions, shared = false): ReadPuzzle {
  const cells = typeof puzzle === 'string' ? cellsOfText(puzzle) : cellsOfArray(puzzle);
  const rules = geometryOf(cells.list.length, settings);
  if ('error' in rules) return rules;
  const { geometry } = rules;
  const read = cells.symbols
    ? takeSymbols(cells.list as readonly string[], cells.spaced, geometry, settings.alphabet)
    : takeValues(cells.list, geometry, settings.alphabet);
  if ('error' in read) return read;
  const { alphabet, blank, values, warnings } = read;
  const block = new RecordBlock({ format: 'line', geometry, alphabet, blank }, 1, shared);
  block.cells.set(values);
  block.count = 1;
  return { block, warnings };
}

/** The cells of a puzzle: symbols, or values from 0. */
interface Cells {
  readonly list: readonly unknown[];
  readonly symbols: boolean;
  /** Whether white space separates the symbols. */
  readonly spaced: boolean;
}

function cellsOfText(puzzle: string): Cells {
  const tokens = puzzle.split(/\s+/).filter((token) => token !== '');
  // Of a cell, `-1` and the numbers up to 36 take two characters; a row takes more.
  const spaced = isCellCount(tokens.length) && tokens.every((token) => token.length <= 2);
  return { list: spaced ? tokens : [...tokens.join('')], symbols: true, spaced };
}

function cellsOfArray(puzzle: unknown): Cells {
  if (!isArrayLike(puzzle)) {
    const message = `the puzzle is ${shown(puzzle)}: expected a string or an array of cells`;
    throw new DlxBatchError('bad_argument', message);
  }
  const list = Array.from(puzzle).flatMap((value) => (isArrayLike(value) ? Array.from(value) : [value]));
  return { list, symbols: false, spaced: false };
}

function isArrayLike(value: unknown): value is ArrayLike<unknown> {
  return typeof value === 'object' && value !== null && 'length' in value && typeof value.length === 'number';
}

/** Whether a puzzle of some variant has that number of cells. */
function isCellCount(count: number): boolean {
  const size = Math.sqrt(count);
  const isSquare = Number.isInteger(size) && size >= MIN_SIZE && size <= MAX_SIZE;
  return isSquare || overlappingVariants().some(({ cellCount }) => cellCount === count);
}

function geometryOf(
  count: number,
  { size: wanted, variant: named, box, regions: map }: PuzzleOptions,
): { readonly geometry: Geometry } | Unreadable {
  const variant = named ?? (map === undefined ? 'standard' : 'jigsaw');
  if (map !== undefined && !needsRegions(variant)) {
    throw new DlxBatchError('bad_option', `option "regions" is set: variant ${variant} has no regions`);
  }
  const overlapping = overlappingVariants().find((geometry) => geometry.variant === variant);
  const cellCount = overlapping?.cellCount ?? (wanted === undefined ? undefined : wanted * wanted);
  if (cellCount === undefined ? !isSquareGrid(count) : count !== cellCount) {
    const sizes = 'as many as a grid from 4x4 to 36x36 has';
    return unreadable('bad_length', `${count}`, `${cellCount ?? sizes}`, `found ${count} cells: expected`);
  }
  const size = overlapping?.size ?? Math.sqrt(count);
  const found = `${variant} ${size}x${size}`;
  if (box !== undefined && box[0] * box[1] !== size) {
    return unreadable('unsupported_variant', found, `a box of ${size} cells`);
  }
  const read = map === undefined ? undefined : readRegions(map, size);
  if (read !== undefined && !('regions' in read)) return unreadable('bad_regions', read.found, read.expected);
  const request = { variant, size, box, regions: read?.regions };
  const expected = variantProblem(request);
  if (expected !== undefined) return unreadable('unsupported_variant', found, expected);
  return { geometry: variantGeometry(request) };
}

function isSquareGrid(count: number): boolean {
  return isCellCount(count) && Number.isInteger(Math.sqrt(count));
}

function readRegions(
  map: string | ArrayLike<number>,
  size: number,
): RegionMap | { found: string; expected: string } {
  const codes =
    typeof map === 'string'
      ? Array.from(map.replace(/\s+/g, ''), (symbol) => Math.min(symbol.charCodeAt(0), 255))
      : Array.from(map, (region) => NUMBER + (Number.isInteger(region) && region >= 0 ? region % 1000 : 999));
  return readRegionMap(codes, codes.length, size);
}

function takeSymbols(
  cells: readonly string[],
  spaced: boolean,
  geometry: Geometry,
  alphabet: string | undefined,
): Symbols | Unreadable {
  const read = readSymbols(cells, spaced, geometry.size, alphabet);
  if ('cell' in read) {
    const { cell, code, found, expected } = read;
    return unreadable(code, found, expected, `found "${found}" at ${cellName(geometry, cell)}: expected`);
  }
  return read;
}

function takeValues(
  values: readonly unknown[],
  geometry: Geometry,
  alphabet: string | undefined,
): Symbols | Unreadable {
  const { size } = geometry;
  const cells = Uint8Array.from(values, (value) => {
    const digit = value ?? 0;
    return Number.isInteger(digit) && (digit as number) >= 0 && (digit as number) <= size
      ? (digit as number)
      : 255;
  });
  const bad = cells.indexOf(255);
  if (bad >= 0) {
    const found = shown(values[bad]);
    const place = cellName(geometry, bad);
    return unreadable('symbol_out_of_range', found, `0 to ${size}`, `found ${found} at ${place}: expected`);
  }
  const symbols = alphabet === undefined ? decimalAlphabet(size) : namedAlphabet(size, alphabet);
  return { alphabet: symbols, blank: '.', values: cells };
}

function unreadable(
  code: ParseErrorCode,
  found: string,
  expected: string,
  start = `found ${found}: expected`,
): Unreadable {
  return { error: { code, message: `${start} ${expected}`, found, expected } };
}
