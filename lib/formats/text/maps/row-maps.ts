/** Region maps in rows, below or above the rows of their puzzles. */
import { isFault } from '../../cells/map-likeness.ts';
import type { RegionFault } from '../../cells/regions.ts';
import type { MappedJigsaw } from '../../records/layout-book.ts';
import { isHeader } from '../headers/header.ts';
import type { TextContext, TextFault } from '../text-context.ts';
import { addRowCells, isIdleLine } from './row-cells.ts';

/** A region map, or rows that resemble one. */
export interface RowMap {
  readonly map: MappedJigsaw | RegionFault;
  /** Line and byte of its first cell, or of the wrong one. */
  readonly line: number;
  readonly offset: number;
  /** Line after its last row. */
  readonly end: number;
}

/** Rows of a map of 9x9: at most so many too many. */
const MAX_EXTRA = 2;

/** The region map in the rows from line `from`, after blank lines if any; undefined if they do not resemble one. */
export function rowMapFrom(context: TextContext, from: number, size: number): RowMap | undefined {
  const { window, cells, sink } = context;
  cells.clear();
  let rows = 0;
  let end = from;
  for (let line = from; rows < size && window.has(line); line++) {
    if (context.isBlank(line)) {
      // A blank line ends a damaged map; it may follow each row of another.
      if (rows * 2 > size) break;
      continue;
    }
    if (isIdleLine(window.bytes, window.text[line], window.end[line])) continue;
    if (rows === 0 && isMapTitle(context, line)) continue;
    const before = cells.count;
    const width = isHeader(context, line) ? 0 : rowCells(context, line);
    if (Math.abs(width - size) > 1) {
      cells.count = before;
      break;
    }
    rows++;
    end = line + 1;
  }
  if (rows * 2 <= size) return undefined;
  if (rows === size) {
    end += extraRows(context, end, size);
  }
  const map = sink.book.jigsawFromMap(cells.codes.subarray(0, cells.count), size);
  if (map === undefined) return undefined;
  const offset = cells.offset[isFault(map) ? map.cell : 0];
  return { map, line: context.lineOf(offset, from, end - from), offset, end };
}

/** `Regions:`, `Map` */
const MAP_TITLE =
  /^(?:the\s+)?(?:regions?|region\s+map|map|layout|areas?|boxes|jigsaw|shapes?)\s*[:=]?\s*[[{("'|]*$/i;
const MAX_TITLE_BYTES = 24;

function isMapTitle({ window }: TextContext, line: number): boolean {
  const { text, end } = window;
  return end[line] - text[line] <= MAX_TITLE_BYTES && MAP_TITLE.test(window.string(text[line], end[line]));
}

/** Rows that follow a whole map up to a blank line, if they are few: then the map has too many. */
function extraRows(context: TextContext, from: number, size: number): number {
  const { window, cells } = context;
  const { count } = cells;
  for (let line = from; ; line++) {
    if (!window.has(line) || context.isBlank(line)) return line - from;
    const isRow = !isHeader(context, line) && rowCells(context, line) === size;
    if (!isRow || line - from === MAX_EXTRA) {
      cells.count = count;
      return 0;
    }
  }
}

/** Appends the cells of line `line` to `context.cells`; returns their number, 0 if it is no row. */
function rowCells({ window, cells }: TextContext, line: number): number {
  return addRowCells(window.bytes, window.text[line], window.end[line], cells);
}

/** What is wrong with a region map whose first or wrong cell is at `offset`. */
export function mapFault(
  { found, expected }: RegionFault,
  line: number,
  offset: number,
  size: number,
): TextFault {
  const problem = `found ${found} for a ${size}x${size} jigsaw: expected ${expected}`;
  return { code: 'bad_regions', line, offset, found, expected, problem };
}

/** A puzzle without a region map, in a file in which the others have one. */
export function missingMap(
  { window }: TextContext,
  line: number,
  size: number,
  place: 'above' | 'below',
): TextFault {
  const expected = `its region map ${place} it`;
  return {
    code: 'bad_regions',
    line,
    offset: window.text[line],
    found: `a ${size}x${size} puzzle without a region map`,
    expected,
    problem: `found a ${size}x${size} puzzle without a region map: expected ${expected}, as the other puzzles of the file have`,
  };
}

/** A region map without a puzzle. */
export function missingPuzzle(
  { window }: TextContext,
  line: number,
  size: number,
  place: 'above' | 'below',
): TextFault {
  const other = place === 'above' ? 'below' : 'above';
  const expected = `its ${size}x${size} puzzle ${other} it`;
  return {
    code: 'bad_regions',
    line,
    offset: window.text[line],
    found: 'a region map without a puzzle',
    expected,
    problem: `found a region map without a puzzle: expected ${expected}, as in the rest of the file`,
  };
}
