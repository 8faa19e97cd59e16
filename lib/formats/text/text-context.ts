/** The data that the recognisers share while a file is read: its lines, the sink of its records, the place in it. */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { HASH, SEMICOLON } from '../bytes/ascii.ts';
import { DIGIT, KINDS, SEPARATOR } from '../bytes/byte-kinds.ts';
import { characterAt, excerptIn } from '../bytes/byte-text.ts';
import type { LineWindow } from '../bytes/line-window.ts';
import { isCodeComment, semicolonCells } from '../cells/comments.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import { isHashLine } from '../cells/hash-blanks.ts';
import { CommentLog } from '../records/comment-log.ts';
import { errorAt, type Fault, makeFault } from '../records/fault.ts';
import type { Cells, GridPlace } from '../records/found.ts';
import type { ParseError, RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import type { LastDrawing } from './drawings/drawing.ts';
import { isSolutionHeading, MAX_HEADING, namesSolution, withSolution } from './headers/solution.ts';
import type { MapPlace } from './maps/map-place.ts';
import { LineShapes } from './shape/line-shapes.ts';

/** How lines of 16 (36) cells are read: as rows of a 16x16 (36x36), as a whole 4x4 (6x6) each, or either. */
export type RunKind = 'rows' | 'lines' | 'both';

/** Digits of a lone integer. */
const MAX_DIGITS = 9;
/** Cells of the smallest puzzle after which a `#` starts a comment without a space before it. */
const MIN_HASH_CELLS = 81;

/** How a grid is written; cells are adjacent and all of its lines are its own unless it says otherwise. */
type GridForm = Pick<GridPlace, 'format' | 'geometry'> & Partial<GridPlace>;

/** What the head of a file says about its text; plain data. */
export interface TextSettings {
  /** Where the region maps among the grids are. */
  readonly regionMaps?: readonly MapPlace[];
  /** The file has a puzzle a line, most of this size: then each unreadable line is a record. */
  readonly lineSize?: number;
  /** Headings with solutions follow some puzzles. */
  readonly hasSolutions?: boolean;
}

/** What another reader must know to continue, as plain data: lines are numbers in the file. */
const MEMORY = [
  'stopped',
  'nextId',
  'rule',
  'firstLine',
  'gridEndLine',
  'rowEndLine',
  'ruler',
  'run',
  'unlined',
  'lastCount',
  'openLists',
] as const;
export type ContextState = Partial<Pick<TextContext, (typeof MEMORY)[number]>>;

/** The last puzzle, if others may be written like it; see `same-shape.ts`. */
export interface Example {
  readonly at: number;
  readonly lines: number;
  /** Set if it was read without the next line, because another puzzle directly precedes it. */
  readonly predecessor: Predecessor | undefined;
  /** The map of its regions is among the lines: then the same shape has the same map. */
  readonly mapped?: boolean;
}

/**
 * A puzzle directly before another one: a grid of rows, or cells that were counted without regard to lines. A puzzle that is
 * a line, and no row of any grid, needs none.
 */
export type Predecessor = 'grid' | 'unlined' | 'none';

export class TextContext {
  readonly window: LineWindow;
  readonly sink: RecordSink;
  /** The user's `--format`, if any. */
  readonly only: string | undefined;
  /** Where the region maps among the grids are; empty if there are none. */
  readonly maps: readonly MapPlace[];
  readonly lineSize: number | undefined;
  readonly hasSolutions: boolean;
  readonly comments = new CommentLog();
  /** What is known of the last lines. */
  readonly lines: LineShapes;
  /** Scratch: the grid being read. */
  readonly grid = new GridBuffer();
  /** Scratch: cells of several puzzles. */
  readonly cells = new GridBuffer();

  /** The name of the next puzzle, from a header. */
  nextId: string | undefined;
  /** A rule or a variant that a heading names: it makes the puzzles up to the next such heading unreadable. */
  rule: string | undefined;
  /** A line of the file says that nothing more is read. */
  stopped = false;
  /** Number of the line after the last grid of rows: a grid may start there without a blank line before it. */
  gridEndLine = 0;
  /** Number of the line after an unreadable line that may be a row: no grid starts there. */
  rowEndLine = 0;
  /** Number of the file's first line with text that is not a comment. */
  firstLine: number | undefined;
  /** The last ruler above a grid, and the number of the line after it. */
  ruler: { readonly text: string; readonly nextLine: number } | undefined;
  /** How the last run of lines of characters is read, and the number of the line after those that were read. */
  run: { readonly kind: RunKind; readonly width: number; readonly nextLine: number } | undefined;
  /** Size of the last puzzle whose cells were counted without regard to lines, and the number of the line after it. */
  unlined: { readonly size: number; readonly nextLine: number } | undefined;
  /** The last integer that was read as a count. */
  lastCount: number | undefined;
  /** Lines that opened a list, less those that closed one. */
  openLists = 0;
  lastDrawing: LastDrawing | undefined;
  /** Set by a recogniser; the reader takes it. */
  example: Example | undefined;

  /** Number of the last line passed to `puzzleEnd`, and the length of its puzzle. */
  #puzzleLine = 0;
  #puzzleLength = 0;

  constructor(window: LineWindow, sink: RecordSink, settings: TextSettings, only?: string) {
    this.window = window;
    this.sink = sink;
    this.lines = new LineShapes(window, sink.book);
    this.only = only;
    this.maps = settings.regionMaps ?? [];
    this.lineSize = settings.lineSize;
    this.hasSolutions = settings.hasSolutions === true;
  }

  state(): ContextState {
    return Object.fromEntries(MEMORY.map((name) => [name, this[name]]));
  }

  restore(state: ContextState): void {
    Object.assign(this, state);
  }

  /** The ruler directly above line `line` of the file, if any. */
  rulerAbove(line: number): string | undefined {
    return this.ruler?.nextLine === line ? this.ruler.text : undefined;
  }

  /** Remembers the ruler in line `at`, for a grid that starts on the next line. */
  setRuler(at: number): void {
    const { window } = this;
    const text = window.string(window.start[at], window.end[at]);
    this.ruler = { text, nextLine: window.number(at) + 1 };
  }

  /** Whether line `at` may be a later row of a damaged grid, whose first rows are records of their own. */
  followsRow(at: number): boolean {
    return this.rowEndLine === this.window.number(at);
  }

  /** Whether line `at` has no text. */
  isBlank(at: number): boolean {
    return this.window.tokens[at] === 0;
  }

  /** Whether line `at` is a comment: it starts with `#`, `;`, or a sign of program code. */
  isComment(at: number): boolean {
    const { text, end, tokens } = this.window;
    return tokens[at] > 0 && this.isCommentText(text[at], end[at], this.window.isLong(at));
  }

  /** Whether a line with the text `from` to `end` (exclusive) is a comment. */
  isCommentText(from: number, end: number, isLong = false): boolean {
    if (!this.#hasCommentSign(from, end, isLong)) return false;
    if (end - from > MAX_HEADING || !namesSolution(this.window.bytes, from, end)) return true;
    return !isSolutionHeading(this.lines.raw(from, end));
  }

  #hasCommentSign(from: number, end: number, isLong: boolean): boolean {
    const { bytes } = this.window;
    if (bytes[from] === HASH) return isLong || !isHashLine(bytes, from, end, this.sink.book);
    if (bytes[from] !== SEMICOLON) return isCodeComment(bytes, from, end);
    const cells = isLong ? 0 : semicolonCells(this.lines.raw(from, end));
    const { book } = this.sink;
    const isRow = (count: number) => book.isSize(count) || book.sizeOfCells(count) !== undefined;
    // A separator may end the row as well.
    return cells === 0 || !(isRow(cells) || isRow(cells - 1));
  }

  /** Offset after the puzzle that line `at` starts with: the first separator, or the end of the first token. */
  puzzleEnd(at: number): number {
    const { bytes, text, tokenEnd, kinds } = this.window;
    const from = text[at];
    const number = this.window.number(at);
    // Several recognisers check the same line.
    if (this.#puzzleLine === number) return from + this.#puzzleLength;
    const end = tokenEnd[at];
    let byte = from;
    if ((kinds[at] & SEPARATOR) === 0) byte = end;
    while (byte < end && (KINDS[bytes[byte]] & SEPARATOR) === 0) byte++;
    byte = this.#beforeHash(from, byte);
    this.#puzzleLine = number;
    this.#puzzleLength = byte - from;
    return byte;
  }

  /** Offset of a `#` directly after a puzzle, as of a comment: `53..7....#easy`; `end` if there is none. */
  #beforeHash(from: number, end: number): number {
    const { bytes } = this.window;
    const { book } = this.sink;
    if (end - from <= MIN_HASH_CELLS) return end;
    if (book.sizeOfCells(end - from) !== undefined) return end;
    let byte = from;
    while (byte < end && bytes[byte] !== HASH) byte++;
    return byte - from >= MIN_HASH_CELLS && book.sizeOfCells(byte - from) !== undefined ? byte : end;
  }

  /**
   * Enters the grid in `grid`, or its error.
   *
   * @returns whether it is a puzzle without its own notes; a header may have named it
   */
  enterGrid(form: GridForm, at: number, lines: number, notes?: RecordNotes): boolean {
    return this.enter(this.grid, form, at, lines, notes);
  }

  /** Enters the grid whose cells are the bytes from `from` on, in `lines` lines from `at`, or its error. @returns `lines` */
  enterCells(
    format: string,
    geometry: Geometry,
    at: number,
    lines: number,
    from: number,
    notes?: RecordNotes,
  ): number {
    this.enter({ bytes: this.window.bytes, from }, { format, geometry }, at, lines, notes);
    return lines;
  }

  /** Enters a grid in `lines` lines from `at`, or its error; see `enterGrid`. */
  enter(cells: Cells, form: GridForm, at: number, lines: number, stated: RecordNotes | undefined): boolean {
    const line = this.window.number(at);
    const isAlone = form.line === undefined || (form.line === line && form.lineEnd === line + lines - 1);
    const own = this.hasSolutions && isAlone ? withSolution(this, at + lines, form.geometry, stated) : stated;
    const notes = this.named(own);
    if (this.rule !== undefined) {
      // The lines are a puzzle below a heading with that rule.
      const named = `a heading that names ${this.rule}`;
      const expected = 'a puzzle given by its givens alone';
      this.enterError(
        at,
        lines,
        makeFault('unsupported_variant', this.window.text[at], named, expected),
        notes,
      );
      return false;
    }
    const { format, geometry, spaced, arrangement } = form;
    const fault = this.sink.enter({
      format,
      geometry,
      spaced,
      arrangement,
      line: form.line ?? line,
      lineEnd: form.lineEnd ?? line + lines - 1,
      cells,
      notes,
    });
    if (fault === undefined) return own === undefined;
    const { at: offset, isQuote, found } = fault;
    const isText = isQuote && offset < this.window.length && this.window.bytes[offset] > 127;
    const where = isQuote ? `in a ${geometry.size}x${geometry.size} puzzle` : fault.where;
    this.enterError(at, lines, { ...fault, found: isText ? this.characterAt(offset) : found, where }, notes);
    return false;
  }

  /**
   * Enters `lines` lines from `at`, which should have been a puzzle, as an error; it is at an offset in the window.
   *
   * @returns `lines`
   */
  enterError(at: number, lines: number, fault: Fault, notes?: RecordNotes): number {
    const first = this.window.number(at);
    const stated = { ...this.named(notes), text: this.excerpt(at, lines) };
    this.sink.enterError(this.errorOf(fault, at, lines), first, first + lines - 1, stated);
    return lines;
  }

  /** The text of `lines` lines from `at`, or its beginning. */
  excerpt(at: number, lines: number): string {
    const { bytes, start, end } = this.window;
    return excerptIn(bytes, start[at], end[at + lines - 1]);
  }

  /** A fault in `lines` lines from `at`, with its place in the file. */
  errorOf(fault: Fault, at: number, lines = 1): ParseError {
    const line = this.lineOf(fault.at, at, lines);
    return errorAt({ line: this.window.number(line), column: this.window.column(line, fault.at) }, fault);
  }

  /** Whether line `at` is a lone integer of at most nine digits. */
  isInteger(at: number): boolean {
    const { text, end, kinds } = this.window;
    return kinds[at] === DIGIT && end[at] - text[at] <= MAX_DIGITS;
  }

  /** The first character of line `at` that no grid has; the line's first character if there is none. */
  strayCharacter(at: number): { offset: number; found: string } {
    const { text, end } = this.window;
    return this.strayIn(text[at], end[at]) ?? { offset: text[at], found: this.characterAt(text[at]) };
  }

  /** The first character between two offsets that no grid has. */
  strayIn(from: number, to: number): { offset: number; found: string } | undefined {
    const at = this.lines.raw(from, to).search(/[^\w.*?# \t-]/);
    return at < 0 ? undefined : { offset: from + at, found: this.characterAt(from + at) };
  }

  /** Whether only blank lines and comments follow from line `at` on. */
  isLast(at: number): boolean {
    return this.nextText(at) === undefined && this.window.ended;
  }

  /** The first line from `at` on with text that is no comment; undefined if there is none. */
  nextText(at: number): number | undefined {
    let line = at;
    for (; this.window.has(line); line++) if (!this.isBlank(line) && !this.isComment(line)) return line;
    return undefined;
  }

  /** The line, among `lines` from `at`, that holds the byte at `offset`. */
  lineOf(offset: number, at: number, lines: number): number {
    let line = at;
    while (line + 1 < at + lines && this.window.start[line + 1] <= offset) line++;
    return line;
  }

  /** The whole UTF-8 character of the byte at `offset`. */
  characterAt(offset: number): string {
    return characterAt(this.window.bytes, offset, this.window.length);
  }

  /** Notes with the name from a header; the name applies to one record. */
  named(notes: RecordNotes | undefined): RecordNotes | undefined {
    if (this.nextId === undefined) return notes;
    const id = this.nextId;
    this.nextId = undefined;
    return { id, ...notes };
  }
}
