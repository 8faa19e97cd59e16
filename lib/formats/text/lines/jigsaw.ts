/**
 * Jigsaws on lines: the puzzle, and the map of its regions, n symbols n times each. The map is on the same line, directly
 * after the puzzle or after white space, a comma, a semicolon or a colon; or it is the line below or above, if the head of
 * the file has maps there (`map-survey.ts`).
 *
 *     3.......4..2.6.1...1.9.8.2...5...6...2.....1...9...8...8.3.4.6...4.1.9..5.......7aaabbbcccadd...
 *
 * Solutions are lines without the map. A map that is wrong is `bad_regions`, and the puzzle is never read without it.
 */

import { isFault } from '../../cells/map-likeness.ts';
import { REGION_DISCONNECTED, type RegionFault } from '../../cells/regions.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import { type MappedJigsaw, sizeOfSquare } from '../../records/layout-book.ts';
import type { RecordNotes } from '../../records/record-block.ts';

import { writeLine } from '../../writing/grid-drawing.ts';
import { CELL, KINDS } from '../byte-kinds.ts';
import { isHeader } from '../headers/header.ts';
import type { MapPlace } from '../maps/map-place.ts';
import { tokenStart, tokenStop } from '../maps/map-survey.ts';
import { mapFault, missingMap, missingPuzzle } from '../maps/row-maps.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { isSeparated } from './line.ts';

export const jigsaw: Recogniser = {
  name: 'jigsaw',
  minBytes: 16,
  match(context, at) {
    const taken = matchOneLine(context, at);
    if (taken !== NO) return taken;
    for (const place of context.maps) {
      if (place.form !== 'line') continue;
      const lines = place.place === 'below' ? matchAbove(context, at, place) : matchBelow(context, at, place);
      if (lines !== NO) return lines;
    }
    return NO;
  },
  writer: { multiLine: false, write: writeLine },
};

/** A token of a line that is a region map, or resembles one. */
interface LineMap {
  readonly map: MappedJigsaw | RegionFault;
  readonly from: number;
  readonly to: number;
}

/** A puzzle and its map on one line. */
function matchOneLine(context: TextContext, at: number): number {
  const { window } = context;
  const [from, last] = [window.text[at], window.end[at]];
  const end = context.puzzleEnd(at);
  // Jigsaws need no boxes, so any size is valid.
  const size = sizeOfSquare(end - from);
  const joined = size === undefined ? matchJoined(context, at, from, end) : NO;
  if (joined !== NO || end === last) return joined;
  const second = tokenStart(window.bytes, end, last);
  for (let byte = second; size !== undefined && byte < last; ) {
    const stop = tokenStop(window.bytes, byte, last);
    const map = mapIn(context, byte, stop, size);
    if (map !== undefined) {
      const own = label(context, at, stop) ?? trimmed(window.string(end, byte));
      return enter(context, at, 1, from, map, size, own);
    }
    byte = tokenStart(window.bytes, stop, last);
  }
  // The map may precede the puzzle, and have cells too many or too few.
  const stop = tokenStop(window.bytes, second, last);
  const puzzleSize = sizeOfSquare(stop - second);
  if (puzzleSize === undefined || (size !== undefined && size !== puzzleSize)) return NO;
  const map = mapIn(context, from, end, puzzleSize);
  return map === undefined ? NO : enter(context, at, 1, second, map, puzzleSize, label(context, at, stop));
}

/** A puzzle and its map without a separator, in either order. */
function matchJoined(context: TextContext, at: number, from: number, end: number): number {
  const { book } = context.sink;
  const size = Math.round(Math.sqrt((end - from) / 2));
  const missing = 2 * size * size - (end - from);
  if (size < MIN_SIZE || Math.abs(missing) > size) return NO;
  if (isSeparated(context.window.bytes, from, end, size)) return NO;
  const middle = from + size * size;
  // A sign between the two separates them.
  if (missing === -1 && (KINDS[context.window.bytes[middle]] & CELL) === 0) return NO;
  const own = label(context, at, end);
  const second = mapIn(context, middle, end, size);
  if (missing !== 0) {
    if (second === undefined) return NO;
    return context.enterError(at, 1, halvesFault(from, `${end - from} characters`, size));
  }
  if (second !== undefined) return enter(context, at, 1, from, second, size, own);
  const first = mapIn(context, from, middle, size);
  if (first !== undefined) return enter(context, at, 1, middle, first, size, own);
  // Two joined halves of a usual length are nothing else.
  if (end !== context.window.end[at] || !book.isSize(size)) return NO;
  const found = 'a map whose regions are not all of one piece and size';
  return context.enterError(at, 1, halvesFault(middle, found, size));
}

const MIN_SIZE = 4;
/** Rows of a damaged map that is recognised as one. */
const MIN_MAP_PART = 2;

/** A puzzle in line `at`, and its map in the line below. */
function matchAbove(context: TextContext, at: number, place: MapPlace): number {
  const { size } = place;
  const next = context.nextText(at + 1);
  const map = next === undefined ? undefined : mapOf(context, next, size);
  if (mapOf(context, at, size) !== undefined)
    return context.enterError(at, 1, missingPuzzle(context, at, size, 'below'));
  if (map !== undefined && next !== undefined) return enterPair(context, at, next, at, next, map, size);
  if (!isPuzzle(context, at, size)) return NO;
  if (next !== undefined && !isPuzzle(context, next, size) && !isHeader(context, next)) {
    // A line between the puzzle and its map, or in the place of a map, cannot be left out silently.
    const after = context.nextText(next + 1);
    const later = after === undefined ? undefined : mapOf(context, after, size);
    const isLine = isNear(context, next, size);
    if (after !== undefined && later !== undefined && !isLine) {
      return context.enterError(at, after + 1 - at, missingMap(context, at, size, 'below'));
    }
    if (later === undefined && (place.every || next === at + 1)) {
      return context.enterError(at, next + 1 - at, missingMap(context, at, size, 'below'));
    }
  }
  return place.every ? context.enterError(at, 1, missingMap(context, at, size, 'below')) : NO;
}

/** A map in line `at`, and its puzzle in the line below. */
function matchBelow(context: TextContext, at: number, place: MapPlace): number {
  const { size } = place;
  const map = mapOf(context, at, size);
  const next = context.nextText(at + 1);
  const follows = next !== undefined && !isHeader(context, next) && mapOf(context, next, size) === undefined;
  if (map !== undefined) {
    if (follows) return enterPair(context, at, next, next, at, map, size);
    return context.enterError(at, 1, missingPuzzle(context, at, size, 'above'));
  }
  if (!place.every) return NO;
  if (isPuzzle(context, at, size)) return context.enterError(at, 1, missingMap(context, at, size, 'above'));
  // A line in the place of a map.
  if (!follows || !isPuzzle(context, next, size)) return NO;
  return context.enterError(at, next + 1 - at, missingMap(context, next, size, 'above'));
}

/** Enters lines `at` to `last`, of which `puzzle` should be the puzzle and `mapped` its map. */
function enterPair(
  context: TextContext,
  at: number,
  last: number,
  puzzle: number,
  mapped: number,
  map: LineMap,
  size: number,
): number {
  const { window } = context;
  const from = window.text[puzzle];
  const end = context.puzzleEnd(puzzle);
  const lines = last + 1 - at;
  const found = `${end - from} characters`;
  if (end - from !== size * size) {
    const where = `of a ${size}x${size} puzzle next to a region map`;
    const fault = makeFault('bad_length', from, found, `${size * size} characters`, { where });
    return context.enterError(at, lines, fault);
  }
  const own = label(context, puzzle, end) ?? label(context, mapped, map.to);
  return enter(context, at, lines, from, map, size, own);
}

/** Enters the puzzle whose cells start at `from` in `lines` lines from `at`, or what is wrong with its map. */
function enter(
  context: TextContext,
  at: number,
  lines: number,
  from: number,
  { map, from: offset }: LineMap,
  size: number,
  id?: string,
): number {
  if (isFault(map)) return context.enterError(at, lines, mapFault(map, offset + map.at, size));
  const { geometry, isDisconnected } = map;
  const notes: RecordNotes | undefined =
    id === undefined && !isDisconnected
      ? undefined
      : { ...(id !== undefined && { id }), ...(isDisconnected && { warnings: [REGION_DISCONNECTED] }) };
  return context.enterCells('jigsaw', geometry, at, lines, from, notes);
}

/**
 * Enters the puzzle at offset `from` of line `at`, with its map at offset `mapped`.
 *
 * @returns whether there is a map
 */
export function enterMapped(
  context: TextContext,
  at: number,
  from: number,
  mapped: number,
  size: number,
  id: string | undefined,
): boolean {
  const map = mapIn(context, mapped, mapped + size * size, size);
  if (map !== undefined) enter(context, at, 1, from, map, size, id);
  return map !== undefined;
}

/** The map that line `at` consists of, apart from a label. */
function mapOf(context: TextContext, at: number, size: number): LineMap | undefined {
  return mapIn(context, context.window.text[at], context.puzzleEnd(at), size);
}

/** The map in the bytes `from` to `to`. */
function mapIn(
  { window, sink, cells }: TextContext,
  from: number,
  to: number,
  size: number,
): LineMap | undefined {
  if (to - from < MIN_MAP_PART * size || to - from > 2 * size * size) return undefined;
  cells.clear();
  cells.addBytes(window.bytes, from, to);
  const map = sink.book.jigsawFromMap(cells.codes.subarray(0, cells.count), size);
  return map && { map, from, to };
}

function isPuzzle(context: TextContext, at: number, size: number): boolean {
  return context.puzzleEnd(at) - context.window.text[at] === size * size;
}

/** Whether line `at` may be a puzzle with cells too many or too few. */
function isNear(context: TextContext, at: number, size: number): boolean {
  return Math.abs(context.puzzleEnd(at) - context.window.text[at] - size * size) <= size;
}

/** The text of line `at` from a byte on. */
function label({ window }: TextContext, at: number, from: number): string | undefined {
  return trimmed(window.string(from, window.end[at]));
}

function trimmed(text: string): string | undefined {
  const start = text.replace(/^[\s,;:#]+/, '');
  let end = start.length;
  // An expression for the end would read each run of spaces once for each of them.
  while (end > 0 && /[\s,;:]/.test(start[end - 1])) end--;
  const found = start.slice(0, end);
  return found === '' ? undefined : found;
}

function halvesFault(offset: number, found: string, size: number): Fault {
  const advice = `a jigsaw on a line is its ${size * size} cells, and then for each the symbol of its region`;
  return makeFault('bad_regions', offset, found, `${size} regions of ${size} cells`, { advice });
}
