/** Region maps in rows, below or above the rows of their puzzles. */

import { isFault, type RegionFault } from '../../cells/regions.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import type { MappedJigsaw } from '../../records/layout-book.ts';
import { isClosingLine, openingOfLine } from '../grids/line-tests.ts';
import { isHeader } from '../headers/header.ts';
import type { Line } from '../shape/line.ts';
import { cutRow } from '../shape/readings.ts';
import { isRuler } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';

/** A region map, or rows that resemble one. */
export interface RowMap {
  readonly map: MappedJigsaw | RegionFault;
  /** Of its first cell, or of the wrong one. */
  readonly offset: number;
  /** Line after its last row. */
  readonly end: number;
}

/** Rows of a map of 9x9: at most so many too many. */
const MAX_EXTRA = 2;

/** The region map in the rows from line `from`, after blank lines if any; undefined if they do not resemble one. */
export function rowMapFrom(context: TextContext, from: number, size: number): RowMap | undefined {
  const { cells, sink } = context;
  cells.clear();
  let rows = 0;
  let end = from;
  for (let line = context.lineAt(from); rows < size && line !== undefined; line = line.next) {
    // A blank line ends a damaged map; it may follow each row of another.
    if (line.isBlank && rows * 2 > size) break;
    if (line.isBlank || line.isComment || isRuler(line)) continue;
    // The end of a list of rows, and the beginning of another.
    if (rows === 0 && (isMapTitle(line) || isClosingLine(line))) continue;
    const before = cells.count;
    if (isHeader(line) || cutRow(line, cells, size) === 0) {
      cells.count = before;
      break;
    }
    rows++;
    end = line.at + 1;
  }
  if (rows * 2 <= size) return undefined;
  if (rows === size) end += extraRows(context, end, size);
  const map = sink.book.jigsawFromMap(cells.codes.subarray(0, cells.count), size);
  if (map === undefined) return undefined;
  return { map, offset: cells.offset[isFault(map) ? map.at : 0], end };
}

/** `Regions:`, `Map`, `const regions = [` */
const MAP_TITLE =
  /^(?:(?:the|const|let|var)\s+)?(?:regions?|region\s+map|map|layout|areas?|boxes|jigsaw|shapes?)\s*[:=]?\s*[[{("'|]*$/i;
const MAX_TITLE_BYTES = 24;

function isMapTitle(line: Line): boolean {
  return line.length <= MAX_TITLE_BYTES && MAP_TITLE.test(line.text);
}

/** The first line from `at` on that closes no list and opens none, and the name of the last list that is opened. */
export function afterLists(context: TextContext, at: number) {
  let name: string | undefined;
  for (let next = context.nextText(at); ; next = context.nextText(next.at + 1)) {
    const opening = next && openingOfLine(next);
    if (next === undefined || (opening === undefined && !isClosingLine(next))) return { next, name };
    name = opening?.name ?? name;
  }
}

/** Rows that follow a whole map up to a blank line, if they are few: then the map has too many. */
function extraRows(context: TextContext, from: number, size: number): number {
  const { cells } = context;
  const { count } = cells;
  for (let rows = 0; ; rows++) {
    const line = context.lineAt(from + rows);
    if (line === undefined || line.isBlank) return rows;
    if (rows === MAX_EXTRA || isHeader(line) || cutRow(line, cells, size) !== size) {
      cells.count = count;
      return 0;
    }
  }
}

/** What is wrong with a region map whose first or wrong cell is at `offset`. */
export function mapFault(fault: RegionFault, offset: number, size: number): Fault {
  return { ...fault, at: offset, where: `for a ${size}x${size} jigsaw` };
}

/** A puzzle without a region map, in a file in which the others have one. */
export function missingMap({ from }: Line, size: number, place: string): Fault {
  const found = `a ${size}x${size} puzzle without a region map`;
  const advice = 'the other puzzles of the file have one';
  return makeFault('bad_regions', from, found, `its region map ${place} it`, { advice });
}

/** A region map without a puzzle. */
export function missingPuzzle({ from }: Line, size: number, place: string): Fault {
  const expected = `its ${size}x${size} puzzle ${place === 'above' ? 'below' : 'above'} it`;
  const advice = 'as in the rest of the file';
  return makeFault('bad_regions', from, 'a region map without a puzzle', expected, { advice });
}
