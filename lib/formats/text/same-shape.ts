/**
 * The fast way through a file of grids: a puzzle that stands on its lines exactly like the one before, only with
 * other digits, is taken straight from the bytes.
 *
 *     5 3 . . 7 ...     cellOffset       0 2 4 6 8 ...     bytes that are cells: one table look-up each
 *     6 . . 1 9 ...     separatorOffset  1 3 5 7 ...       bytes that must be the same: spaces, line ends
 *
 * The shape holds the puzzle's lines and, where one follows, the blank line behind them. That is all that the format
 * looked at to read the puzzle, so bytes of the same shape would be read the same way.
 */
import { type Decoding, NO_VALUE } from '../cell-decoder.ts';
import type { Layout } from '../layout.ts';
import { CELL, DIGIT, KINDS, LETTER, type TextContext } from './text-context.ts';

const CR = 13;
/** Values of larger sizes could not be told from `NO_VALUE` by their bits. */
const LARGEST_SIZE = 127;
/** Shapes made in vain before they are given up for a file. */
const MOST_MISSES = 64;

/** How the last puzzle stood in its lines. */
export interface Shape {
  readonly layout: Layout;
  readonly decoding: Decoding;
  /** Bytes from the first cell's line on. */
  readonly bytes: number;
  /** Lines of the puzzle, and lines of the shape: one more where a blank line follows. */
  readonly puzzleLines: number;
  readonly lines: number;
  /** What must stand directly before it, where no blank line stands behind it: another grid, or counted cells. */
  readonly behind: 'grid' | 'cells' | undefined;
  readonly cellOffset: Int32Array;
  readonly separatorOffset: Int32Array;
  readonly separator: Uint8Array;
  /** Rows of 16 or 36 cells: some cell must show that these are no small puzzles, a line each. */
  readonly large: boolean;
}

/**
 * Remembers the puzzle in `context.grid`, which was read from the lines `at` to `at + lines`.
 *
 * @param behind set where it was read without a look at the next line, since another puzzle came directly before
 */
export function rememberShape(
  context: TextContext,
  at: number,
  lines: number,
  behind: 'grid' | 'cells' | undefined,
): void {
  const { window, sink, grid } = context;
  context.shape = undefined;
  const layout = sink.current?.layout;
  if (context.regionMaps || !sink.mayHurry) return;
  if (layout === undefined || context.shapeMisses > MOST_MISSES) return;
  const { size, cellCount } = layout.geometry;
  const decoding = sink.decoder.last(size);
  if (decoding === undefined || !isPlain(decoding, layout) || grid.count !== cellCount) return;
  if (behind === undefined && !(window.has(at + lines) && context.isBlank(at + lines))) return;
  context.shapeMisses++;
  for (let cell = 0; cell < cellCount; cell++) if (grid.codes[cell] > 255) return;
  const covered = behind === undefined ? lines + 1 : lines;
  const start = window.start[at];
  const end = window.lineAfter(at + covered - 1);
  if (end < 0 || window.bytes[end - 1] === CR) return;
  const cellOffset = new Int32Array(cellCount);
  const isCell = new Uint8Array(end - start);
  for (let cell = 0; cell < cellCount; cell++) {
    cellOffset[cell] = grid.offset[cell] - start;
    isCell[cellOffset[cell]] = 1;
  }
  const separatorOffset = new Int32Array(end - start - cellCount);
  const separator = new Uint8Array(separatorOffset.length);
  for (let offset = 0, k = 0; offset < end - start; offset++) {
    if (isCell[offset] === 1) continue;
    separatorOffset[k] = offset;
    separator[k++] = window.bytes[start + offset];
  }
  context.shape = {
    layout,
    decoding,
    bytes: end - start,
    puzzleLines: lines,
    lines: covered,
    behind,
    cellOffset,
    separatorOffset,
    separator,
    large: layout.format === 'rows' && (size === 16 || size === 36),
  };
}

/** Takes puzzles of the same shape until the block is full or something else comes; whether any was taken. */
export function takeSameShape(context: TextContext): boolean {
  const { shape, window, sink } = context;
  if (shape === undefined || context.nextId !== undefined) return false;
  const block = sink.current;
  if (block === undefined || block.layout !== shape.layout) return false;
  const from = window.rawPosition();
  if (from < 0) return false;
  const number = window.number(window.head);
  if (shape.behind === 'grid' && context.gridEndLine !== number) return false;
  if (shape.behind === 'cells' && context.blind?.nextLine !== number) return false;
  const { bytes, length } = window;
  const { capacity } = block;
  let line = number;
  let at = from;
  let taken = 0;
  while (
    block.count < capacity &&
    at + shape.bytes <= length &&
    fill(shape, bytes, at, block.cells, block.count)
  ) {
    block.line[block.count] = line;
    block.lineEnd[block.count] = line + shape.puzzleLines - 1;
    block.count++;
    taken++;
    at += shape.bytes;
    line += shape.lines;
  }
  if (taken === 0) return false;
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

/** Puts the cells at `at` into place `index` of a block; false where the bytes are of another shape. */
function fill(shape: Shape, bytes: Uint8Array, at: number, cells: Uint8Array, index: number): boolean {
  const { separatorOffset, separator, cellOffset } = shape;
  for (let k = 0; k < separatorOffset.length; k++) {
    if (bytes[at + separatorOffset[k]] !== separator[k]) return false;
  }
  const { table } = shape.decoding;
  const base = index * cellOffset.length;
  let seen = 0;
  for (let cell = 0; cell < cellOffset.length; cell++) {
    const value = table[bytes[at + cellOffset[cell]]];
    cells[base + cell] = value;
    seen |= value;
  }
  if (seen >= NO_VALUE) return false;
  return !shape.large || hasLargeSymbol(shape, bytes, at);
}

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

/** Whether whatever fits the decoding's table is a puzzle of exactly that layout, without a word to say. */
export function isPlain(decoding: Decoding, layout: Layout): boolean {
  return (
    layout.geometry.size <= LARGEST_SIZE &&
    decoding.reusable &&
    decoding.warnings === undefined &&
    decoding.alphabet === layout.alphabet &&
    decoding.blank === layout.blank &&
    KINDS[decoding.blank.charCodeAt(0)] === CELL + (decoding.blank === '0' ? DIGIT : 0)
  );
}
