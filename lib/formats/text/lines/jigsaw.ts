/**
 * Jigsaws on lines: the puzzle, and the map of its regions, n symbols n times each. The map is on the same line, directly
 * after the puzzle or after white space, a comma, a semicolon or a colon; or it is the line below or above, if the head of
 * the file has maps there (`map-survey.ts`).
 *
 *     3.......4..2.6.1...1.9.8.2...5...6...2.....1...9...8...8.3.4.6...4.1.9..5.......7aaabbbcccadd...
 *
 * Solutions are lines without the map. A map that is wrong is `bad_regions`, and the puzzle is never read without it.
 */

import { HASH } from '../../bytes/ascii.ts';
import { CELL, KINDS, SEPARATOR } from '../../bytes/byte-kinds.ts';
import { isFault, REGION_DISCONNECTED, type RegionFault } from '../../cells/regions.ts';
import { makeFault } from '../../records/fault.ts';
import { type MappedJigsaw, sizeOfSquare } from '../../records/layout-book.ts';
import { labelledPuzzle } from '../grids/labelled-line.ts';
import { isHeader } from '../headers/header.ts';
import type { MapPlace } from '../maps/map-place.ts';
import { mapFault, missingMap, missingPuzzle } from '../maps/row-maps.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { Line } from '../shape/line.ts';
import { isSeparated, someNotes } from './line.ts';

export const jigsaw: Recogniser = {
  name: 'jigsaw',
  minBytes: 16,
  match(line) {
    let taken = matchOneLine(line);
    for (const place of line.context.maps) {
      if (taken === NO && place.form === 'line') taken = matchTwoLines(line, place);
    }
    return taken;
  },
};

const MIN_SIZE = 4;
/** Rows of a damaged map that is recognised as one. */
const MIN_MAP_PART = 2;

/** Offsets of a token of a line. */
interface Word {
  readonly from: number;
  readonly to: number;
}

/** A token that is a region map, or resembles one. */
interface LineMap extends Word {
  readonly map: MappedJigsaw | RegionFault;
}

/** The next token of a line from an offset on; an empty one at its end. */
function wordFrom({ bytes, end }: Line, at: number): Word {
  let from = at;
  while (from < end && isBetween(bytes[from])) from++;
  let to = from;
  while (to < end && !isBetween(bytes[to])) to++;
  return { from, to };
}

function isBetween(byte: number): boolean {
  return byte <= 32 || (KINDS[byte] & SEPARATOR) !== 0;
}

/** A puzzle and its map on one line. */
function matchOneLine(line: Line): number {
  const { from, puzzleEnd } = line;
  // Jigsaws need no boxes, so any size is valid.
  const size = sizeOfSquare(puzzleEnd - from);
  const joined = size === undefined ? matchJoined(line) : NO;
  if (joined !== NO || puzzleEnd === line.end) return joined;
  // Most lines that do not start with a puzzle do not start with a map either.
  if (size === undefined && puzzleEnd - from < MIN_MAP_PART * MIN_SIZE) return NO;
  const second = wordFrom(line, puzzleEnd);
  for (let word = second; size !== undefined && word.to > word.from; word = wordFrom(line, word.to)) {
    const map = mapIn(line, word, size);
    if (map === undefined) continue;
    const label = textIn(line, word.to) ?? textIn(line, puzzleEnd, word.from);
    return enter(line, 1, from, map, size, label);
  }
  // The map may precede the puzzle, and have cells too many or too few.
  const puzzleSize = sizeOfSquare(second.to - second.from);
  if (puzzleSize === undefined || (size !== undefined && size !== puzzleSize)) return NO;
  const map = mapIn(line, { from, to: puzzleEnd }, puzzleSize);
  return map === undefined ? NO : enter(line, 1, second.from, map, puzzleSize, textIn(line, second.to));
}

/** A puzzle and its map without a separator, in either order. */
function matchJoined(line: Line): number {
  const { bytes, from, puzzleEnd: end } = line;
  const size = Math.round(Math.sqrt((end - from) / 2));
  const missing = 2 * size * size - (end - from);
  if (size < MIN_SIZE || Math.abs(missing) > size || isSeparated(line, end, size)) return NO;
  const middle = from + size * size;
  // A sign between the two separates them.
  if (missing === -1 && (KINDS[bytes[middle]] & CELL) === 0) return NO;
  const second = mapIn(line, { from: middle, to: end }, size);
  const first = missing === 0 && second === undefined ? mapIn(line, { from, to: middle }, size) : undefined;
  const map = second ?? first;
  if (missing === 0 && map !== undefined) {
    return enter(line, 1, map === first ? middle : from, map, size, textIn(line, end));
  }
  // Two joined halves of a usual length are nothing else.
  const areHalves = end === line.end && line.book.isSize(size);
  if (missing === 0 ? !areHalves : map === undefined) return NO;
  const found =
    missing === 0 ? 'a map whose regions are not all of one piece and size' : `${end - from} characters`;
  const advice = `a jigsaw on a line is its ${size * size} cells, and then for each the symbol of its region`;
  const expected = `${size} regions of ${size} cells`;
  const fault = makeFault('bad_regions', missing === 0 ? middle : from, found, expected, { advice });
  return line.context.enterError(line, 1, fault);
}

/** A puzzle and its map in two lines, of which one is this line. */
function matchTwoLines(line: Line, { size, place, every }: MapPlace): number {
  const { context, at } = line;
  const own = mapOf(line, size);
  const next = context.nextText(at + 1);
  const nextMap = next && mapOf(next, size);
  const refuse = (last: Line, puzzle = line) =>
    context.enterError(line, last.at + 1 - at, missingMap(puzzle, size, place));
  const isPuzzle = (one: Line) => lengthOf(cellsOf(one)) === size * size;
  const isText = next !== undefined && !isHeader(next);
  const isNextPuzzle = isText && nextMap === undefined;
  if (place === 'above' && own !== undefined && isNextPuzzle) return enterPair(line, next, next, own, size);
  if (own !== undefined) return context.enterError(line, 1, missingPuzzle(line, size, place));
  if (place === 'below') {
    if (nextMap !== undefined) return enterPair(line, next!, line, nextMap, size);
    if (!isPuzzle(line)) return NO;
    if (isText && !isPuzzle(next)) {
      // A line between the puzzle and its map, or in the place of a map, cannot be left out silently.
      const after = context.nextText(next.at + 1);
      const isLater = after !== undefined && mapOf(after, size) !== undefined;
      if (isLater && Math.abs(lengthOf(cellsOf(next)) - size * size) > size) return refuse(after);
      if (!isLater && (every || next.at === at + 1)) return refuse(next);
    }
  }
  if (every && isPuzzle(line)) return refuse(line);
  // A line in the place of a map.
  return every && place === 'above' && isNextPuzzle && isPuzzle(next) ? refuse(next, next) : NO;
}

/** Enters lines `first` to `last`, of which `puzzle` should be the puzzle, and the other one is its map. */
function enterPair(first: Line, last: Line, puzzle: Line, map: LineMap, size: number): number {
  const { from, to, label = textIn(puzzle, to) } = cellsOf(puzzle);
  const lines = last.at + 1 - first.at;
  if (to - from === size * size) {
    const id = label ?? textIn(puzzle === first ? last : first, map.to);
    return enter(first, lines, from, map, size, id);
  }
  const where = `of a ${size}x${size} puzzle next to a region map`;
  const found = `${to - from} characters`;
  const fault = makeFault('bad_length', from, found, `${size * size} characters`, { where });
  return first.context.enterError(first, lines, fault);
}

/** Enters the puzzle whose cells start at `from` in `lines` lines, or what is wrong with its map. */
function enter(first: Line, lines: number, from: number, found: LineMap, size: number, id?: string): number {
  const { map, from: offset } = found;
  const { context, bytes } = first;
  if (isFault(map)) return context.enterError(first, lines, mapFault(map, offset + map.at, size));
  const { geometry, isDisconnected } = map;
  const notes = someNotes(id, { warnings: isDisconnected ? [REGION_DISCONNECTED] : undefined });
  context.enter({ format: 'jigsaw', geometry }, first, lines, notes, { bytes, from });
  return lines;
}

/**
 * Enters the puzzle at offset `from` of a line, with its map in a word.
 *
 * @returns whether it is a map
 */
export function enterMapped(line: Line, from: number, word: Word, size: number, id?: string): boolean {
  const map = mapIn(line, word, size);
  if (map !== undefined) enter(line, 1, from, map, size, id);
  return map !== undefined;
}

/** The map that a line consists of, apart from a label. */
function mapOf(line: Line, size: number): LineMap | undefined {
  return mapIn(line, cellsOf(line), size);
}

/** The grid in a line: after a label, or its first word. */
function cellsOf(line: Line): Word & { label?: string | undefined } {
  const { puzzle, label } = labelledPuzzle(line) ?? { puzzle: { from: line.from, to: line.puzzleEnd } };
  return puzzle.from > line.from ? { ...puzzle, label } : puzzle;
}

function lengthOf({ from, to }: Word): number {
  return to - from;
}

/** The map in a word. */
function mapIn({ context, bytes, book }: Line, { from, to }: Word, size: number): LineMap | undefined {
  const { cells } = context;
  if (to - from < MIN_MAP_PART * size || to - from > 2 * size * size) return undefined;
  cells.clear();
  cells.addBytes(bytes, from, to);
  const map = book.jigsawFromMap(cells.codes.subarray(0, cells.count), size);
  return map && { map, from, to };
}

/** The text between two offsets without the signs around it; most have none. */
function textIn(line: Line, first: number, last = line.end): string | undefined {
  const { bytes } = line;
  let [from, to] = [first, last];
  while (from < to && (isBetween(bytes[from]) || bytes[from] === HASH)) from++;
  while (to > from && isBetween(bytes[to - 1])) to--;
  return from === to ? undefined : line.string(from, to);
}
