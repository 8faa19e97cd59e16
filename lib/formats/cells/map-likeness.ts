/**
 * Distinguishes region maps, also damaged ones, from puzzles, solutions and labels.
 *
 *     111222333111222333...     a map: almost every cell has the symbol of a neighbour
 *     534678912672195348...     a solution: no cell has
 *     53..7....6..195......     a puzzle: only blanks have, and they are no symbols, or fill half of it
 */
import { ZERO } from '../bytes/ascii.ts';
import { type CellCode, CODE_COUNT, MINUS_ONE, NUMBER } from './grid-buffer.ts';
import { type RegionFault, type RegionMap, readRegionMap, regionNumbers } from './regions.ts';

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

/** By code: its cells; all 0 between two calls. */
const counts = new Uint16Array(CODE_COUNT);

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
    if (++counts[code] > most) fits = false;
    if (counts[code] === 1) symbols++;
  }
  // With a symbol too many, several zeros are the blanks of a puzzle.
  if (symbols > size && counts[ZERO] > maxStrange) fits = false;
  while (cell > 0) counts[codes[--cell]] = 0;
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
