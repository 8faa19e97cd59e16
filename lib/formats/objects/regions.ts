/**
 * The regions of a jigsaw in JSON:
 *
 *     "111122333..."  ["111122333", ...]  [[1, 1, 1, ...], ...]  [1, 1, 1, ...]     the region of each cell
 *     [[[0, 0], [0, 1], ...], ...]                                                  each region as [row, column]
 *     [["R1C1", "R1C2", ...], ...]                                                  as names of cells
 *     [[0, 1, 2, 9, ...], ...]                                                      as numbers of cells
 */

import { NUMBER } from '../cells/grid-buffer.ts';
import { type RegionFault, type RegionMap, readRegionMap, regionFault } from '../cells/regions.ts';
import { cellCode } from './cells.ts';

/** Reads the regions of a puzzle that certainly has them. */
export function readRegions(value: unknown, size: number): RegionMap | RegionFault {
  const list = typeof value === 'object' && value !== null ? Object.values(value).map(cellsOfRegion) : value;
  if (Array.isArray(list) && list.length === size && list.every(Array.isArray)) {
    const cells = listedCells(list as unknown[][], size);
    if (cells !== undefined) return cells;
  }
  const codes = codesOf(list);
  return 'found' in codes ? codes : readRegionMap(codes, codes.length, size);
}

/** A region may be an object with its cells. */
function cellsOfRegion(region: unknown): unknown {
  if (typeof region !== 'object' || region === null || Array.isArray(region)) return region;
  return (region as { cells?: unknown }).cells ?? region;
}

/** The region of each cell, from a text, from rows, or from a list. */
function codesOf(value: unknown): number[] | RegionFault {
  if (typeof value === 'string') {
    const parts = value.trim().split(/[\s,;|/]+/);
    const symbols = parts.some((part) => part.length > 3) ? Array.from(parts.join('')) : parts;
    return symbols.map((symbol) => cellCode(symbol) ?? OTHER);
  }
  if (!Array.isArray(value)) {
    const found = `${JSON.stringify(value)} for a region map`;
    return regionFault(0, found, 'the symbol of a region for each cell');
  }
  const codes: number[] = [];
  for (const part of value as unknown[]) {
    const scalar = typeof part !== 'object' || part === null;
    if (scalar && (typeof part !== 'string' || part.length < 4))
      codes.push(part === null ? OTHER : (cellCode(part) ?? OTHER));
    else {
      const row = codesOf(part);
      if ('found' in row) return row;
      for (const code of row) codes.push(code);
    }
  }
  return codes;
}

/** A character that is no symbol of a region. */
const OTHER = 255;

/** Rows and columns of a cell, in one base, or its number. */
type CellPlace = readonly [row: number, column: number] | number;

/** Reads each region as a list of its cells; undefined if the lists are something else: rows of a map. */
function listedCells(
  lists: readonly (readonly unknown[])[],
  size: number,
): RegionMap | RegionFault | undefined {
  const places = lists.map((list) => list.map(placeOf));
  const all = places.flat();
  const cellCount = size * size;
  if (all.length === 0 || all.some((place) => place === undefined)) return undefined;
  const numbers = all.filter((place) => typeof place === 'number');
  if (numbers.length > 0) {
    // Rows of a map have as many different numbers as there are regions, lists of cells have all.
    if (numbers.length < all.length || new Set(numbers).size * 2 < cellCount) return undefined;
    const base = baseOf(numbers, cellCount);
    if (typeof base !== 'number') return base;
    return fromCells(
      places.map((list) => list.map((place) => (place as number) - base)),
      size,
    );
  }
  const base = baseOf(
    all.flatMap((place) => place as readonly number[]),
    size,
  );
  if (typeof base !== 'number') return base;
  return fromCells(
    places.map((list) =>
      list.map((place) => {
        const [row, column] = place as readonly [number, number];
        return (row - base) * size + column - base;
      }),
    ),
    size,
  );
}

/** Whether `count` consecutive numbers start at 0 or at 1. */
function baseOf(numbers: readonly number[], count: number): 0 | 1 | RegionFault {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  if (least === 0 && most < count) return 0;
  if (least === 1 && most === count) return 1;
  const ranges = `0 to ${count - 1} or 1 to ${count}`;
  const found = `numbers of rows, columns or cells from ${least} to ${most} in the regions`;
  const expected = least >= 1 && most < count ? `cells that show which of ${ranges} is meant` : ranges;
  return regionFault(0, found, expected);
}

/** The row and the column of a cell, or its number; undefined if it is something else. */
function placeOf(cell: unknown): CellPlace | undefined {
  if (typeof cell === 'number') return Number.isInteger(cell) ? cell : undefined;
  if (typeof cell === 'string') {
    const name = /^r(\d{1,2})c(\d{1,2})$/i.exec(cell.trim());
    return name === null ? undefined : [Number(name[1]), Number(name[2])];
  }
  if (typeof cell !== 'object' || cell === null) return undefined;
  const { row, column, col, r, c } = cell as Record<string, unknown>;
  const pair: unknown = Array.isArray(cell) ? cell : [row ?? r, column ?? col ?? c];
  const [first, second] = pair as unknown[];
  const isPair = Number.isInteger(first) && Number.isInteger(second) && (pair as unknown[]).length === 2;
  return isPair ? [first as number, second as number] : undefined;
}

/** @param regions the cells of each region, from 0 */
function fromCells(regions: readonly (readonly number[])[], size: number): RegionMap | RegionFault {
  const codes = new Array<number>(size * size).fill(0);
  const expected = `${size} regions of ${size} cells`;
  for (const [index, cells] of regions.entries()) {
    for (const cell of cells) {
      const own = codes[cell];
      if (own !== 0) {
        const both =
          own === NUMBER + index + 1
            ? `twice in region ${index + 1}`
            : `in region ${own - NUMBER} and in region ${index + 1}`;
        return regionFault(cell, `${nameOf(cell, size)} ${both}`, expected, String(index + 1));
      }
      codes[cell] = NUMBER + index + 1;
    }
  }
  const missing = codes.indexOf(0);
  if (missing >= 0) {
    const short = regions.findIndex((cells) => cells.length < size) + 1;
    const found = `${nameOf(missing, size)} in no region, and region ${short} with ${regions[short - 1].length} cells`;
    return regionFault(missing, found, expected, String(short));
  }
  return readRegionMap(codes, codes.length, size);
}

function nameOf(cell: number, size: number): string {
  return `r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
}
