/** Reads a table row by row. */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { needsRegions, type VariantName } from '../../sudoku/geometry/variants.ts';
import { unlessInterrupted } from '../bytes/arrival.ts';
import type { GridBuffer } from '../cells/grid-buffer.ts';
import { isFault } from '../cells/map-likeness.ts';
import { REGION_DISCONNECTED } from '../cells/regions.ts';
import type { ReaderCheckpoint, ReaderState, RecordReader } from '../reader.ts';
import type { CommentLog } from '../records/comment-log.ts';
import { type Fault, makeFault } from '../records/fault.ts';
import type { RecordBlock, RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { LineWindow } from '../text/line-window.ts';
import { mapFault } from '../text/maps/row-maps.ts';
import { TextContext, type TextSettings } from '../text/text-context.ts';
import { type CsvColumns, columnName } from './csv-columns.ts';

import { KNOWN_VARIANTS, type RuleColumn, ruleIn } from './csv-rules.ts';
import { addCells, type FieldGrid, gridIn } from './field-grid.ts';
import { isTableRuler, RowFields, startsWithField } from './row-fields.ts';
import { RowTemplate } from './row-template.ts';

interface CsvState extends ReaderState {
  readonly preface: number;
}

export class CsvReader implements RecordReader {
  readonly #columns: CsvColumns;
  readonly #window: LineWindow;
  readonly #context: TextContext;
  /** Rows before the first puzzle: the separator, the names. */
  #preface: number;
  /** The row being read. */
  readonly #fields: RowFields;
  readonly #template: RowTemplate;
  readonly #geometryOf = (cells: number) => this.#context.sink.book.geometryOfCells(cells);

  /** @param from state of a reader that has read everything before */
  constructor(columns: CsvColumns, sink: RecordSink, settings: TextSettings, from?: ReaderState) {
    this.#columns = columns;
    this.#window = new LineWindow(from?.line);
    this.#context = new TextContext(this.#window, sink, settings);
    this.#fields = new RowFields(columns.delimiter);
    this.#template = new RowTemplate(columns);
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
    while (this.#template.take(this.#window, sink) || this.#step())
      if (sink.hasReady) yield* sink.takeReady();
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
    const { delimiter } = this.#columns;
    if (context.isBlank(at) || isTableRuler(window, at, delimiter)) return 1;
    if (context.isComment(at) && !startsWithField(window, at, delimiter)) {
      context.comments.addLine(window, at);
      return 1;
    }
    window.furthest = at;
    const lines = this.#fields.read(window, at);
    if (window.furthest > at) context.sink.work.spend(window.examinedBytes(at));
    if (this.#preface > 0) {
      this.#preface--;
      context.sink.onHeader();
    } else this.#puzzle(at, lines);
    return lines;
  }

  /** Enters the puzzle in the fields of a row. */
  #puzzle(at: number, lines: number): void {
    const context = this.#context;
    const grid = this.#window.isLong(at)
      ? undefined
      : this.#gridIn(this.#columns.puzzle, at, lines, context.grid);
    if (grid === undefined) {
      this.#enterBadRow(at, lines);
      return;
    }
    const notes = this.#notes(at, lines);
    this.#addExpected(notes, at, lines, grid.fit);
    const geometry = this.#ruled(grid.fit, notes);
    if ('code' in geometry) context.enterError(at, lines, geometry, notes);
    else context.enter(grid.cells, { format: 'csv', geometry }, at, lines, notes);
    const isAdjacent = 'bytes' in grid.cells && geometry === grid.fit;
    this.#template.keep(context.sink, isAdjacent ? grid.fit : undefined);
  }

  #gridIn(column: number, at: number, lines: number, into: GridBuffer): FieldGrid | undefined {
    const limit = this.#window.lineAfter(at + lines - 1);
    return gridIn(this.#window.bytes, this.#fields, column, limit, this.#geometryOf, into);
  }

  /** The geometry with the rules and the regions of a row, or what is wrong with them. */
  #ruled(plain: Geometry, notes: RecordNotes): Geometry | Fault {
    const { regions = -1, rules = [] } = this.#columns;
    const { cells, sink } = this.#context;
    const fields = this.#fields;
    const variant = this.#variantOf(rules);
    if (typeof variant === 'object') return variant;
    const hasMap = regions >= 0 && regions < fields.count && fields.from[regions] < fields.to[regions];
    if (!hasMap) {
      if (variant === undefined || variant === plain.variant || plain.places !== undefined) return plain;
      return sink.book.geometryFor({ variant, size: plain.size });
    }
    const from = fields.from[regions];
    const to = fields.to[regions];
    const { bytes } = this.#window;
    if (!addCells(bytes, from, to, cells)) {
      cells.clear();
      cells.addBytes(bytes, from, to);
    }
    const map = sink.book.jigsawFromStrictMap(cells.codes.subarray(0, cells.count), plain.size);
    if (isFault(map)) return mapFault(map, cells.offset[map.at], plain.size);
    if (map.isDisconnected) notes.warnings = [...(notes.warnings ?? []), REGION_DISCONNECTED];
    // An ordinary sudoku with a region map is a jigsaw.
    if (variant === undefined || variant === 'standard' || variant === map.geometry.variant)
      return map.geometry;
    if (needsRegions(variant)) return sink.book.jigsaw(map.regions, { variant });
    return makeFault('bad_regions', from, 'a region map', `none, as the variant is ${variant}`);
  }

  /** The variant that a row names, if it does, or a fault if it has a rule that is not known. */
  #variantOf(rules: readonly RuleColumn[]): VariantName | Fault | undefined {
    let variant: VariantName | undefined;
    for (const column of rules) {
      const stated = ruleIn(column, this.#fields.text(column.index));
      if (stated === undefined) continue;
      if ('variant' in stated && (variant === undefined || variant === stated.variant)) {
        variant = stated.variant;
        continue;
      }
      const found = 'rule' in stated ? stated.rule : `the variants ${variant} and ${stated.variant}`;
      const where = `in ${columnName(this.#columns, column.index)}`;
      const at = this.#fields.from[column.index];
      return makeFault('unsupported_variant', at, found, `one of ${KNOWN_VARIANTS}`, { where });
    }
    return variant;
  }

  /** The row itself and its id. */
  #notes(at: number, lines: number): RecordNotes {
    const { bytes, start, end } = this.#window;
    const notes: RecordNotes = {
      source: this.#context.sink.slab.copy(bytes, start[at], end[at + lines - 1]),
    };
    const id = this.#columns.id === undefined ? '' : this.#fields.text(this.#columns.id);
    if (id !== '') notes.id = id;
    return notes;
  }

  /** Adds the solution that the row expects, if it has one. */
  #addExpected(notes: RecordNotes, at: number, lines: number, geometry: Geometry): void {
    const { solution = -1 } = this.#columns;
    const fields = this.#fields;
    if (solution < 0 || solution >= fields.count || fields.from[solution] === fields.to[solution]) return;
    const { cells, sink } = this.#context;
    const grid = this.#gridIn(solution, at, lines, cells);
    const values = grid?.fit === geometry ? sink.valuesOf(grid.cells, geometry) : undefined;
    if (values === undefined) notes.warnings = ['expected_unreadable'];
    else notes.expected = { solution: values };
  }

  #enterBadRow(at: number, lines: number): void {
    const window = this.#window;
    const fields = this.#fields;
    const { puzzle } = this.#columns;
    const where = `in ${columnName(this.#columns, puzzle)}`;
    const isShort = puzzle >= fields.count;
    const found = isShort
      ? 'a row that ends before it'
      : `${fields.to[puzzle] - fields.from[puzzle]} characters`;
    const code = window.isLong(at) ? 'too_large' : 'bad_length';
    const offset = isShort ? window.text[at] : fields.from[puzzle];
    const fault = makeFault(code, offset, found, 'a puzzle of 81 characters, or of another size', { where });
    // Only the beginning of a long line is kept.
    const notes = window.isLong(at) ? undefined : this.#notes(at, lines);
    this.#context.enterError(at, lines, fault, notes);
  }
}
