/**
 * Grids of n lines with something regular around their cells, for which no other format is made.
 *
 *     5,3,0,0,7,0,0,0,0        [[5, 3, 0, 0, 7, 0, 0, 0, 0],       | 5 | 3 |   |   | 7 |   |   |   |   |
 *     6;;;1;9;5;;;              "530070000",                       |---|---|---|---|---|---|---|---|---|
 *
 * Lines are read as fields (`fields.ts`) with one cell in each or several, or by the columns of their cells
 * (`pitched-grid.ts`). Names of columns, and brackets on lines of their own, are skipped; a name before brackets is the
 * id. Solutions are drawn the same way.
 */
import { TAB } from '../../bytes/ascii.ts';
import { makeFault } from '../../records/fault.ts';
import { writeDrawn } from '../../writing/grid-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { matchGrid, matchWholeGrid } from '../rows/assembler.ts';
import { BLANK, maySeparate } from '../shape/fields.ts';
import { judgeRun } from '../shape/judge.ts';
import { resemblesCells } from '../shape/likeness.ts';
import { adjacent, FIELD_READINGS, type FieldsReading, single } from '../shape/readings.ts';
import { isFrame } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { columnNames, labelledSize } from './column-names.ts';
import { drawLabelled } from './field-drawing.ts';
import { fieldShape, judgeEmptyRow } from './field-shape.ts';
import { labelledPuzzle } from './labelled-line.ts';
import {
  fieldWidth,
  hasParts,
  isClosingLine,
  isFieldRow,
  isShortBar,
  mayBeOpening,
  openingLine,
} from './line-tests.ts';
import { matchPitched } from './pitched-grid.ts';

const SHAPES = { single: fieldShape(single), adjacent: fieldShape(adjacent) };

export const cellGrids: Recogniser = {
  name: 'cells',
  writer: { multiLine: true, write: writeDrawn },
  match(context, at) {
    const isOther = !hasParts(context, at) && !mayBeOpening(context, at);
    if (isOther || isShortBar(context, at)) return matchPitched(context, at);
    const skipped = skip(context, at);
    return skipped === NO ? matchRows(context, at) : skipped;
  },
};

/** Reads a grid only if all of it is well-formed; asked before lines are an error in another format. */
export function matchWholeCells(context: TextContext, at: number): number {
  const names = skipNames(context, at);
  if (names !== NO) return names;
  for (const { name } of isFieldRow(context, at) ? FIELD_READINGS : []) {
    const taken = matchWholeGrid(context, at, SHAPES[name]);
    if (taken !== NO) return taken;
  }
  return matchPitched(context, at);
}

/** Whether line `at` has no text, and as many tabs as separate the cells of a row. */
export function isBlankRow(context: TextContext, at: number): boolean {
  const { bytes, start, tokens } = context.window;
  return tokens[at] === 0 && bytes[start[at]] === TAB && isFieldRow(context, at);
}

/** Reads a grid whose first row is line `at`, which has tabs alone; `NO` if it only separates grids. */
export function matchBlankRow(context: TextContext, at: number): number {
  const empty = matchEmptyRow(context, at);
  return empty === NO ? matchWholeGrid(context, at, SHAPES.single) : empty;
}

/** Lines without cells: rulers, brackets, names of columns, and rows of empty fields between grids. */
function skip(context: TextContext, at: number): number {
  const number = context.window.number(at);
  if (isClosingLine(context, at) && (context.gridEndLine === number || context.openLists > 0)) {
    context.openLists = Math.max(0, context.openLists - 1);
    context.gridEndLine = number + 1;
    return 1;
  }
  const opening = openingLine(context, at);
  if (opening !== undefined) {
    if (!startsAfter(context, at)) return NO;
    context.openLists++;
    context.nextId = opening.name ?? context.nextId;
    context.sink.survey?.onHeader();
    return 1;
  }
  if (isFrame(context, at)) {
    context.setRuler(at);
    return 1;
  }
  const mayBeEmpty = maySeparate(context.lines.fields(at)) && isFieldRow(context, at);
  const empty = mayBeEmpty ? matchEmptyRow(context, at) : NO;
  if (empty !== NO) return empty;
  const labelled = matchLabelled(context, at);
  return labelled === NO ? skipNames(context, at) : labelled;
}

/** Skips a line whose fields are all empty if it separates grids; `NO` if it is a row of blanks. */
function matchEmptyRow(context: TextContext, at: number): number {
  const { window } = context;
  const size = fieldWidth(context, at);
  const kind = judgeEmptyRow(context, at, size);
  if (kind === 'row') return NO;
  const taken = kind === 'both' ? size + 1 : 1;
  if (kind === 'both') {
    const where = ', of which the first and the last are empty';
    const advice = `one of them is a row of the ${size}x${size} grid, and the other separates grids: remove that one`;
    const more = { where, advice };
    const fault = makeFault('row_count', window.start[at], `${taken} rows`, `${size} rows`, more);
    context.enterError(at, taken, fault);
  }
  context.gridEndLine = window.number(at) + taken;
  return taken;
}

/** Reads a grid with the names of its columns above and the numbers of its rows in front. */
function matchLabelled(context: TextContext, at: number): number {
  const { window, sink, grid } = context;
  const size = labelledSize(context, at);
  if (size === 0) return NO;
  grid.clear();
  for (let line = at + 1; line <= at + size; line++) {
    for (const { code, from } of context.lines.fields(line).tokens.slice(1)) {
      grid.add(code < 0 ? BLANK : code, window.start[line] + from);
    }
  }
  const arrangement = drawLabelled(context, at, size);
  const form = { format: cellGrids.name, geometry: sink.book.geometry(size), spaced: true, arrangement };
  context.enterGrid(form, at, size + 1);
  context.gridEndLine = window.number(at) + size + 1;
  return size + 1;
}

function skipNames(context: TextContext, at: number): number {
  const names = columnNames(context, at);
  if (names === 0) return NO;
  context.sink.survey?.onHeader();
  return names;
}

/** Whether the next line with text may belong to a grid. */
function startsAfter(context: TextContext, at: number): boolean {
  const { sink } = context;
  const next = context.nextText(at + 1);
  if (next === undefined) return false;
  if (isFieldRow(context, next) || openingLine(context, next) !== undefined) return true;
  if (resemblesCells(context, next) || isFrame(context, next)) return true;
  if (labelledPuzzle(context, next) !== undefined) return true;
  const { cells } = context.lines.fields(next);
  return FIELD_READINGS.some(({ name }) => sink.book.sizeOfCells(cells[name]) !== undefined);
}

function matchRows(context: TextContext, at: number): number {
  const { lines, window } = context;
  const { book } = context.sink;
  if (!lines.fields(at).structured) return matchPitched(context, at);
  for (const reading of FIELD_READINGS) {
    const width = lines.width(at, reading);
    if (!book.isSize(width)) continue;
    if (book.isLineOrRow(width) && judgeRun(context, at, width, reading) === 'lines') continue;
    const taken = matchReading(context, at, reading);
    return taken === NO ? matchPitched(context, at) : taken;
  }
  // A damaged first row: the next ones give the size.
  if (!window.has(at + 1)) return NO;
  for (const reading of isFieldRow(context, at + 1) ? FIELD_READINGS : []) {
    const taken = matchReading(context, at, reading);
    if (taken !== NO) return taken;
  }
  return matchPitched(context, at);
}

function matchReading(context: TextContext, at: number, reading: FieldsReading): number {
  const header = context.nextId;
  context.nextId = context.lines.fields(at).name ?? header;
  let taken = NO;
  try {
    taken = matchGrid(context, at, SHAPES[reading.name], matchPitched);
  } finally {
    if (taken === NO) context.nextId = header;
  }
  return taken;
}
