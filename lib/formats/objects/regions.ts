/**
 * The regions of a jigsaw in JSON:
 *
 *     "111122333..."  ["111122333", ...]  [[1, 1, 1, ...], ...]  [1, 1, 1, ...]     the region of each cell
 *     [[[0, 0], [0, 1], ...], ...]                                                  each region as [row, column]
 *     [["R1C1", "R1C2", ...], ...]                                                  as names of cells
 *     [[0, 1, 2, 9, ...], ...]                                                      as numbers of cells
 */

import { NUMBER } from '../cells/grid-buffer.ts';
import { isFault, type RegionMap, readRegionMap } from '../cells/regions.ts';
import { cellCode, placeOf } from './cells.ts';
import { isObject } from './members.ts';
import { fail } from './unreadable.ts';

/** A character that is no symbol of a region. */
const OTHER = 255;

/** Reads the regions of a puzzle that certainly has them; fails if they are none. */
export function readRegions(value: unknown, size: number): RegionMap {
  // A region may be an object with its cells.
  const cellsOf = (region: unknown) => (isObject(region) ? (region.cells ?? region) : region);
  const list = typeof value === 'object' && value !== null ? Object.values(value).map(cellsOf) : value;
  const areLists = Array.isArray(list) && list.length === size && list.every(Array.isArray);
  const codes = (areLists ? listedCells(list, size) : undefined) ?? codesOf(list);
  const map = readRegionMap(codes, codes.length, size);
  return isFault(map) ? fail('bad_regions', map.found, map.expected) : map;
}

/** The region of each cell, from a text, from rows, or from a list. */
function codesOf(value: unknown): number[] {
  if (typeof value === 'string') {
    const parts = value.trim().split(/[\s,;|/]+/);
    const symbols = parts.some((part) => part.length > 3) ? Array.from(parts.join('')) : parts;
    return symbols.map((symbol) => cellCode(symbol) ?? OTHER);
  }
  if (!Array.isArray(value)) {
    const found = `${JSON.stringify(value)} for a region map`;
    fail('bad_regions', found, 'the symbol of a region for each cell');
  }
  return value.flatMap((part: unknown) => {
    const isRow = typeof part === 'string' ? part.length > 3 : typeof part === 'object' && part !== null;
    if (isRow) return codesOf(part);
    return part === null ? OTHER : (cellCode(part) ?? OTHER);
  });
}

/** A row and a column, or the number of a cell. */
type CellPlace = readonly number[] | number;

/** The region of each cell, from lists of the cells of each region; undefined if the lists are rows of a map. */
function listedCells(lists: readonly (readonly unknown[])[], size: number): number[] | undefined {
  const places = lists.map((list) => list.map(placeIn));
  const all = places.flat();
  const cellCount = size * size;
  if (all.length === 0 || all.includes(undefined)) return undefined;
  const isNumber = (place: unknown) => typeof place === 'number';
  // Rows of a map have as many different numbers as there are regions, lists of cells have all.
  const hasFew = !all.every(isNumber) || new Set(all).size * 2 < cellCount;
  if (all.some(isNumber) && hasFew) return undefined;
  const base = baseOf(all.flat() as number[], all.some(isNumber) ? cellCount : size);
  const cellOf = (place: CellPlace) =>
    typeof place === 'number' ? place - base : (place[0] - base) * size + place[1] - base;
  return fromCells(
    (places as CellPlace[][]).map((list) => list.map(cellOf)),
    size,
  );
}

/** Whether `count` consecutive numbers start at 0 or at 1. */
function baseOf(numbers: readonly number[], count: number): 0 | 1 {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  if (least === 0 && most < count) return 0;
  if (least === 1 && most === count) return 1;
  const ranges = `0 to ${count - 1} or 1 to ${count}`;
  const found = `numbers of rows, columns or cells from ${least} to ${most} in the regions`;
  const isOpen = least >= 1 && most < count;
  fail('bad_regions', found, isOpen ? `cells that show which of ${ranges} is meant` : ranges);
}

/** The row and the column of a cell, or its number; undefined if it is something else. */
function placeIn(cell: unknown): CellPlace | undefined {
  if (typeof cell === 'number') return Number.isInteger(cell) ? cell : undefined;
  const name = typeof cell === 'string' ? /^r(\d{1,2})c(\d{1,2})$/i.exec(cell.trim()) : null;
  if (name !== null) return [Number(name[1]), Number(name[2])];
  const pair: unknown = isObject(cell) ? placeOf(cell) : cell;
  return Array.isArray(pair) && pair.length === 2 && pair.every(Number.isInteger) ? pair : undefined;
}

/**
 * The region of each cell, as the code of a number.
 *
 * @param regions the cells of each region, from 0
 */
function fromCells(regions: readonly (readonly number[])[], size: number): number[] {
  const codes = new Array<number>(size * size).fill(0);
  const expected = `${size} regions of ${size} cells`;
  for (const [index, cells] of regions.entries()) {
    for (const cell of cells) {
      const own = codes[cell] - NUMBER;
      if (codes[cell] !== 0) {
        const isSame = own === index + 1;
        const both = isSame ? `twice in region ${own}` : `in region ${own} and in region ${index + 1}`;
        fail('bad_regions', `${nameOf(cell, size)} ${both}`, expected);
      }
      codes[cell] = NUMBER + index + 1;
    }
  }
  const missing = codes.indexOf(0);
  if (missing >= 0) {
    const short = regions.findIndex((cells) => cells.length < size);
    const region = `region ${short + 1} with ${regions[short].length} cells`;
    fail('bad_regions', `${nameOf(missing, size)} in no region, and ${region}`, expected);
  }
  return codes;
}

function nameOf(cell: number, size: number): string {
  return `r${Math.floor(cell / size) + 1}c${(cell % size) + 1}`;
}
