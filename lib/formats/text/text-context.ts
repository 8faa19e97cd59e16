/** What the formats of text share while a file is read: its lines, where records go, and what was seen so far. */
import { ByteBuffer } from '../bytes/byte-buffer.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import type { CellPlaces } from '../cells/straight-cells.ts';
import type { ParseError, ParseErrorCode, RecordNotes } from '../records/record-block.ts';
import type { GridPlace, RecordSink } from '../records/record-sink.ts';
import type { LineWindow } from './line-window.ts';
import type { RowShape } from './rows/row-grids.ts';
import type { Shape } from './rows/same-shape.ts';
import { TokenRows } from './tokens/token-rows.ts';
import type { Stretch } from './unreadable.ts';

/** Kinds of bytes. */
export const CELL = 1;
export const DIGIT = 2;
export const LETTER = 4;
/** Ends a puzzle on a line, besides white space. */
export const SEPARATOR = 8;
/** Parts tokens on a line. */
export const SPACE = 16;
const kinds = new Uint8Array(256);
for (const character of '.*_-?') kinds[character.charCodeAt(0)] = CELL;
for (const character of ',;:') kinds[character.charCodeAt(0)] = SEPARATOR;
for (const character of ' \t\v\f') kinds[character.charCodeAt(0)] = SPACE;
for (let digit = 48; digit <= 57; digit++) kinds[digit] = CELL | DIGIT;
for (let letter = 65; letter <= 90; letter++) kinds[letter] = kinds[letter + 32] = CELL | LETTER;

/** `KINDS[byte]`: what a byte may be in a grid. */
export const KINDS: Readonly<Uint8Array> = kinds;

/** Of a lone integer. */
const MOST_DIGITS = 9;

/** Why lines could not be read. */
export interface TextFault {
  readonly code: ParseErrorCode;
  /** Index of the line in the window, and offset of the byte. */
  readonly line: number;
  readonly offset: number;
  readonly found: string;
  readonly expected: string;
  /** What is wrong and what would be right, as the rest of a sentence that starts with the place. */
  readonly problem: string;
}

export class TextContext {
  readonly window: LineWindow;
  readonly sink: RecordSink;
  /** For the grid being read. */
  readonly grid = new GridBuffer();
  /** For cells of several puzzles. */
  readonly cells = new GridBuffer();
  /** Widths of drawn rows by line. */
  readonly boxedWidths = { line: new Float64Array(64), width: new Int32Array(64) };
  /** Lines taken apart into cells. */
  readonly tokenRows = new TokenRows();
  /** The user's `--format`, if any. */
  readonly only: string | undefined;
  /** Maps of regions stand among the grids, each behind its puzzle. */
  readonly regionMaps: boolean;
  /** The name of the next puzzle, from a header. */
  nextId: string | undefined;
  /** Nothing more is read: the file said so. */
  stopped = false;
  /** Line behind the last grid of rows that was read: rows that follow without a break stand in its shadow. */
  gridEndLine = 0;
  /** How a run of equally long lines is read, and the line behind what was read of it. */
  run: { kind: 'lines' | 'rows'; width: number; nextLine: number } | undefined;

  /** How the last grid stood in its lines, for those that follow; and shapes made since one was of use. */
  shape: Shape | undefined;
  shapeMisses = 0;
  /** Lines of 81 cells that are tried at once: amid damage fewer, as all behind the first bad one are in vain. */
  hopedLines = 64;
  /** How the last puzzle of overlapping grids stood on its line. */
  linePlaces: CellPlaces | undefined;
  /** The drawing around the grid being read, as `grid-drawing.ts` describes it. */
  readonly drawing = new ByteBuffer(1024);
  #lastDrawing = { bytes: new Uint8Array(0), text: '' };
  /** The last line drawn above a grid, and the line behind it. */
  ruler: { text: string; nextLine: number } | undefined;
  /** Size of the last puzzle whose cells were counted without regard to lines, and the line behind it. */
  blind: { size: number; nextLine: number } | undefined;

  /** The line whose puzzle was looked for last, and the length of that, see `puzzleEnd`. */
  partLine = 0;
  partLength = 0;

  /** The first line of the file with text that is no comment. */
  firstLine: number | undefined;
  /** The last lone integer that was taken for a number of puzzles, or of one. */
  lastCount: number | undefined;
  /** Lines, all of them with text, of which none is a row of any size in that shape; `until` is behind the last. */
  rowless: { shape: RowShape; first: number; until: number } | undefined;
  /** Lines whose cells are letters alone; `until` is behind the last. */
  lettersOnly: { first: number; until: number } | undefined;
  /** Lines that no format knew, while it is not known where they end. */
  stretch: Stretch | undefined;

  constructor(window: LineWindow, sink: RecordSink, only: string | undefined, regionMaps = false) {
    this.window = window;
    this.sink = sink;
    this.only = only;
    this.regionMaps = regionMaps;
  }

  /** `drawing` as text; the last text again where nothing has changed. */
  drawingText(): string {
    const { bytes, length } = this.drawing;
    const last = this.#lastDrawing;
    let same = last.bytes.length === length;
    for (let at = 0; same && at < length; at++) same = bytes[at] === last.bytes[at];
    if (same) return last.text;
    const copy = bytes.slice(0, length);
    this.#lastDrawing = { bytes: copy, text: new TextDecoder().decode(copy) };
    return this.#lastDrawing.text;
  }

  /** Whether line `at` has no text. */
  isBlank(at: number): boolean {
    return this.window.tokens[at] === 0;
  }

  /** Whether line `at` is a comment: `#`, `//` or `;` in front. */
  isComment(at: number): boolean {
    const { bytes, text, end, tokens } = this.window;
    if (tokens[at] === 0) return false;
    const first = bytes[text[at]];
    return (
      first === 35 || first === 59 || (first === 47 && text[at] + 1 < end[at] && bytes[text[at] + 1] === 47)
    );
  }

  /**
   * Enters the grid in `grid`, or the error that it turns out to be.
   *
   * @returns whether it is a puzzle without notes of its own; a header may have named it
   */
  enterGrid(place: GridPlace, at: number, lines: number, notes?: RecordNotes): boolean {
    const named = this.named(notes);
    const fault = this.sink.grid(this.grid, place, named);
    if (fault === undefined) return notes === undefined;
    const offset = this.grid.offset[fault.cell];
    const found =
      offset < this.window.length && this.window.bytes[offset] > 127 ? this.characterAt(offset) : fault.found;
    this.enterError(
      at,
      lines,
      {
        code: fault.code,
        line: this.lineOf(offset, at, lines),
        offset,
        found,
        expected: fault.expected,
        problem:
          fault.problem ??
          `found "${found}" in a ${place.geometry.size}x${place.geometry.size} puzzle: expected ${fault.expected}`,
      },
      named,
    );
    return false;
  }

  /** Enters the grid whose cells are the bytes `from` to `to` (exclusive) of line `at`, or the error that it is. */
  enterLine(place: GridPlace, at: number, from: number, to: number, notes?: RecordNotes): void {
    const named = this.named(notes);
    if (this.sink.straight(this.window.bytes, from, place, named)) return;
    this.grid.clear();
    this.grid.addBytes(this.window.bytes, from, to);
    this.enterGrid(place, at, 1, named);
  }

  /** Enters `lines` lines from `at` that should have been a puzzle. */
  enterError(at: number, lines: number, fault: TextFault, notes?: RecordNotes): void {
    const first = this.window.number(at);
    this.sink.error(this.errorOf(fault), first, first + lines - 1, this.named(notes));
  }

  /** A fault with its place in the file instead of that in the window. */
  errorOf({ code, line: at, offset, found, expected, problem }: TextFault): ParseError {
    const line = this.window.number(at);
    const column = this.window.column(at, offset);
    return { code, message: `line ${line}, column ${column}: ${problem}`, line, column, found, expected };
  }

  /** Characters in the text of line `at`; several bytes of UTF-8 are one. */
  characters(at: number): number {
    const { bytes, text, end } = this.window;
    let count = 0;
    for (let byte = text[at]; byte < end[at]; byte++) if ((bytes[byte] & 0xc0) !== 0x80) count++;
    return count;
  }

  /** Whether line `at` is a lone integer of at most nine digits. */
  isInteger(at: number): boolean {
    const { bytes, text, end, tokens } = this.window;
    if (tokens[at] !== 1 || end[at] - text[at] > MOST_DIGITS) return false;
    for (let byte = text[at]; byte < end[at]; byte++) if ((KINDS[bytes[byte]] & DIGIT) === 0) return false;
    return true;
  }

  /** The first character of line `at` that cannot stand in a grid; the line's first character if all can. */
  strayCharacter(at: number): { offset: number; found: string } {
    const { bytes, text, end } = this.window;
    let offset = text[at];
    for (let byte = text[at]; byte < end[at]; byte++) {
      if ((KINDS[bytes[byte]] & CELL) === 0 && bytes[byte] !== 32 && bytes[byte] !== 9) {
        offset = byte;
        break;
      }
    }
    return { offset, found: this.characterAt(offset) };
  }

  /** Whether nothing but blank lines and comments comes from line `at` on; undefined where that is not known yet. */
  isLast(at: number): boolean | undefined {
    let line = at;
    while (this.window.has(line) && (this.isBlank(line) || this.isComment(line))) line++;
    if (this.window.has(line)) return false;
    return this.window.closed ? this.window.ended : undefined;
  }

  /** The line, among `lines` from `at`, that holds a byte. */
  lineOf(offset: number, at: number, lines: number): number {
    let line = at;
    while (line + 1 < at + lines && this.window.start[line + 1] <= offset) line++;
    return line;
  }

  /** The whole UTF-8 character that a byte belongs to. */
  characterAt(offset: number): string {
    const { bytes, length } = this.window;
    let from = offset;
    while (from > 0 && offset - from < 3 && (bytes[from] & 0xc0) === 0x80) from--;
    // Bytes that continue nothing belong to no character before them.
    if (bytes[from] < 0xc0) from = offset;
    let to = offset + 1;
    while (to < length && (bytes[to] & 0xc0) === 0x80) to++;
    return this.window.string(from, to);
  }

  /** Notes with the name that a header gave; it names one record. */
  named(notes: RecordNotes | undefined): RecordNotes | undefined {
    if (this.nextId === undefined) return notes;
    const id = this.nextId;
    this.nextId = undefined;
    return { id, ...notes };
  }
}
