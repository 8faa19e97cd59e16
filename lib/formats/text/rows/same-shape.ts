/**
 * The fast path for grids: a puzzle with the shape of the previous one, in which only the digits differ.
 *
 *     5 3 . . 7 ...     cellOffset       0 2 4 6 8 ...     bytes that are cells: one table look-up each
 *     6 . . 1 9 ...     separatorOffset  1 3 5 7 ...       bytes that must be the same: spaces, line ends, bars
 *     ...
 *     Grid 02           following                          not taken, but must follow: the same except for its digits
 *
 * The shape holds the puzzle's lines and the blank line after them, if any; otherwise a header, a lone integer or the end
 * of a list must follow. The recogniser read nothing else to recognise the puzzle, so it would read bytes of the same
 * shape the same way.
 */
import { CR } from '../../bytes/ascii.ts';
import { DIGIT, KINDS, LETTER, LINE_END, symbolValue } from '../../bytes/byte-kinds.ts';
import { Template } from '../../records/template.ts';
import type { FastPath } from '../fast-path.ts';
import { isClosingLine } from '../grids/line-tests.ts';
import { isHeader } from '../headers/header.ts';
import type { Example, Predecessor, TextContext } from '../text-context.ts';

/** Unused shapes after which no more are made for a file. */
const MAX_MISSES = 64;
/** Digits of a lone integer that is not a row of any size. */
const MAX_INTEGER_DIGITS = 2;

const NOTHING = new Uint8Array(0);

/** How a puzzle is written, its bytes counted from the start of its first line. */
interface Shape {
  readonly template: Template;
  readonly bytes: number;
  readonly puzzleLines: number;
  /** Lines of the puzzle and of the blank line after it, if any. */
  readonly lines: number;
  /** The required predecessor of the puzzle, if no line need follow it. */
  readonly after: Predecessor | undefined;
  /** The line drawn directly above it. */
  readonly ruler: string | undefined;
  /** The line that follows, with its end; empty if the shape ends with a blank line or `after` is set. */
  readonly following: Uint8Array;
  /** No line that is drawn may follow: it would belong to the puzzle. */
  readonly endsRows: boolean;
  /** Rows of 16 or 36 cells: some cell must show that they are not small puzzles, one per line. */
  readonly large: boolean;
}

export class SameShape implements FastPath {
  /** The shape of the last puzzle. */
  #shape: Shape | undefined;
  /** Shapes made since one was used. */
  #misses = 0;

  /** Remembers the shape of a puzzle, which is in `context.grid`. */
  remember(context: TextContext, example: Example): void {
    this.#shape = this.#shapeOf(context, example);
  }

  #shapeOf(
    context: TextContext,
    { at, lines, predecessor: after, mapped, drawn }: Example,
  ): Shape | undefined {
    const { window, sink, grid } = context;
    // If maps are among the grids, only a puzzle with its map is known to have no other map after it.
    if (context.maps.length > 0 && mapped !== true) return undefined;
    const ending = after === undefined ? endingOf(context, at + lines) : { lines: 0, following: NOTHING };
    if (ending === undefined) return undefined;
    const start = window.start[at];
    const stop = window.lineAfter(at + lines + ending.lines - 1);
    if (stop < 0 || window.bytes[stop - 1] === CR) return undefined;
    const ruler = context.rulerAbove(window.number(at));
    const last = this.#shape;
    const isLast =
      last?.puzzleLines === lines && last.after === after && last.ruler === ruler && last.template.fits(sink);
    if (isLast && hasShape(last, window.bytes, window.length, start) && last.bytes === stop - start)
      return last;
    if (this.#misses > MAX_MISSES) return undefined;
    this.#misses++;
    // Each cell must be one byte.
    for (let cell = 0; cell < grid.count; cell++) if (grid.codes[cell] > 255) return undefined;
    const template = Template.of(sink, window.bytes, start, stop, {
      cells: grid.offset.subarray(0, grid.count),
    });
    if (template === undefined) return undefined;
    const { format, geometry } = template.layout;
    return {
      template,
      bytes: stop - start,
      puzzleLines: lines,
      lines: lines + ending.lines,
      after,
      ruler,
      following: ending.following,
      endsRows: drawn === true && after !== undefined,
      large: format === 'rows' && sink.book.isLineOrRow(geometry.size),
    };
  }

  take(context: TextContext): boolean {
    const { window, sink } = context;
    const shape = this.#shape;
    if (shape === undefined) return false;
    if (!shape.template.fits(sink)) return false;
    const from = window.rawPosition();
    if (from < 0) return false;
    const number = window.number(window.head);
    // No grid starts after a line that may be a row of a damaged one.
    if (context.rowEndLine === number) return false;
    if (shape.after === 'grid' && context.gridEndLine !== number) return false;
    if (shape.after === 'unlined' && context.unlined?.nextLine !== number) return false;
    if (context.rulerAbove(number) !== shape.ruler) return false;
    // A name or a ruler before a puzzle applies to that puzzle alone.
    const isOne = context.nextId !== undefined || shape.ruler !== undefined;
    let block = sink.currentBlock;
    let line = number;
    let at = from;
    while (hasShape(shape, window.bytes, window.length, at) && shape.template.fill(sink, window.bytes)) {
      block ??= sink.currentBlock!;
      block.line[block.count] = line;
      block.lineEnd[block.count] = line + shape.puzzleLines - 1;
      block.count++;
      at += shape.bytes;
      line += shape.lines;
      if (isOne || block.count === block.capacity) break;
    }
    if (block === undefined || line === number) return false;
    if (context.nextId !== undefined) {
      const notes = context.named(block.notes.get(block.count - 1));
      if (notes !== undefined) block.notes.set(block.count - 1, notes);
    }
    this.#misses = 0;
    const { size } = block.geometry;
    if (shape.after === 'unlined') context.unlined = { size, nextLine: line };
    else if (shape.after !== 'none') context.gridEndLine = line - shape.lines + shape.puzzleLines;
    if (shape.large) context.run = { kind: 'rows', width: size, nextLine: context.gridEndLine };
    window.skipTo(at, line - number);
    sink.finishIfFull();
    return true;
  }
}

/**
 * The end of the shape of a puzzle that ends before line `at`: a blank line, which is part of it, or a header, a lone
 * integer or the end of a list that must follow; undefined if anything else follows.
 */
function endingOf(context: TextContext, at: number): { lines: number; following: Uint8Array } | undefined {
  const { window } = context;
  if (!window.hasArrived(at)) return undefined;
  const line = context.line(at);
  if (line.isBlank) return { lines: 1, following: NOTHING };
  const isNumber = line.isInteger && line.length <= MAX_INTEGER_DIGITS;
  if (!isNumber && !isHeader(line) && !isClosingLine(line)) return undefined;
  const after = window.lineAfter(at);
  if (after < 0 || window.bytes[after - 1] === CR) return undefined;
  return { lines: 0, following: window.bytes.slice(window.start[at], after) };
}

/** Whether the bytes at `at` have the shape, and the bytes that must follow do. */
function hasShape(shape: Shape, bytes: Uint8Array, length: number, at: number): boolean {
  const { following, template } = shape;
  const end = template.match(bytes, at, length);
  if (end < 0 || end + following.length > length) return false;
  for (let k = 0; k < following.length; k++) {
    const byte = bytes[end + k];
    if (byte !== following[k] && !(KINDS[byte] & DIGIT && KINDS[following[k]] & DIGIT)) return false;
  }
  if (shape.endsRows && !hasCells(bytes, end, length)) return false;
  return !shape.large || hasLargeSymbol(shape, bytes);
}

/** Whether the line at `from` has a digit or a letter. */
function hasCells(bytes: Uint8Array, from: number, length: number): boolean {
  let at = from;
  while (at < length && (KINDS[bytes[at]] & (DIGIT | LETTER | LINE_END)) === 0) at++;
  return at < length && (KINDS[bytes[at]] & LINE_END) === 0;
}

/** Whether some symbol is beyond 4 (6): see `judge.ts`. */
function hasLargeSymbol({ template }: Shape, bytes: Uint8Array): boolean {
  const { size, cellCount } = template.layout.geometry;
  let cell = 0;
  while (cell < cellCount && symbolValue(bytes[template.cellAt(cell)]) <= Math.sqrt(size)) cell++;
  return cell < cellCount;
}
