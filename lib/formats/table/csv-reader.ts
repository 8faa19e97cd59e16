/** Reads a table row by row. */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { needsRegions, type VariantName } from '../../sudoku/geometry/variants.ts';
import { HASH } from '../bytes/ascii.ts';
import { characterAt, excerptIn } from '../bytes/byte-text.ts';
import { LineWindow } from '../bytes/line-window.ts';
import { GridBuffer } from '../cells/grid-buffer.ts';
import { isHashLine } from '../cells/hash-blanks.ts';
import { isFault, REGION_DISCONNECTED, readRegionMap } from '../cells/regions.ts';
import type { FormatSettings } from '../file-format.ts';
import type { ReaderState, RecordReader } from '../reader.ts';
import { CommentLog } from '../records/comment-log.ts';
import { errorAt, type Fault, makeFault } from '../records/fault.ts';
import type { RecordNotes } from '../records/record-block.ts';
import type { RecordSink } from '../records/record-sink.ts';
import { lineSource, recordReader } from '../records/record-stream.ts';
import { type CsvColumns, columnName } from './csv-columns.ts';
import { KNOWN_VARIANTS, ruleIn } from './csv-rules.ts';
import { addCells, type FieldGrid, gridIn } from './field-grid.ts';
import { isCommentRow, isTableRuler, rowFields } from './row-fields.ts';
import { rowTemplate } from './row-template.ts';

/** @param from state of a reader that has read everything before */
export function csvReader(settings: FormatSettings, sink: RecordSink, from?: ReaderState): RecordReader {
  const columns = settings.columns as CsvColumns;
  const { puzzle, solution = -1, regions = -1, id = -1, delimiter, rules = [] } = columns;
  const { book } = sink;
  const inPuzzle = `in ${columnName(columns, puzzle)}`;
  const comments = new CommentLog();
  const window = new LineWindow(from?.line);
  /** The row being read. */
  const fields = rowFields(delimiter);
  /** Scratch: the grid of the row, and its solution or its map. */
  const grid = new GridBuffer();
  const scratch = new GridBuffer();
  const template = rowTemplate(columns, sink, window);
  const geometryOf = (cells: number) => book.geometryOfCells(cells);
  /** Rows before the first puzzle: the separator, the names. */
  let preface =
    (from?.preface as number | undefined) ??
    [columns.sep, columns.header].filter((row) => row !== undefined).length;

  function step(): boolean {
    if (template.take()) return true;
    const at = window.head;
    const hasRow = window.has(at);
    if (hasRow) window.consume(row(at));
    return hasRow;
  }

  /** Reads the row that starts with line `at`; returns its lines. */
  function row(at: number): number {
    if (window.tokens[at] === 0 || isTableRuler(window, at, delimiter)) return 1;
    if (isCommentRow(window, at, delimiter) && !hasHashBlanks(at)) {
      comments.addLine(window, at);
      return 1;
    }
    window.furthest = at;
    const lines = fields.read(window, at);
    if (window.furthest > at) sink.work.spend(window.examinedBytes(at));
    if (preface > 0) {
      preface--;
      sink.survey?.onHeader();
    } else enterRow(at, lines);
    return lines;
  }

  /** Whether line `at`, which may be a comment, has puzzles in which `#` is a blank. */
  function hasHashBlanks(at: number): boolean {
    const { bytes, text, end } = window;
    return bytes[text[at]] === HASH && isHashLine(bytes, text[at], end[at], book);
  }

  /** Enters the puzzle in the fields of a row. */
  function enterRow(at: number, lines: number): void {
    const isLong = window.isLong(at);
    const found = isLong ? undefined : gridOf(puzzle, at, lines, grid);
    // Only the beginning of a long line is kept.
    const notes = isLong
      ? { text: excerptIn(window.bytes, window.start[at], window.end[at]) }
      : notesOf(at, lines);
    const plain = found?.geometry;
    if (plain !== undefined) addExpected(notes, at, lines, plain);
    const geometry = plain === undefined ? badRow(at) : ruled(plain, notes);
    const line = window.number(at);
    const lineEnd = line + lines - 1;
    const fault =
      'code' in geometry
        ? geometry
        : sink.enter({ format: 'csv', geometry, cells: found!.cells, line, lineEnd, notes });
    if (fault !== undefined) {
      const { at: offset } = fault;
      let last = at;
      while (last + 1 < at + lines && window.start[last + 1] <= offset) last++;
      const place = { line: window.number(last), column: window.column(last, offset) };
      sink.enterError(errorAt(place, shownFault(fault, plain)), line, lineEnd, notes);
    }
    if (fault === undefined) template.keep(fields, at, lines, notes);
  }

  /** A fault with the whole character that it quotes, in a puzzle of that geometry. */
  function shownFault(fault: Fault, plain: Geometry | undefined): Fault {
    if (fault.isQuote !== true) return fault;
    const { bytes, length } = window;
    const found = bytes[fault.at] > 127 ? characterAt(bytes, fault.at, length) : fault.found;
    return { ...fault, found, where: `in a ${plain?.size}x${plain?.size} puzzle` };
  }

  /** Why a row has no puzzle. */
  function badRow(at: number): Fault {
    const isShort = puzzle >= fields.count;
    const found = isShort
      ? 'a row that ends before it'
      : `${fields.to[puzzle] - fields.from[puzzle]} characters`;
    const offset = isShort ? window.text[at] : fields.from[puzzle];
    const expected = 'a puzzle of 81 characters, or of another size';
    return makeFault(window.isLong(at) ? 'too_large' : 'bad_length', offset, found, expected, {
      where: inPuzzle,
    });
  }

  function gridOf(column: number, at: number, lines: number, into: GridBuffer): FieldGrid | undefined {
    return gridIn(window.bytes, fields, column, window.lineAfter(at + lines - 1), geometryOf, into);
  }

  /** The geometry with the rules and the regions of a row, or what is wrong with them. */
  function ruled(plain: Geometry, notes: RecordNotes): Geometry | Fault {
    const { bytes } = window;
    const variant = variantOf();
    if (typeof variant === 'object') return variant;
    if (!fields.has(regions)) {
      if (variant === undefined || variant === plain.variant || plain.places !== undefined) return plain;
      return book.geometryFor({ variant, size: plain.size });
    }
    const [start, end] = [fields.from[regions], fields.to[regions]];
    if (!addCells(bytes, start, end, scratch)) {
      scratch.clear();
      scratch.addBytes(bytes, start, end);
    }
    const map = readRegionMap(scratch.codes, scratch.count, plain.size);
    if (isFault(map)) {
      const where = `for a ${plain.size}x${plain.size} jigsaw`;
      return { ...map, at: scratch.offset[map.at], where };
    }
    if (map.isDisconnected) notes.warnings = [...(notes.warnings ?? []), REGION_DISCONNECTED];
    // An ordinary sudoku with a region map is a jigsaw.
    const own = variant === 'standard' ? undefined : variant;
    if (own === undefined || needsRegions(own)) return book.jigsaw(map.regions, { variant: own });
    return makeFault('bad_regions', start, 'a region map', `none, as the variant is ${variant}`);
  }

  /** The variant that the row names, if it does, or a fault if it has a rule that is not known. */
  function variantOf(): VariantName | Fault | undefined {
    let variant: VariantName | undefined;
    for (const column of rules) {
      const stated = ruleIn(column, fields.text(column.index));
      if (stated === undefined) continue;
      if (stated.rule !== undefined || (variant !== undefined && variant !== stated.variant)) {
        const found = stated.rule ?? `the variants ${variant} and ${stated.variant}`;
        const where = `in ${columnName(columns, column.index)}`;
        const offset = fields.from[column.index];
        return makeFault('unsupported_variant', offset, found, `one of ${KNOWN_VARIANTS}`, { where });
      }
      variant = stated.variant;
    }
    return variant;
  }

  /** The row itself and its id. */
  function notesOf(at: number, lines: number): RecordNotes {
    const { bytes, start, end } = window;
    const notes: RecordNotes = { source: sink.slab.copy(bytes, start[at], end[at + lines - 1]) };
    if (fields.has(id)) notes.id = fields.text(id);
    return notes;
  }

  /** Adds the solution that the row expects, if it has one. */
  function addExpected(notes: RecordNotes, at: number, lines: number, geometry: Geometry): void {
    if (!fields.has(solution)) return;
    const found = gridOf(solution, at, lines, scratch);
    const values = found?.geometry === geometry ? sink.valuesOf(found.cells, geometry) : undefined;
    if (values === undefined) notes.warnings = ['expected_unreadable'];
    else notes.expected = { solution: values };
  }

  return recordReader(sink, {
    comments,
    ...lineSource(window, () => ({ preface, sink: sink.state() })),
    step,
  });
}
