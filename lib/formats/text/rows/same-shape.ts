/**
 * The fast way through a file of grids: a puzzle that stands on its lines exactly like the one before, only with
 * other digits, is taken straight from the bytes.
 *
 *     5 3 . . 7 ...     cellOffset       0 2 4 6 8 ...     bytes that are cells: one table look-up each
 *     6 . . 1 9 ...     separatorOffset  1 3 5 7 ...       bytes that must be the same: spaces, line ends, bars
 *     ...
 *     Grid 02           following                          not taken, but must follow: the same but for its digits
 *
 * The shape holds the puzzle's lines and, where one follows, the blank line behind them; or a header or lone integer
 * must follow. That is all that the format looked at to read the puzzle, so bytes of the same shape would be read the
 * same way.
 */

import { type GridBuffer, NUMBER } from '../../cells/grid-buffer.ts';
import {
  type CellPlaces,
  fillNext,
  isPlainNow,
  isStraight,
  placesOf,
  standsAt,
} from '../../cells/straight-cells.ts';
import { isSameButBlank, type Layout } from '../../records/layout.ts';
import { isHeader } from '../headers/header.ts';
import { mayOverlapDrawn } from '../samurai/samurai-rows.ts';
import { DIGIT, KINDS, LETTER, type TextContext } from '../text-context.ts';

const CR = 13;
/** Shapes made in vain before they are given up for a file. */
const MOST_MISSES = 64;
/** Digits of a lone integer that is no row of any size. */
const FEW_DIGITS = 2;

/** How the last puzzle stood in its lines, its bytes counted from the start of the first one. */
export interface Shape extends CellPlaces {
  readonly layout: Layout;
  /** Lines of the puzzle, and lines of the shape: one more where a blank line follows. */
  readonly puzzleLines: number;
  readonly lines: number;
  /** What must stand directly before it, where nothing need stand behind it: another grid, or counted cells. */
  readonly behind: 'grid' | 'cells' | undefined;
  /** The line drawn directly above it. */
  readonly ruler: string | undefined;
  /** The line that follows, with its end; empty where the shape ends with a blank line or `behind` is set. */
  readonly following: Uint8Array;
  /** Rows of 16 or 36 cells: some cell must show that these are no small puzzles, a line each. */
  readonly large: boolean;
}

/**
 * Remembers the puzzle in `context.grid`, which was read from the lines `at` to `at + lines`.
 *
 * @param behind set where it was read without a look at the next line, since another puzzle came directly before
 * @param mapped whether the map of its regions is among the lines: it is of the same shape only with the same map
 */
export function rememberShape(
  context: TextContext,
  at: number,
  lines: number,
  behind: 'grid' | 'cells' | undefined,
  mapped = false,
): void {
  const { window, sink, grid } = context;
  context.shape = undefined;
  const layout = sink.current?.layout;
  // Where maps stand among the grids, only a puzzle with its map is known to have no other one behind it.
  if (layout === undefined || (context.regionMaps && !mapped) || context.shapeMisses > MOST_MISSES) return;
  const end = behind === undefined ? endBehind(context, at + lines) : { lines: 0, following: NOTHING };
  if (end === undefined) return;
  context.shapeMisses++;
  const wide = isWide(context, at, lines);
  if (!wide && !isStraight(sink, grid)) return;
  const start = window.start[at];
  const stop = window.lineAfter(at + lines + end.lines - 1);
  if (stop < 0 || window.bytes[stop - 1] === CR) return;
  const bytes = stop - start;
  const ruler = rulerAbove(context, window.number(at));
  const large = layout.format === 'rows' && sink.book.isLineOrRow(layout.geometry.size);
  context.shape = {
    ...placesOf(window.bytes, start, bytes, wide ? wideOffsets(grid) : grid.offset, grid.count, wide),
    layout,
    puzzleLines: lines,
    lines: lines + end.lines,
    behind,
    ruler,
    following: end.following,
    large,
  };
}

/**
 * Whether the grid in `context.grid`, drawn in the lines `at` to `at + lines`, has numbers of two digits among its cells,
 * and room for two in each: then grids drawn so differ in nothing else.
 */
function isWide({ window, sink, grid }: TextContext, at: number, lines: number): boolean {
  const { bytes, start, end } = window;
  const layout = sink.current?.layout;
  if (layout?.format !== 'boxed' || !isPlainNow(sink) || sink.book.isSize(2 * layout.geometry.size))
    return false;
  if (grid.count !== layout.geometry.cellCount || !window.has(at + lines) || window.tokens[at + lines] > 0)
    return false;
  const offsets = wideOffsets(grid);
  let cell = 0;
  let numbers = 0;
  for (let line = at; line < at + lines; line++) {
    const first = cell;
    for (; cell < grid.count && offsets[cell] < end[line]; cell++) {
      const offset = offsets[cell];
      if (offset < start[line] || (offset > start[line] && bytes[offset - 1] !== SPACE)) return false;
      if (grid.codes[cell] >= NUMBER) numbers++;
      else if (bytes[offset] !== SPACE) return false;
    }
    // Bars make a row what it is; without them, its groups do.
    if (cell > first && !bytes.subarray(start[line], end[line]).includes(BAR)) return false;
  }
  return cell === grid.count && numbers > 0;
}

/** Where cells of two bytes begin. */
function wideOffsets({ codes, offset, count }: GridBuffer): Int32Array {
  return Int32Array.from({ length: count }, (_, cell) =>
    codes[cell] >= NUMBER ? offset[cell] : offset[cell] - 1,
  );
}

const SPACE = 32;
const BAR = 124;

const NOTHING = new Uint8Array(0);

/** How a shape ends whose puzzle ends before line `at`: a blank line is part of it; undefined where it has no end. */
function endBehind(context: TextContext, at: number): { lines: number; following: Uint8Array } | undefined {
  const { window } = context;
  if (!window.has(at)) return undefined;
  if (context.isBlank(at)) return { lines: 1, following: NOTHING };
  const isNumber = context.isInteger(at) && window.end[at] - window.text[at] <= FEW_DIGITS;
  if (!isNumber && !isHeader(context, at)) return undefined;
  const after = window.lineAfter(at);
  if (after < 0 || window.bytes[after - 1] === CR) return undefined;
  return { lines: 0, following: window.bytes.slice(window.start[at], after) };
}

function rulerAbove({ ruler }: TextContext, line: number): string | undefined {
  return ruler?.nextLine === line ? ruler.text : undefined;
}

/** Takes puzzles of the same shape until the block is full or something else comes; whether any was taken. */
export function takeSameShape(context: TextContext): boolean {
  const { shape, window, sink } = context;
  if (shape === undefined) return false;
  const block = sink.current;
  if (block === undefined || !isSameButBlank(block.layout, shape.layout)) return false;
  const from = window.rawPosition();
  if (from < 0) return false;
  const number = window.number(window.head);
  if (shape.behind === 'grid' && context.gridEndLine !== number) return false;
  if (shape.behind === 'cells' && context.blind?.nextLine !== number) return false;
  if (rulerAbove(context, number) !== shape.ruler) return false;
  // What stands before a puzzle, a name or a drawn line, is for that one alone.
  const most = context.nextId !== undefined || shape.ruler !== undefined ? 1 : block.capacity;
  let line = number;
  let at = from;
  let taken = 0;
  while (taken < most && block.count < block.capacity) {
    if (!stands(shape, window.bytes, window.length, at)) break;
    if (!fillNext(sink, block, window.bytes, at, shape)) break;
    block.line[block.count] = line;
    block.lineEnd[block.count] = line + shape.puzzleLines - 1;
    block.count++;
    taken++;
    at += shape.bytes;
    line += shape.lines;
  }
  if (taken === 0) return false;
  if (context.nextId !== undefined) {
    const notes = context.named(block.notes.get(block.count - 1));
    if (notes !== undefined) block.notes.set(block.count - 1, notes);
  }
  context.shapeMisses = 0;
  if (shape.behind === 'cells') context.blind = { size: shape.layout.geometry.size, nextLine: line };
  else context.gridEndLine = line - shape.lines + shape.puzzleLines;
  if (shape.large) {
    context.run = { kind: 'rows', width: shape.layout.geometry.size, nextLine: context.gridEndLine };
  }
  window.skipTo(at, taken * shape.lines);
  sink.filled();
  return true;
}

/** Whether the bytes at `at` are of the shape, and what must follow does. */
function stands(shape: Shape, bytes: Uint8Array, length: number, at: number): boolean {
  const { following } = shape;
  const end = at + shape.bytes;
  if (end + following.length > length || !standsAt(shape, bytes, at)) return false;
  for (let k = 0; k < following.length; k++) {
    const byte = bytes[end + k];
    if (byte !== following[k] && !(KINDS[byte] & DIGIT && KINDS[following[k]] & DIGIT)) return false;
  }
  if (shape.wide === true && mayBeSamurai(shape, bytes, at)) return false;
  return !shape.large || hasLargeSymbol(shape, bytes, at);
}

/** Whether rows of cells of two bytes have so many characters that they could be parts of a samurai, asked for before. */
function mayBeSamurai({ layout, cellOffset }: Shape, bytes: Uint8Array, at: number): boolean {
  const { size } = layout.geometry;
  for (let cell = 0, row = 0; row < size; row++) {
    places[row] = size;
    for (const end = cell + size; cell < end; cell++)
      if (bytes[at + cellOffset[cell]] !== SPACE) places[row]++;
  }
  return mayOverlapDrawn(places, size);
}

const places = new Int32Array(36);

/** Whether some symbol goes beyond 4 (6): see `line-run.ts`. */
function hasLargeSymbol(shape: Shape, bytes: Uint8Array, at: number): boolean {
  const least = Math.sqrt(shape.layout.geometry.size);
  for (let cell = 0; cell < shape.cellOffset.length; cell++) {
    if (symbolValue(bytes[at + shape.cellOffset[cell]]) > least) return true;
  }
  return false;
}

/** The digit that a byte would be in a small puzzle: 1 to 9, or 1 to 26 for a letter; 0 for a blank. */
export function symbolValue(byte: number): number {
  const kind = KINDS[byte];
  if (kind & DIGIT) return byte - 48;
  return kind & LETTER && (byte | 0x20) !== 0x78 ? (byte | 0x20) - 96 : 0;
}
