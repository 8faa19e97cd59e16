/** Reads a table row by row. */
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import type { GridBuffer } from '../cells/grid-buffer.ts';
import { mapAmong } from '../cells/map-likeness.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader } from '../reader.ts';
import type { LayoutBook } from '../records/layout-book.ts';
import type { RecordBlock, RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { DIGIT, KINDS, LETTER } from '../text/byte-kinds.ts';
import type { CommentLog } from '../text/comment-log.ts';
import { LineWindow } from '../text/line-window.ts';
import { TextContext, type TextSettings } from '../text/text-context.ts';
import { tokenCode } from '../text/tokens/token-code.ts';

/** The columns of a table; plain data. */
export interface CsvColumns {
  readonly delimiter: string;
  /** The first row, if it names the columns. */
  readonly header?: string;
  /** Indexes of columns, from 0. */
  readonly puzzle: number;
  readonly solution?: number;
  readonly id?: number;
}

const PUZZLE_NAME = /^(quizz?e?s?|puzzles?|sudokus?|grid|board|question|givens|problem|unsolved)$/i;
const SOLUTION_NAME = /^(solutions?|solved|answers?)$/i;
const ID_NAME = /^(id|name|title|index|nr|no)$/i;

/** @returns the columns of a table with that row; undefined if it is not a row of a table of puzzles */
export function csvColumns(row: string, book: LayoutBook): CsvColumns | undefined {
  for (const delimiter of [',', ';', '\t']) {
    const fields = splitRow(row, delimiter);
    const columns =
      fields.length < 2
        ? undefined
        : (namedColumns(row, fields, delimiter) ?? bareColumns(fields, delimiter, book));
    if (columns !== undefined) return columns;
  }
  return PUZZLE_NAME.test(row.trim()) ? { delimiter: ',', header: row.trim(), puzzle: 0 } : undefined;
}

function namedColumns(row: string, fields: string[], delimiter: string): CsvColumns | undefined {
  const find = (pattern: RegExp) => {
    const index = fields.findIndex((field) => pattern.test(field));
    return index < 0 ? undefined : index;
  };
  const puzzle = find(PUZZLE_NAME);
  if (puzzle === undefined) return undefined;
  return { delimiter, header: row.trim(), puzzle, solution: find(SOLUTION_NAME), id: find(ID_NAME) };
}

/** The columns of a row with a puzzle: a column before the puzzle makes a table, a label after it does not. */
function bareColumns(fields: string[], delimiter: string, book: LayoutBook): CsvColumns | undefined {
  const isGrid = (field: string) =>
    field.length > 36 && book.geometryOfCells(field.length) !== undefined && /^[\w.*?-]+$/.test(field);
  const puzzle = fields.findIndex(isGrid);
  if (puzzle < 0) return undefined;
  const { length } = fields[puzzle];
  const next = fields.findIndex(
    (field, index) => index > puzzle && field.length === length && isGrid(field) && !isMap(field),
  );
  if (puzzle === 0 && next < 0) return undefined;
  return { delimiter, puzzle, solution: next < 0 ? undefined : next, id: puzzle > 0 ? 0 : undefined };
}

/** Whether a field is the region map of a jigsaw, which makes no table. */
function isMap(field: string): boolean {
  const codes = Array.from(field, (symbol) => symbol.charCodeAt(0));
  const size = Math.sqrt(field.length);
  return Number.isInteger(size) && mapAmong(codes, codes.length, size) !== undefined;
}

/** The fields of a row without white space and quotes around them. */
export function splitRow(row: string, delimiter: string): string[] {
  if (!row.includes('"')) return row.split(delimiter).map((field) => field.trim());
  const fields: string[] = [];
  for (let at = 0; at <= row.length; ) {
    const quoted = /^ *"((?:[^"]|"")*)" */.exec(row.slice(at));
    const end = at + (quoted?.[0].length ?? 0);
    // Quotes inside a field, as in other formats, are part of it.
    if (quoted !== null && (end >= row.length || row.startsWith(delimiter, end))) {
      fields.push(quoted[1].replaceAll('""', '"'));
      at += quoted[0].length + delimiter.length;
      continue;
    }
    const next = row.indexOf(delimiter, at);
    const stop = next < 0 ? row.length : next;
    fields.push(row.slice(at, stop).trim());
    at = stop + delimiter.length;
  }
  return fields;
}

export class CsvReader implements RecordReader {
  readonly #columns: CsvColumns;
  readonly #window: LineWindow;
  readonly #context: TextContext;
  #headerSeen: boolean;

  /** @param from state of a reader that has read everything before */
  constructor(columns: CsvColumns, sink: RecordSink, settings: TextSettings, from?: ReaderState) {
    this.#columns = columns;
    this.#window = new LineWindow(from?.line);
    this.#context = new TextContext(this.#window, sink, settings);
    this.#headerSeen = columns.header === undefined || from?.headerSeen === true;
  }

  get comments(): CommentLog {
    return this.#context.comments;
  }

  *push(bytes: Uint8Array): Iterable<RecordBlock> {
    this.#window.feed(bytes);
    yield* this.#read();
  }

  *end(): Iterable<RecordBlock> {
    this.#window.finish();
    yield* this.#read();
    yield* this.#context.sink.flush();
  }

  flush(): Iterable<RecordBlock> {
    return this.#context.sink.flush();
  }

  checkpoint(): ReaderCheckpoint | undefined {
    const { unreadBytes } = this.#window;
    if (unreadBytes === undefined) return undefined;
    const line = this.#window.number(this.#window.head);
    const state = { line, headerSeen: this.#headerSeen, sink: this.#context.sink.state() };
    return { state, unreadBytes };
  }

  *#read(): Iterable<RecordBlock> {
    const { sink } = this.#context;
    const window = this.#window;
    while (window.has(window.head)) {
      this.#row(window.head);
      window.consume(1);
      if (sink.hasReady) yield* sink.takeReady();
    }
  }

  #row(at: number): void {
    const context = this.#context;
    if (context.isBlank(at)) return;
    if (context.isComment(at)) {
      context.comments.addLine(this.#window, at);
      return;
    }
    if (!this.#headerSeen) {
      this.#headerSeen = true;
      context.sink.onHeader();
      return;
    }
    const fields = this.#fieldsOf(at);
    let from = fields[this.#columns.puzzle * 2];
    let to = fields[this.#columns.puzzle * 2 + 1];
    const isThere = from !== undefined && !this.#window.isLong(at);
    let geometry = isThere ? this.#geometryOf(from, to) : undefined;
    if (geometry === undefined && isThere && this.#hasSpaces(from, to)) {
      // If blanks are spaces, spaces at the ends of the field are cells.
      [from, to] = this.#untrimmed(at, from, to);
      geometry = this.#spacedGeometry(from, to);
    }
    if (geometry === undefined) {
      this.#enterBadRow(at, from, to);
      return;
    }
    const line = this.#window.number(at);
    const notes = this.#notes(at, fields, geometry);
    const place = { format: 'csv', geometry, spaced: false, line, lineEnd: line };
    if (to - from === geometry.cellCount) {
      context.enterLine(place, at, from, to, notes);
      return;
    }
    context.grid.clear();
    this.#addCells(context.grid, from, to);
    context.enterGrid(place, at, 1, notes);
  }

  /** Start and end offset of each field of a row, without white space and quotes around it. */
  #fieldsOf(at: number): number[] {
    const { bytes, start, end } = this.#window;
    const delimiter = this.#columns.delimiter.charCodeAt(0);
    const fields: number[] = [];
    const last = end[at];
    for (let byte = start[at]; byte <= last; byte++) {
      while (byte < last && bytes[byte] <= 32 && bytes[byte] !== delimiter) byte++;
      let from = byte;
      if (bytes[byte] === QUOTE && byte < last) {
        from = ++byte;
        while (byte < last && (bytes[byte] !== QUOTE || bytes[byte + 1] === QUOTE)) {
          byte += bytes[byte] === QUOTE ? 2 : 1;
        }
        fields.push(from, byte);
        while (byte < last && bytes[byte] !== delimiter) byte++;
        continue;
      }
      while (byte < last && bytes[byte] !== delimiter) byte++;
      let to = byte;
      while (to > from && bytes[to - 1] <= 32) to--;
      fields.push(from, to);
    }
    return fields;
  }

  /** The geometry of the grid in a field: adjacent characters, or symbols separated by spaces. */
  #geometryOf(from: number, to: number): Geometry | undefined {
    const { cells, sink } = this.#context;
    const { bytes } = this.#window;
    let byte = from;
    while (byte < to && bytes[byte] > 32) byte++;
    if (byte === to) return sink.book.geometryOfCells(to - from);
    cells.clear();
    return this.#addCells(cells, from, to) ? sink.book.geometryOfCells(cells.count) : undefined;
  }

  /** Whether a field has spaces in it or around it. */
  #hasSpaces(from: number, to: number): boolean {
    const { bytes } = this.#window;
    if (bytes[to] === SPACE || (from > 0 && bytes[from - 1] === SPACE)) return true;
    for (let byte = from; byte < to; byte++) if (bytes[byte] === SPACE) return true;
    return false;
  }

  /** The range of a field with the spaces around it. */
  #untrimmed(at: number, from: number, to: number): [from: number, to: number] {
    const { bytes, start } = this.#window;
    const last = this.#window.lineAfter(at);
    let [first, end] = [from, to];
    while (first > start[at] && bytes[first - 1] === SPACE) first--;
    while (end < last && bytes[end] === SPACE) end++;
    return [first, end];
  }

  /** The geometry of the grid in a field whose blanks are spaces and whose other characters are digits and letters. */
  #spacedGeometry(from: number, to: number): Geometry | undefined {
    const { bytes } = this.#window;
    for (let byte = from; byte < to; byte++) {
      if (bytes[byte] !== SPACE && (KINDS[bytes[byte]] & (DIGIT | LETTER)) === 0) return undefined;
    }
    return this.#context.sink.book.geometryOfCells(to - from);
  }

  /** Appends the symbols of a field, separated by spaces; false if one of them is not a cell. */
  #addCells(into: GridBuffer, from: number, to: number): boolean {
    const { bytes } = this.#window;
    for (let byte = from; byte < to; byte++) {
      const start = byte;
      while (byte < to && bytes[byte] > 32) byte++;
      const code = tokenCode(bytes, start, byte);
      if (code < 0) return false;
      into.add(code, start);
    }
    return true;
  }

  #notes(at: number, fields: readonly number[], geometry: Geometry): RecordNotes {
    const window = this.#window;
    const { id, solution } = this.#columns;
    const notes: RecordNotes = {
      source: this.#context.sink.slab.copy(window.bytes, window.start[at], window.end[at]),
    };
    if (id !== undefined && fields[id * 2] < fields[id * 2 + 1]) {
      notes.id = window.string(fields[id * 2], fields[id * 2 + 1]);
    }
    if (solution === undefined || fields[solution * 2] === undefined) return notes;
    if (fields[solution * 2] === fields[solution * 2 + 1]) return notes;
    const values = this.#valuesOf(fields[solution * 2], fields[solution * 2 + 1], geometry);
    if (values === undefined) notes.warnings = ['expected_unreadable'];
    else notes.expected = { solution: values };
    return notes;
  }

  /** The values of a field with a grid of that geometry; undefined if it has none. */
  #valuesOf(from: number, to: number, geometry: Geometry): Uint8Array | undefined {
    const { cells, sink } = this.#context;
    if (this.#geometryOf(from, to) !== geometry) return undefined;
    if (to - from === geometry.cellCount) return sink.valuesIn(this.#window.bytes, from, geometry);
    return sink.valuesOf(cells, geometry, false);
  }

  #enterBadRow(at: number, from: number | undefined, to: number | undefined): void {
    const window = this.#window;
    const column = this.#columns.puzzle + 1;
    const short = from === undefined || to === undefined;
    const found = short ? 'a row that ends before it' : `${to - from} characters`;
    this.#context.enterError(at, 1, {
      code: window.isLong(at) ? 'too_large' : 'bad_length',
      line: at,
      offset: from ?? window.text[at],
      found,
      expected: 'a puzzle of 81 characters, or of another size',
      problem: `found ${found} in column ${column}: expected a puzzle of 81 characters, or of another size`,
    });
  }
}

const QUOTE = 34;
const SPACE = 32;
