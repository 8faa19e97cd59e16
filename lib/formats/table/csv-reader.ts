/** Reads a table row by row. */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { needsRegions, type VariantName } from '../../sudoku/geometry/variants.ts';
import { unlessInterrupted } from '../bytes/arrival.ts';
import { HASH } from '../bytes/ascii.ts';
import { characterAt, excerptIn } from '../bytes/byte-text.ts';
import { LineWindow } from '../bytes/line-window.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import { isHashLine } from '../cells/hash-blanks.ts';
import { isFault, REGION_DISCONNECTED } from '../cells/regions.ts';
import type { FormatSettings } from '../file-format.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader } from '../reader.ts';
import { CommentLog } from '../records/comment-log.ts';
import { errorAt, type Fault, makeFault } from '../records/fault.ts';
import type { RecordBlock, RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { type CsvColumns, columnName } from './csv-columns.ts';
import { KNOWN_VARIANTS, ruleIn } from './csv-rules.ts';
import { addCells, type FieldGrid, gridIn } from './field-grid.ts';
import { isCommentRow, isTableRuler, RowFields } from './row-fields.ts';
import { RowTemplate } from './row-template.ts';

export class CsvReader implements RecordReader {
  readonly comments = new CommentLog();
  readonly #columns: CsvColumns;
  readonly #sink: RecordSink;
  readonly #window: LineWindow;
  /** Rows before the first puzzle: the separator, the names. */
  #preface: number;
  /** The row being read. */
  readonly #fields: RowFields;
  /** Scratch: the grid of the row, and its solution or its map. */
  readonly #grid = new GridBuffer();
  readonly #cells = new GridBuffer();
  readonly #template: RowTemplate;
  readonly #geometryOf = (cells: number) => this.#sink.book.geometryOfCells(cells);

  /** @param from state of a reader that has read everything before */
  constructor(settings: FormatSettings, sink: RecordSink, from?: ReaderState) {
    const columns = settings.columns as CsvColumns;
    this.#columns = columns;
    this.#sink = sink;
    this.#window = new LineWindow(from?.line);
    this.#fields = new RowFields(columns.delimiter);
    this.#template = new RowTemplate(columns);
    const preface = [columns.sep, columns.header].filter((row) => row !== undefined).length;
    this.#preface = (from?.preface as number | undefined) ?? preface;
  }

  *push(bytes: Uint8Array): Iterable<RecordBlock> {
    this.#sink.work.feed(bytes.length);
    this.#window.feed(bytes);
    yield* this.#read();
  }

  *end(): Iterable<RecordBlock> {
    this.#window.finish();
    yield* this.#read();
    yield* this.#sink.flush();
  }

  flush(): Iterable<RecordBlock> {
    return this.#sink.flush();
  }

  checkpoint(): ReaderCheckpoint | undefined {
    const { unreadBytes } = this.#window;
    if (unreadBytes === undefined) return undefined;
    const line = this.#window.number(this.#window.head);
    return { state: { line, preface: this.#preface, sink: this.#sink.state() }, unreadBytes };
  }

  *#read(): Iterable<RecordBlock> {
    const [window, sink] = [this.#window, this.#sink];
    const step = () => {
      const hasRow = window.has(window.head);
      if (hasRow) window.consume(this.#row(window.head));
      return hasRow;
    };
    while (this.#template.take(window, sink) || unlessInterrupted(step))
      if (sink.hasReady) yield* sink.takeReady();
  }

  /** Reads the row that starts with line `at`; returns its lines. */
  #row(at: number): number {
    const [window, sink] = [this.#window, this.#sink];
    const { delimiter } = this.#columns;
    if (window.tokens[at] === 0 || isTableRuler(window, at, delimiter)) return 1;
    if (isCommentRow(window, at, delimiter) && !this.#hasHashBlanks(at)) {
      this.comments.addLine(window, at);
      return 1;
    }
    window.furthest = at;
    const lines = this.#fields.read(window, at);
    if (window.furthest > at) sink.work.spend(window.examinedBytes(at));
    if (this.#preface > 0) {
      this.#preface--;
      sink.survey?.onHeader();
    } else this.#puzzle(at, lines);
    return lines;
  }

  /** Whether line `at`, which may be a comment, has puzzles in which `#` is a blank. */
  #hasHashBlanks(at: number): boolean {
    const { bytes, text, end } = this.#window;
    return bytes[text[at]] === HASH && isHashLine(bytes, text[at], end[at], this.#sink.book);
  }

  /** Enters the puzzle in the fields of a row. */
  #puzzle(at: number, lines: number): void {
    const [sink, window] = [this.#sink, this.#window];
    const { puzzle } = this.#columns;
    const grid = window.isLong(at) ? undefined : this.#gridIn(puzzle, at, lines, this.#grid);
    // Only the beginning of a long line is kept.
    const notes = window.isLong(at) ? {} : this.#notes(at, lines);
    const plain = grid?.fit;
    if (plain !== undefined) this.#addExpected(notes, at, lines, plain);
    const geometry = plain === undefined ? this.#badRow(at) : this.#ruled(plain, notes);
    const line = window.number(at);
    const lineEnd = line + lines - 1;
    const fault =
      'code' in geometry
        ? geometry
        : sink.enter({ format: 'csv', geometry, cells: grid!.cells, line, lineEnd, notes });
    if (fault !== undefined) {
      const { at: offset, isQuote, found } = fault;
      const isText = isQuote && offset < window.length && window.bytes[offset] > 127;
      const quote = isText ? characterAt(window.bytes, offset, window.length) : found;
      const where = isQuote ? `in a ${plain?.size}x${plain?.size} puzzle` : fault.where;
      let last = at;
      while (last + 1 < at + lines && window.start[last + 1] <= offset) last++;
      const place = { line: window.number(last), column: window.column(last, offset) };
      const text = excerptIn(window.bytes, window.start[at], window.end[at + lines - 1]);
      sink.enterError(errorAt(place, { ...fault, found: quote, where }), line, lineEnd, { ...notes, text });
    }
    if (grid === undefined) return;
    const isAdjacent = 'bytes' in grid.cells && geometry === plain;
    this.#template.keep(sink, isAdjacent ? plain : undefined);
  }

  /** Why a row has no puzzle. */
  #badRow(at: number): Fault {
    const [window, fields] = [this.#window, this.#fields];
    const { puzzle } = this.#columns;
    const isShort = puzzle >= fields.count;
    const size = fields.to[puzzle] - fields.from[puzzle];
    const found = isShort ? 'a row that ends before it' : `${size} characters`;
    const code = window.isLong(at) ? 'too_large' : 'bad_length';
    const offset = isShort ? window.text[at] : fields.from[puzzle];
    const where = `in ${columnName(this.#columns, puzzle)}`;
    return makeFault(code, offset, found, 'a puzzle of 81 characters, or of another size', { where });
  }

  #gridIn(column: number, at: number, lines: number, into: GridBuffer): FieldGrid | undefined {
    const limit = this.#window.lineAfter(at + lines - 1);
    return gridIn(this.#window.bytes, this.#fields, column, limit, this.#geometryOf, into);
  }

  /** The geometry with the rules and the regions of a row, or what is wrong with them. */
  #ruled(plain: Geometry, notes: RecordNotes): Geometry | Fault {
    const { regions = -1 } = this.#columns;
    const [fields, cells, { book }] = [this.#fields, this.#cells, this.#sink];
    const { bytes } = this.#window;
    const variant = this.#variant();
    if (typeof variant === 'object') return variant;
    if (!fields.has(regions)) {
      if (variant === undefined || variant === plain.variant || plain.places !== undefined) return plain;
      return book.geometryFor({ variant, size: plain.size });
    }
    const [from, to] = [fields.from[regions], fields.to[regions]];
    if (!addCells(bytes, from, to, cells)) {
      cells.clear();
      cells.addBytes(bytes, from, to);
    }
    const map = book.jigsawFromStrictMap(cells.codes.subarray(0, cells.count), plain.size);
    if (isFault(map)) {
      const where = `for a ${plain.size}x${plain.size} jigsaw`;
      return { ...map, at: cells.offset[map.at], where };
    }
    if (map.isDisconnected) notes.warnings = [...(notes.warnings ?? []), REGION_DISCONNECTED];
    // An ordinary sudoku with a region map is a jigsaw.
    if (variant === undefined || variant === 'standard' || variant === map.geometry.variant)
      return map.geometry;
    if (needsRegions(variant)) return book.jigsaw(map.regions, { variant });
    return makeFault('bad_regions', from, 'a region map', `none, as the variant is ${variant}`);
  }

  /** The variant that the row names, if it does, or a fault if it has a rule that is not known. */
  #variant(): VariantName | Fault | undefined {
    let variant: VariantName | undefined;
    for (const column of this.#columns.rules ?? []) {
      const stated = ruleIn(column, this.#fields.text(column.index));
      if (stated === undefined) continue;
      if ('rule' in stated || (variant !== undefined && variant !== stated.variant)) {
        const found = 'rule' in stated ? stated.rule : `the variants ${variant} and ${stated.variant}`;
        const where = `in ${columnName(this.#columns, column.index)}`;
        const offset = this.#fields.from[column.index];
        return makeFault('unsupported_variant', offset, found, `one of ${KNOWN_VARIANTS}`, { where });
      }
      variant = stated.variant;
    }
    return variant;
  }

  /** The row itself and its id. */
  #notes(at: number, lines: number): RecordNotes {
    const { bytes, start, end } = this.#window;
    const notes: RecordNotes = { source: this.#sink.slab.copy(bytes, start[at], end[at + lines - 1]) };
    const { id = -1 } = this.#columns;
    if (this.#fields.has(id)) notes.id = this.#fields.text(id);
    return notes;
  }

  /** Adds the solution that the row expects, if it has one. */
  #addExpected(notes: RecordNotes, at: number, lines: number, geometry: Geometry): void {
    const { solution = -1 } = this.#columns;
    if (!this.#fields.has(solution)) return;
    const grid = this.#gridIn(solution, at, lines, this.#cells);
    const values = grid?.fit === geometry ? this.#sink.valuesOf(grid.cells, geometry) : undefined;
    if (values === undefined) notes.warnings = ['expected_unreadable'];
    else notes.expected = { solution: values };
  }
}
