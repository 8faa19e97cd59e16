/**
 * Region maps of jigsaws: n symbols with n cells each.
 *
 *     AAAABBCCC        a map: almost every cell has the symbol of a neighbour; a region may be in several parts
 *     534678912        a solution: no cell has
 *     53..7....        a puzzle: only blanks have, and they are no symbols, or fill half of it
 *
 * Cells that must be a map are read by `readRegionMap`, and those that may be something else by `mapAmong`.
 */

import { type Geometry, MAX_SIZE } from '../../sudoku/geometry/geometry.ts';
import { ZERO } from '../bytes/ascii.ts';
import { kept } from '../bytes/kept.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import { type CellCode, CODE_COUNT, codeText, MINUS_ONE, NUMBER } from './grid-buffer.ts';

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SYMBOLS = LETTERS + LETTERS.toUpperCase();

const maps = new WeakMap<Geometry, string | undefined>();

/**
 * @returns the map of a geometry's regions, one letter per cell starting with `a`, which `readRegionMap` reads; undefined if
 *   it has no regions, or more than there are letters
 */
export function regionMap(geometry: Geometry): string | undefined {
  if (!maps.has(geometry)) maps.set(geometry, mapOf(geometry));
  return maps.get(geometry);
}

function mapOf({ units, cellCount }: Geometry): string | undefined {
  const regions = units.filter(({ kind }) => kind === 'region');
  if (regions.length === 0 || regions.length > SYMBOLS.length) return undefined;
  const symbols = Array<string>(cellCount);
  for (const { ordinal, cells } of regions) for (const cell of cells) symbols[cell] = SYMBOLS[ordinal - 1];
  return symbols.join('');
}

/**
 * The regions of `size * size` cells from `from` on, numbered from 1 in the order of their first cells; undefined if they are
 * not `size` symbols with `size` cells each.
 */
function regionNumbers(codes: ArrayLike<CellCode>, from: number, size: number): Uint8Array | undefined {
  const end = from + size * size;
  let found = 0;
  let fits = true;
  let at = from;
  for (; at < end && fits; at++) {
    const code = codes[at];
    if (numberOf[code] === 0) {
      fits = found < size;
      numberOf[code] = ++found;
    }
    if (++cellsOf[code] > size) fits = false;
  }
  // Nearly all grids are no map: memory is allocated only for those that are.
  let regions: Uint8Array | undefined;
  if (fits && found === size) {
    regions = new Uint8Array(size * size);
    for (let cell = 0; cell < regions.length; cell++) regions[cell] = numberOf[codes[from + cell]];
  }
  while (at > from) {
    const code = codes[--at];
    numberOf[code] = 0;
    cellsOf[code] = 0;
  }
  return regions;
}

/** A region map. */
export interface RegionMap {
  /** The region of each cell, numbered from 1 in the order of their first cells. */
  readonly regions: Uint8Array;
  /** Whether a region is in several parts: legal, and worth the warning `region_disconnected`. */
  readonly isDisconnected: boolean;
}

/** Why cells that should be a region map are none; it is at a cell. */
export type RegionFault = Fault;

function regionFault(cell: number, found: string, expected: string): RegionFault {
  return makeFault('bad_regions', cell, found, expected);
}

/** The warning about a puzzle with a region in several parts. */
export const REGION_DISCONNECTED = 'region_disconnected';

/**
 * Reads the region map of a puzzle that certainly has one.
 *
 * @param codes one per cell, the first `count` of them
 */
export function readRegionMap(
  codes: ArrayLike<CellCode>,
  count: number,
  size: number,
): RegionMap | RegionFault {
  const cellCount = size * size;
  if (count !== cellCount) {
    const found = `a region map of ${count} ${count === 1 ? 'character' : 'characters'}`;
    return regionFault(Math.max(0, Math.min(count, cellCount) - 1), found, `${cellCount}`);
  }
  const regions = regionNumbers(codes, 0, size);
  if (regions === undefined) return faultOf(codes, size);
  return { regions, isDisconnected: hasParts(regions, size) };
}

/** Whether a region is in several parts. */
function hasParts(regions: Uint8Array, size: number): boolean {
  const seen = new Uint8Array(regions.length);
  for (let cell = 0, region = 0; cell < regions.length; cell++) {
    if (regions[cell] <= region) continue;
    region++;
    const joins = (one: number, next: number) => regions[next] === regions[one];
    if (floodWhere(size, cell, seen, 1, joins) < size) return true;
  }
  return false;
}

/** What is wrong with as many cells as a map has. */
function faultOf(codes: ArrayLike<CellCode>, size: number): RegionFault {
  const cellsOf = new Map<CellCode, number[]>();
  for (let cell = 0; cell < size * size; cell++) {
    kept(cellsOf, codes[cell], (): number[] => []).push(cell);
  }
  const wrong = [...cellsOf].filter(([, cells]) => cells.length !== size);
  const expected = `${size} regions of ${size} cells`;
  const stray = wrong.find(([code]) => !/^[0-9a-z]+$/i.test(codeText(code)));
  if (stray !== undefined) {
    const [code, [cell]] = stray;
    const found = `"${codeText(code)}" at ${cellName(cell, size)} of the region map`;
    return regionFault(cell, found, `a digit or a letter for each of ${expected}`);
  }
  // A symbol too many is most likely the one with the fewest cells; otherwise the region with the most has one too many.
  const order = cellsOf.size > size ? 1 : -1;
  const [first, ...others] = [...wrong].sort(([, a], [, b]) => order * (a.length - b.length));
  const [cell] = first[1];
  const counts = [`region ${codeText(first[0])} with ${cells(first[1].length)} (${cellName(cell, size)})`];
  for (const [code, own] of others.slice(0, MAX_SHOWN)) {
    counts.push(`region ${codeText(code)} with ${own.length}`);
  }
  const more = others.length > MAX_SHOWN ? ', ...' : '';
  return regionFault(cell, `${counts.join(', ')}${more}`, expected);
}

/** Regions that a message names after the first one. */
const MAX_SHOWN = 3;

function cells(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`;
}

function cellName(cell: number, size: number): string {
  return `r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
}

/** By code: the number of its region in the current map, 0 for none, and its cells; all 0 between two calls. */
const numberOf = new Uint16Array(CODE_COUNT);
const cellsOf = new Uint16Array(CODE_COUNT);

/**
 * Marks the cells connected with `start` with a number, and counts them; cells that are marked already are others.
 *
 * @param joins whether a cell and its neighbour on a side (0 above, 1 right, 2 below, 3 left) are connected
 */
function floodWhere(
  size: number,
  start: number,
  marks: Uint8Array,
  mark: number,
  joins: (cell: number, next: number, side: number) => boolean,
): number {
  const steps = [-size, 1, size, -1];
  let count = 1;
  stack[0] = start;
  marks[start] = mark;
  for (let depth = 1; depth > 0; ) {
    const cell = stack[--depth];
    const column = cell % size;
    for (let side = 0; side < 4; side++) {
      const next = cell + steps[side];
      const isOutside =
        next < 0 || next >= marks.length || (side === 1 ? column === size - 1 : side === 3 && column === 0);
      if (isOutside || marks[next] !== 0 || !joins(cell, next, side)) continue;
      marks[next] = mark;
      stack[depth++] = next;
      count++;
    }
  }
  return count;
}

/** For `floodWhere`: cells whose neighbours are not visited yet, each at most once. */
const stack = new Int32Array(MAX_SIZE * MAX_SIZE);

/** Bits of HDU 4069, the walls of a cell: above, right, below, left. */
const WALLS = [16, 32, 64, 128];

/**
 * @param walls for each cell the bits of its walls: upper 16, right 32, lower 64, left 128
 * @returns the regions that the walls enclose, numbered from 1; undefined if they are not n regions of n cells
 */
export function mapOfWalls(walls: ArrayLike<number>, _count: number, size: number): RegionMap | undefined {
  const regions = new Uint8Array(size * size);
  // One of two neighbours is enough to declare the wall between them.
  const joins = (cell: number, next: number, side: number) =>
    ((walls[cell] & WALLS[side]) | (walls[next] & WALLS[(side + 2) % 4])) === 0;
  let count = 0;
  for (let start = 0; start < regions.length; start++) {
    if (regions[start] !== 0) continue;
    if (++count > size || floodWhere(size, start, regions, count, joins) !== size) return undefined;
  }
  return { regions, isDisconnected: false };
}

/** The part of a map's cells that may have no neighbour of their symbol, or be no symbols. */
const MAX_ALONE = 0.3;
const MAX_STRANGE = 0.1;

/**
 * @param codes one per cell, the first `count` of them
 * @returns the region map, or why it is none although the cells resemble one; undefined if they do not
 */
export function mapAmong(
  codes: ArrayLike<CellCode>,
  count: number,
  size: number,
): RegionMap | RegionFault | undefined {
  if (resemblesMap(codes, count, size)) return readRegionMap(codes, count, size);
  // Regions without two neighbours, such as the same place in each box: few symbols in a line. In a solution, also a
  // wrong one, lines have many.
  if (count !== size * size || regionNumbers(codes, 0, size) === undefined) return undefined;
  return hasFewSymbols(codes, size, size, 1) && hasFewSymbols(codes, size, 1, size)
    ? readRegionMap(codes, count, size)
    : undefined;
}

export function isFault(map: object): map is RegionFault {
  return 'found' in map;
}

function resemblesMap(codes: ArrayLike<CellCode>, count: number, size: number): boolean {
  const cellCount = size * size;
  if (count < 2 * size || count > 2 * cellCount) return false;
  // If a cell is missing, the columns after it are shifted.
  const slack = count === cellCount ? 0 : 1;
  const most = count / 2;
  // A text of another length with several strange characters is no damaged map.
  const maxStrange = count === cellCount ? count * MAX_STRANGE : 1;
  let strange = 0;
  let symbols = 0;
  let cell = 0;
  let fits = true;
  for (; cell < count && fits; cell++) {
    const code = codes[cell];
    if (!isSymbol(code) && ++strange > maxStrange) fits = false;
    if (++cellsOf[code] > most) fits = false;
    if (cellsOf[code] === 1) symbols++;
  }
  // With a symbol too many, several zeros are the blanks of a puzzle.
  if (symbols > size && cellsOf[ZERO] > maxStrange) fits = false;
  while (cell > 0) cellsOf[codes[--cell]] = 0;
  let alone = 0;
  for (; cell < count && fits; cell++) {
    if (!hasNeighbour(codes, count, size, cell, slack) && ++alone > count * MAX_ALONE) fits = false;
  }
  return fits;
}

function hasNeighbour(
  codes: ArrayLike<CellCode>,
  count: number,
  size: number,
  cell: number,
  slack: number,
): boolean {
  const code = codes[cell];
  if (cell + 1 < count && codes[cell + 1] === code) return true;
  if (cell > 0 && codes[cell - 1] === code) return true;
  for (let step = size - slack; step <= size + slack; step++) {
    if (cell + step < count && codes[cell + step] === code) return true;
    if (cell >= step && codes[cell - step] === code) return true;
  }
  return false;
}

/** Whether a code is a digit, a letter or a number. */
function isSymbol(code: CellCode): boolean {
  if (code >= NUMBER) return code !== MINUS_ONE;
  const letter = code | 0x20;
  return (code >= 48 && code <= 57) || (letter >= 97 && letter <= 122);
}

/** Whether each line of a grid, whose cells are `step` apart and whose first cells `next`, has few symbols. */
function hasFewSymbols(codes: ArrayLike<CellCode>, size: number, next: number, step: number): boolean {
  for (let line = 0; line < size; line++) {
    const seen = new Set<CellCode>();
    for (let k = 0; k < size; k++) seen.add(codes[line * next + k * step]);
    if (seen.size * 2 > size) return false;
  }
  return true;
}
