/** Reads a table row by row. */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { needsRegions, type VariantName } from '../../sudoku/geometry/variants.ts';
import { unlessInterrupted } from '../bytes/arrival.ts';
import { SPACE } from '../bytes/ascii.ts';
import type { GridBuffer } from '../cells/grid-buffer.ts';
import { isFault } from '../cells/map-likeness.ts';
import { REGION_DISCONNECTED } from '../cells/regions.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader } from '../reader.ts';
import { makeFault } from '../records/fault.ts';
import type { RecordBlock, RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { DIGIT, KINDS, LETTER } from '../text/byte-kinds.ts';
import type { CommentLog } from '../text/comment-log.ts';
import { LineWindow } from '../text/line-window.ts';
import { mapFault } from '../text/maps/row-maps.ts';
import { tokenCode } from '../text/shape/cells.ts';
import { TextContext, type TextSettings } from '../text/text-context.ts';
import { type CsvColumns, columnName } from './csv-columns.ts';
import { isTableRuler, readFields, rowLines, startsWithField } from './csv-fields.ts';
import { KNOWN_VARIANTS, type RuleColumn, ruleIn } from './csv-rules.ts';

interface CsvState extends ReaderState {
  readonly preface: number;
}

export class CsvReader implements RecordReader {
  readonly #columns: CsvColumns;
  readonly #window: LineWindow;
  readonly #context: TextContext;
  readonly #delimiter: number;
  /** Rows before the first puzzle: the separator, the names. */
  #preface: number;
  /** Start and end offset of each field of the row being read. */
  readonly #fields: number[] = [];
  /** Whether that row has no white space within it. */
  #isDense = false;

  /** @param from state of a reader that has read everything before */
  constructor(columns: CsvColumns, sink: RecordSink, settings: TextSettings, from?: ReaderState) {
    this.#columns = columns;
    this.#window = new LineWindow(from?.line);
    this.#context = new TextContext(this.#window, sink, settings);
    this.#delimiter = columns.delimiter.charCodeAt(0);
    const preface = (columns.sep === undefined ? 0 : 1) + (columns.header === undefined ? 0 : 1);
    this.#preface = (from as CsvState | undefined)?.preface ?? preface;
  }

  get comments(): CommentLog {
    return this.#context.comments;
  }

  *push(bytes: Uint8Array): Iterable<RecordBlock> {
    this.#context.sink.work.feed(bytes.length);
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
    const state = { line, preface: this.#preface, sink: this.#context.sink.state() };
    return { state, unreadBytes };
  }

  *#read(): Iterable<RecordBlock> {
    const { sink } = this.#context;
    while (this.#step()) if (sink.hasReady) yield* sink.takeReady();
  }

  /** Reads the next row; false if more bytes are needed, or at the end of the file. */
  #step(): boolean {
    const window = this.#window;
    return unlessInterrupted(() => {
      if (!window.has(window.head)) return false;
      window.consume(this.#row(window.head));
      return true;
    });
  }

  /** Reads the row that starts with line `at`; returns its lines. */
  #row(at: number): number {
    const context = this.#context;
    const window = this.#window;
    if (context.isBlank(at) || isTableRuler(window, at, this.#delimiter)) return 1;
    if (context.isComment(at) && !startsWithField(window, at, this.#delimiter)) {
      context.comments.addLine(window, at);
      return 1;
    }
    let lines = 1;
    if (readFields(window, at, 1, this.#delimiter, this.#fields) && !window.isLong(at)) {
      window.furthest = at;
      lines = rowLines(window, at, this.#delimiter);
      this.#context.sink.work.spend(window.examinedBytes(at));
      if (lines > 1) readFields(window, at, lines, this.#delimiter, this.#fields);
    }
    this.#isDense = lines === 1 && window.tokens[at] === 1;
    if (this.#preface > 0) {
      this.#preface--;
      context.sink.onHeader();
    } else this.#puzzle(at, lines);
    return lines;
  }

  /** Enters the puzzle in the fields of a row. */
  #puzzle(at: number, lines: number): void {
    const context = this.#context;
    let from = this.#fields[this.#columns.puzzle * 2];
    let to = this.#fields[this.#columns.puzzle * 2 + 1];
    const isThere = from !== undefined && !this.#window.isLong(at);
    let plain = isThere ? this.#geometryOf(from, to) : undefined;
    if (plain === undefined && isThere && this.#hasSpaces(from, to)) {
      // If blanks are spaces, spaces at the ends of the field are cells.
      [from, to] = this.#untrimmed(at, lines, from, to);
      plain = this.#spacedGeometry(from, to);
    }
    if (plain === undefined) {
      this.#enterBadRow(at, lines, from, to);
      return;
    }
    const notes = this.#notes(at, lines);
    this.#addExpected(notes, plain);
    const geometry = this.#withRules(at, lines, plain, notes);
    if (geometry === undefined) return;
    if (to - from === geometry.cellCount) {
      context.enterCells('csv', geometry, at, lines, from, notes);
      return;
    }
    context.grid.clear();
    this.#addGrid(context.grid, from, to);
    context.enterGrid({ format: 'csv', geometry }, at, lines, notes);
  }

  /** The geometry with the rules and the regions of a row; undefined if they are wrong: then the error is entered. */
  #withRules(at: number, lines: number, plain: Geometry, notes: RecordNotes): Geometry | undefined {
    const { regions, rules } = this.#columns;
    const context = this.#context;
    const { cells, sink } = context;
    const variant = rules === undefined ? undefined : this.#variantOf(at, lines, rules, notes);
    if (variant === null) return undefined;
    const from = regions === undefined ? undefined : this.#fields[regions * 2];
    const to = regions === undefined ? undefined : this.#fields[regions * 2 + 1];
    if (from === undefined || to === undefined || from === to) {
      if (variant === undefined || variant === plain.variant || plain.places !== undefined) return plain;
      return sink.book.geometryFor({ variant, size: plain.size });
    }
    cells.clear();
    if (!this.#addGrid(cells, from, to)) {
      cells.clear();
      cells.addBytes(this.#window.bytes, from, to);
    }
    const map = sink.book.jigsawFromStrictMap(cells.codes.subarray(0, cells.count), plain.size);
    if (isFault(map)) {
      context.enterError(at, lines, mapFault(map, cells.offset[map.at], plain.size), notes);
      return undefined;
    }
    if (map.isDisconnected) notes.warnings = [...(notes.warnings ?? []), REGION_DISCONNECTED];
    // An ordinary sudoku with a region map is a jigsaw.
    if (variant === undefined || variant === 'standard' || variant === map.geometry.variant)
      return map.geometry;
    if (needsRegions(variant)) return sink.book.jigsaw(map.regions, { variant });
    const fault = makeFault('bad_regions', from, 'a region map', `none, as the variant is ${variant}`);
    context.enterError(at, lines, fault, notes);
    return undefined;
  }

  /** The variant that a row names, if it does; null if it has a rule that is not known: then the error is entered. */
  #variantOf(
    at: number,
    lines: number,
    rules: readonly RuleColumn[],
    notes: RecordNotes,
  ): VariantName | undefined | null {
    const context = this.#context;
    let variant: VariantName | undefined;
    for (const column of rules) {
      const from = this.#fields[column.index * 2];
      if (from === undefined) continue;
      const stated = ruleIn(column, this.#window.string(from, this.#fields[column.index * 2 + 1]));
      if (stated === undefined) continue;
      if ('variant' in stated && (variant === undefined || variant === stated.variant)) {
        variant = stated.variant;
        continue;
      }
      const found = 'rule' in stated ? stated.rule : `the variants ${variant} and ${stated.variant}`;
      const where = `in ${columnName(this.#columns, column.index)}`;
      const fault = makeFault('unsupported_variant', from, found, `one of ${KNOWN_VARIANTS}`, { where });
      context.enterError(at, lines, fault, notes);
      return null;
    }
    return variant;
  }

  /** The geometry of the grid in a field: adjacent characters, symbols separated by spaces, or rows. */
  #geometryOf(from: number, to: number): Geometry | undefined {
    const { cells, sink } = this.#context;
    const { bytes } = this.#window;
    let byte = this.#isDense ? to : from;
    while (byte < to && bytes[byte] > 32) byte++;
    if (byte === to) return sink.book.geometryOfCells(to - from);
    cells.clear();
    return this.#addGrid(cells, from, to) ? sink.book.geometryOfCells(cells.count) : undefined;
  }

  /** Whether a field has spaces in it or around it. */
  #hasSpaces(from: number, to: number): boolean {
    const { bytes } = this.#window;
    if (bytes[to] === SPACE || (from > 0 && bytes[from - 1] === SPACE)) return true;
    for (let byte = from; byte < to; byte++) if (bytes[byte] === SPACE) return true;
    return false;
  }

  /** The range of a field with the spaces around it. */
  #untrimmed(at: number, lines: number, from: number, to: number): [from: number, to: number] {
    const { bytes, start } = this.#window;
    const last = this.#window.lineAfter(at + lines - 1);
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

  /** Appends the cells of a field: adjacent characters, symbols separated by spaces, or rows; false if it has others. */
  #addGrid(into: GridBuffer, from: number, to: number): boolean {
    const { bytes } = this.#window;
    const before = into.count;
    let tokens = 0;
    let isRows = true;
    let width = 0;
    for (let byte = from; byte < to; byte++) {
      const start = byte;
      while (byte < to && bytes[byte] > 32) byte++;
      if (byte === start) continue;
      if (tokens++ === 0) width = byte - start;
      else if (byte - start !== width) isRows = false;
      if (width > 1) into.addBytes(bytes, start, byte);
    }
    // As many tokens as each has characters are rows; so is a single token.
    if (isRows && width > 1 && (tokens === 1 || tokens === width)) return true;
    into.count = before;
    for (let byte = from; byte < to; byte++) {
      const start = byte;
      while (byte < to && bytes[byte] > 32) byte++;
      if (byte === start) continue;
      const code = tokenCode(bytes, start, byte);
      if (code < 0) return false;
      into.add(code, start);
    }
    return true;
  }

  /** The row itself and its id. */
  #notes(at: number, lines: number): RecordNotes {
    const window = this.#window;
    const fields = this.#fields;
    const { id } = this.#columns;
    const notes: RecordNotes = {
      source: this.#context.sink.slab.copy(window.bytes, window.start[at], window.end[at + lines - 1]),
    };
    if (id !== undefined && fields[id * 2] < fields[id * 2 + 1]) {
      notes.id = window.string(fields[id * 2], fields[id * 2 + 1]);
    }
    return notes;
  }

  /** Adds the solution that the row expects, if it has one. */
  #addExpected(notes: RecordNotes, geometry: Geometry): void {
    const fields = this.#fields;
    const { solution } = this.#columns;
    if (solution === undefined || fields[solution * 2] === undefined) return;
    if (fields[solution * 2] === fields[solution * 2 + 1]) return;
    const values = this.#valuesOf(fields[solution * 2], fields[solution * 2 + 1], geometry);
    if (values === undefined) notes.warnings = ['expected_unreadable'];
    else notes.expected = { solution: values };
  }

  /** The values of a field with a grid of that geometry; undefined if it has none. */
  #valuesOf(from: number, to: number, geometry: Geometry): Uint8Array | undefined {
    const { cells, sink } = this.#context;
    if (this.#geometryOf(from, to) !== geometry) return undefined;
    if (to - from === geometry.cellCount) return sink.valuesOf({ bytes: this.#window.bytes, from }, geometry);
    return sink.valuesOf(cells, geometry);
  }

  #enterBadRow(at: number, lines: number, from: number | undefined, to: number | undefined): void {
    const window = this.#window;
    const where = `in ${columnName(this.#columns, this.#columns.puzzle)}`;
    const short = from === undefined || to === undefined;
    const found = short ? 'a row that ends before it' : `${to - from} characters`;
    const code = window.isLong(at) ? 'too_large' : 'bad_length';
    const expected = 'a puzzle of 81 characters, or of another size';
    const fault = makeFault(code, from ?? window.text[at], found, expected, { where });
    // Only the beginning of a long line is kept.
    const notes = window.isLong(at) ? undefined : this.#notes(at, lines);
    this.#context.enterError(at, lines, fault, notes);
  }
}
