/** Rows of fields: the cells of a row, and where a grid of such rows ends. */
import type { GridBuffer } from '../../cells/grid-buffer.ts';
import { type Fault, makeFault } from '../../records/fault.ts';
import { MAX_ROW_CELLS } from '../lines/full-line.ts';
import type { RowShape } from '../rows/row-grids.ts';
import type { TextContext } from '../text-context.ts';
import type { FieldDrawer } from './field-drawer.ts';
import type { FieldLines } from './field-lines.ts';
import { isClosingLine, isFrame, openingLine, startsWithClose } from './frames.ts';
import { BLANK, type LineFields, type Reading } from './line-fields.ts';

/** @param plain whether lines without separators other than spaces are rows: within brackets that the first row opens */
export function fieldShape(
  lines: FieldLines,
  reading: Reading,
  drawer: FieldDrawer,
  plain: boolean,
): RowShape {
  const width = (context: TextContext, at: number) =>
    plain || lines.of(context, at).structured ? rowWidth(context, at, lines, reading) : 0;
  /** Lines of the grid in `context.grid`. */
  const rows: number[] = [];
  return {
    format: 'cells',
    spaced: reading === 'single',
    unit: 'cells',
    width,
    cells(context, at) {
      if (context.grid.count === 0) rows.length = 0;
      rows.push(at);
      addCells(context, at, lines.of(context, at), reading, context.grid);
    },
    count: (context, at) => lines.of(context, at).count(context.sink.book),
    stray(context, at) {
      const fields = lines.of(context, at);
      const token = Math.max(0, reading === 'single' ? fields.wide : fields.stray);
      const start = context.window.start[at];
      const [from, to] = [start + fields.from[token], start + fields.to[token]];
      return { offset: from, found: context.window.string(from, to) };
    },
    skips: isFrame,
    ends(context, at, before, size) {
      if (openingLine(context, at) !== undefined || startsWithClose(context, at)) return true;
      if (isClosingLine(context, at)) return true;
      // A frame ends a grid, and another one starts the next.
      if (isFrame(context, at)) return isFrame(context, at - 1);
      if (lines.of(context, at).opens > 1 || lines.of(context, at - 1).closes > 1) return true;
      if (before % size !== 0 || !lines.of(context, at).maySeparate) return false;
      return judgeEmptyRow(context, at, size, lines) !== 'row';
    },
    resolve: (context, size) => strayedSeparator(context, rows, size, lines, reading),
    names: (context, at) => lines.of(context, at).name !== undefined,
    draw: (context, at, count) => drawer.draw(context, at, count, reading),
  };
}

/** Cells of line `at` in a reading; 0 if it is not a row. */
export function rowWidth(context: TextContext, at: number, lines: FieldLines, reading: Reading): number {
  const cells = lines.of(context, at).cells(reading, context.sink.book);
  return cells > MAX_ROW_CELLS ? 0 : cells;
}

/** Appends the tokens of line `at` from index `first` on, each as a cell. */
export function addTokens(
  { window }: TextContext,
  at: number,
  fields: LineFields,
  first: number,
  into: GridBuffer,
): void {
  for (let token = first; token < fields.tokens; token++) {
    into.add(fields.code[token] < 0 ? BLANK : fields.code[token], window.start[at] + fields.from[token]);
  }
}

/** Appends the cells of line `at`. */
export function addCells(
  { window, sink }: TextContext,
  at: number,
  fields: LineFields,
  reading: Reading,
  into: GridBuffer,
): void {
  const start = window.start[at];
  const [first, end] = fields.range(reading, sink.book);
  for (let token = first; token < end; token++) {
    const from = start + fields.from[token];
    if (reading === 'single') into.add(fields.code[token] < 0 ? BLANK : fields.code[token], from);
    else into.addBytes(window.bytes, from, start + fields.to[token]);
  }
}

/**
 * Whether line `at`, whose fields are all empty, is a row of blanks, or separates two grids, as spreadsheets write empty
 * rows.
 *
 * Any number of the empty lines from `at` on may separate: that number is possible after which a whole grid is followed
 * by the end or another such line. If none is possible, the grids are not separated. Empty lines up to the end, or as
 * many as a grid has rows, are no grid.
 */
export function judgeEmptyRow(
  context: TextContext,
  at: number,
  size: number,
  lines: FieldLines,
): 'separator' | 'row' | 'both' {
  const { window } = context;
  const isRow = (line: number) => window.has(line) && rowWidth(context, line, lines, 'single') === size;
  let empty = 1;
  while (empty < size && isRow(at + empty) && lines.of(context, at + empty).maySeparate) empty++;
  if (empty === size) return 'separator';
  let rows = empty;
  while (rows <= size + empty && isRow(at + rows)) rows++;
  if (rows === empty) return 'separator';
  let first: number | undefined;
  let several = false;
  for (let separators = 0; separators <= empty; separators++) {
    const end = separators + size;
    if (end > rows || (end < rows && !lines.of(context, at + end).maySeparate)) continue;
    several = first !== undefined;
    first ??= separators;
  }
  if (first === undefined) return rows < size ? 'separator' : 'row';
  if (first > 0) return 'separator';
  return several ? 'both' : 'row';
}

/** The first cell after which a row has another separator than the first row; undefined if there is none. */
function strayedSeparator(
  context: TextContext,
  rows: readonly number[],
  size: number,
  lines: FieldLines,
  reading: Reading,
): Fault | undefined {
  const model = lines.of(context, rows[0]);
  const { book } = context.sink;
  const [first, end] = model.range(reading, book);
  for (const [row, line] of rows.entries()) {
    const fields = lines.of(context, line);
    const [from, to] = fields.range(reading, book);
    // Groups of adjacent cells may be cut differently in each row.
    const step = size / (to - from);
    for (let token = 0; to - from === end - first && token < to - from - 1; token++) {
      const usual = model.after[first + token];
      if (fields.after[from + token] === usual) continue;
      const sign = usual === 0 ? 'a space' : `"${String.fromCharCode(usual)}"`;
      const expected = `${sign} after it, as in the first row`;
      return makeFault('bad_character', row * size + token * step, '', expected);
    }
  }
  return undefined;
}
