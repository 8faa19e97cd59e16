/**
 * Jigsaws on lines: the puzzle, and the map of its regions, n symbols n times each. The map is on the same line, directly
 * after the puzzle or after white space, a comma, a semicolon or a colon; or it is the line below or above, if the head of
 * the file has maps there (`map-survey.ts`).
 *
 *     3.......4..2.6.1...1.9.8.2...5...6...2.....1...9...8...8.3.4.6...4.1.9..5.......7aaabbbcccadd...
 *
 * Solutions are lines without the map. A map that is wrong is `bad_regions`, and the puzzle is never read without it.
 */

import { CELL, HASHES, KINDS, kindsIn, SEPARATOR, SPACE } from '../../bytes/byte-kinds.ts';
import { isFault, REGION_DISCONNECTED, type RegionFault } from '../../cells/regions.ts';
import { makeFault } from '../../records/fault.ts';
import { type MappedJigsaw, sizeOfSquare } from '../../records/layout-book.ts';
import { writeLine } from '../../writing/grid-drawing.ts';
import { isHeader } from '../headers/header.ts';
import type { MapPlace } from '../maps/map-place.ts';
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
      const lines = place.form === 'line' ? matchTwoLines(context, at, place) : NO;
      if (lines !== NO) return lines;
    }
    return NO;
  },
  writer: { multiLine: false, write: writeLine },
};

const MIN_SIZE = 4;
/** Rows of a damaged map that is recognised as one. */
const MIN_MAP_PART = 2;

/** A token of a line that is a region map, or resembles one. */
interface LineMap {
  readonly map: MappedJigsaw | RegionFault;
  readonly from: number;
  readonly to: number;
}

/** A puzzle and its map on one line. */
function matchOneLine(context: TextContext, at: number): number {
  const { window } = context;
  const { bytes } = window;
  const [from, last] = [window.text[at], window.end[at]];
  const end = context.puzzleEnd(at);
  // Jigsaws need no boxes, so any size is valid.
  const size = sizeOfSquare(end - from);
  const joined = size === undefined ? matchJoined(context, at, from, end) : NO;
  if (joined !== NO || end === last) return joined;
  const second = tokenStart(bytes, end, last);
  for (let start = second; size !== undefined && start < last; ) {
    const stop = tokenStop(bytes, start, last);
    const map = mapIn(context, start, stop, size);
    if (map !== undefined) {
      const id = label(context, at, stop) ?? textBetween(context, end, start);
      return enter(context, at, 1, from, map, size, id);
    }
    start = tokenStart(bytes, stop, last);
  }
  // The map may precede the puzzle, and have cells too many or too few.
  const stop = tokenStop(bytes, second, last);
  const puzzleSize = sizeOfSquare(stop - second);
  if (puzzleSize === undefined || (size !== undefined && size !== puzzleSize)) return NO;
  const map = mapIn(context, from, end, puzzleSize);
  return map === undefined ? NO : enter(context, at, 1, second, map, puzzleSize, label(context, at, stop));
}

/** A puzzle and its map without a separator, in either order. */
function matchJoined(context: TextContext, at: number, from: number, end: number): number {
  const { bytes } = context.window;
  const size = Math.round(Math.sqrt((end - from) / 2));
  const missing = 2 * size * size - (end - from);
  if (size < MIN_SIZE || Math.abs(missing) > size || isSeparated(context, from, end, size)) return NO;
  const middle = from + size * size;
  // A sign between the two separates them.
  if (missing === -1 && (KINDS[bytes[middle]] & CELL) === 0) return NO;
  const second = mapIn(context, middle, end, size);
  const first = missing === 0 && second === undefined ? mapIn(context, from, middle, size) : undefined;
  const map = second ?? first;
  if (missing === 0 && map !== undefined) {
    return enter(context, at, 1, map === first ? middle : from, map, size, label(context, at, end));
  }
  // Two joined halves of a usual length are nothing else.
  const areHalves = end === context.window.end[at] && context.sink.book.isSize(size);
  if (missing === 0 ? !areHalves : map === undefined) return NO;
  const found =
    missing === 0 ? 'a map whose regions are not all of one piece and size' : `${end - from} characters`;
  const advice = `a jigsaw on a line is its ${size * size} cells, and then for each the symbol of its region`;
  const expected = `${size} regions of ${size} cells`;
  const fault = makeFault('bad_regions', missing === 0 ? middle : from, found, expected, { advice });
  return context.enterError(at, 1, fault);
}

/** A puzzle and its map in two lines, of which one is line `at`. */
function matchTwoLines(context: TextContext, at: number, { size, place, every }: MapPlace): number {
  const { window } = context;
  const own = mapOf(context, at, size);
  const next = context.nextText(at + 1);
  const nextMap = next === undefined ? undefined : mapOf(context, next, size);
  const refuse = (last: number, puzzle = at) =>
    context.enterError(at, last + 1 - at, missingMap(context, puzzle, size, place));
  const isPuzzle = (line: number) => context.puzzleEnd(line) - window.text[line] === size * size;
  const isText = next !== undefined && !isHeader(context, next);
  if (place === 'below') {
    if (own !== undefined) return context.enterError(at, 1, missingPuzzle(context, at, size, place));
    if (nextMap !== undefined) return enterPair(context, at, next!, at, nextMap, size);
    if (!isPuzzle(at)) return NO;
    if (isText && !isPuzzle(next)) {
      // A line between the puzzle and its map, or in the place of a map, cannot be left out silently.
      const after = context.nextText(next + 1);
      const isLater = after !== undefined && mapOf(context, after, size) !== undefined;
      const length = context.puzzleEnd(next) - window.text[next];
      if (isLater && Math.abs(length - size * size) > size) return refuse(after);
      if (!isLater && (every || next === at + 1)) return refuse(next);
    }
    return every ? refuse(at) : NO;
  }
  const follows = isText && nextMap === undefined;
  if (own !== undefined && follows) return enterPair(context, at, next, next, own, size);
  if (own !== undefined) return context.enterError(at, 1, missingPuzzle(context, at, size, place));
  if (!every) return NO;
  if (isPuzzle(at)) return refuse(at);
  // A line in the place of a map.
  return follows && isPuzzle(next) ? refuse(next, next) : NO;
}

/** Enters lines `at` to `last`, of which `puzzle` should be the puzzle, and the other one is its map. */
function enterPair(
  context: TextContext,
  at: number,
  last: number,
  puzzle: number,
  map: LineMap,
  size: number,
): number {
  const from = context.window.text[puzzle];
  const end = context.puzzleEnd(puzzle);
  const lines = last + 1 - at;
  if (end - from === size * size) {
    const mapped = puzzle === at ? last : at;
    const id = label(context, puzzle, end) ?? label(context, mapped, map.to);
    return enter(context, at, lines, from, map, size, id);
  }
  const where = `of a ${size}x${size} puzzle next to a region map`;
  const found = `${end - from} characters`;
  const fault = makeFault('bad_length', from, found, `${size * size} characters`, { where });
  return context.enterError(at, lines, fault);
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
  const notes = {
    ...(id !== undefined && { id }),
    ...(isDisconnected && { warnings: [REGION_DISCONNECTED] }),
  };
  const own = Object.keys(notes).length === 0 ? undefined : notes;
  return context.enterCells('jigsaw', geometry, at, lines, from, own);
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
function mapIn(context: TextContext, from: number, to: number, size: number): LineMap | undefined {
  const { window, sink, cells } = context;
  if (to - from < MIN_MAP_PART * size || to - from > 2 * size * size) return undefined;
  cells.clear();
  cells.addBytes(window.bytes, from, to);
  const map = sink.book.jigsawFromMap(cells.codes.subarray(0, cells.count), size);
  return map && { map, from, to };
}

/** Start of the next token, from a byte on. */
function tokenStart(bytes: Uint8Array, from: number, end: number): number {
  let byte = from;
  while (byte < end && STOPS[bytes[byte]] === 1) byte++;
  return byte;
}

/** End of the token that starts at `from`. */
function tokenStop(bytes: Uint8Array, from: number, end: number): number {
  let byte = from;
  while (byte < end && STOPS[bytes[byte]] === 0) byte++;
  return byte;
}

/** By byte: 1 if it ends a token. */
const STOPS = KINDS.map((kind, byte) => (byte <= 32 || kind & SEPARATOR ? 1 : 0));

/** The text of line `at` from a byte on. */
function label(context: TextContext, at: number, from: number): string | undefined {
  return textBetween(context, from, context.window.end[at]);
}

/** The text between two offsets; most have none. */
function textBetween({ window }: TextContext, from: number, to: number): string | undefined {
  const kinds = kindsIn(window.bytes, from, to) & ~(SPACE | SEPARATOR | HASHES);
  return kinds === 0 ? undefined : trimmed(window.string(from, to));
}

function trimmed(text: string): string | undefined {
  const start = text.replace(/^[\s,;:#]+/, '');
  let end = start.length;
  // An expression for the end would read each run of spaces once for each of them.
  while (end > 0 && /[\s,;:]/.test(start[end - 1])) end--;
  return end === 0 ? undefined : start.slice(0, end);
}
