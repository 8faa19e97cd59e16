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
import { NO, type Recogniser } from '../recogniser.ts';
import { matchGrid, matchWholeGrid } from '../rows/assembler.ts';
import { BLANK, maySeparate } from '../shape/fields.ts';
import { judgeRun } from '../shape/judge.ts';
import type { Line } from '../shape/line.ts';
import { adjacent, FIELD_READINGS, type FieldsReading, single } from '../shape/readings.ts';
import { isFrame, resemblesCells } from '../shape/rulers.ts';
import { isCellsLine } from './cell-lines.ts';
import { columnNames, labelledSize } from './column-names.ts';
import { drawLabelled } from './field-drawing.ts';
import { fieldShape, judgeEmptyRow } from './field-shape.ts';
import {
  fieldWidth,
  hasParts,
  isClosingLine,
  isFieldRow,
  mayBeOpening,
  openingOfLine,
} from './line-tests.ts';
import { matchPitched } from './pitched-grid.ts';

const SHAPES = { single: fieldShape(single), adjacent: fieldShape(adjacent) };

export const cellGrids: Recogniser = {
  name: 'cells',
  blankRows: true,
  match(line) {
    if (line.isBlank) return isBlankRow(line) ? matchBlankRow(line) : NO;
    if (!hasParts(line) && !mayBeOpening(line)) return matchPitched(line);
    const skipped = skip(line);
    return skipped === NO ? matchRows(line) : skipped;
  },
};

/** Reads a grid only if all of it is well-formed; asked before lines are an error in another format. */
export function matchWholeCells(line: Line): number {
  const names = skipNames(line);
  if (names !== NO) return names;
  for (const { name } of isFieldRow(line) ? FIELD_READINGS : []) {
    const taken = matchWholeGrid(line, SHAPES[name]);
    if (taken !== NO) return taken;
  }
  return matchPitched(line);
}

/** Whether a line has no text, and as many tabs as separate the cells of a row. */
export function isBlankRow(line: Line): boolean {
  return line.isBlank && line.bytes[line.start] === TAB && isFieldRow(line);
}

/** Reads a grid whose first row is a line that has tabs alone; `NO` if it only separates grids. */
function matchBlankRow(line: Line): number {
  const empty = matchEmptyRow(line);
  return empty === NO ? matchWholeGrid(line, SHAPES.single) : empty;
}

/** Lines without cells: rulers, brackets, names of columns, and rows of empty fields between grids. */
function skip(line: Line): number {
  const { context, number } = line;
  if (isClosingLine(line) && (context.gridEndLine === number || context.openLists > 0)) {
    context.openLists = Math.max(0, context.openLists - 1);
    context.gridEndLine = number + 1;
    return 1;
  }
  const opening = openingOfLine(line);
  if (opening !== undefined) {
    if (!startsAfter(line)) return NO;
    context.openLists++;
    context.nextId = opening.name ?? context.nextId;
    context.sink.survey?.onHeader();
    return 1;
  }
  if (isFrame(line)) {
    context.setRuler(line);
    return 1;
  }
  const empty = maySeparate(line.fields) && isFieldRow(line) ? matchEmptyRow(line) : NO;
  if (empty !== NO) return empty;
  const labelled = matchLabelled(line);
  return labelled === NO ? skipNames(line) : labelled;
}

/** Skips a line whose fields are all empty if it separates grids; `NO` if it is a row of blanks. */
function matchEmptyRow(line: Line): number {
  const { context, number, start } = line;
  const size = fieldWidth(line);
  const kind = judgeEmptyRow(line, size);
  if (kind === 'row') return NO;
  const taken = kind === 'both' ? size + 1 : 1;
  if (kind === 'both') {
    const where = ', of which the first and the last are empty';
    const advice = `one of them is a row of the ${size}x${size} grid, and the other separates grids: remove that one`;
    const fault = makeFault('row_count', start, `${taken} rows`, `${size} rows`, { where, advice });
    context.enterError(line, taken, fault);
  }
  context.gridEndLine = number + taken;
  return taken;
}

/** Reads a grid with the names of its columns above and the numbers of its rows in front. */
function matchLabelled(names: Line): number {
  const { context, book, at, number } = names;
  const { grid } = context;
  const size = labelledSize(names);
  if (size === 0) return NO;
  grid.clear();
  for (let row = 1; row <= size; row++) {
    const { fields, start } = context.line(at + row);
    for (const { code, from } of fields.tokens.slice(1)) grid.add(code < 0 ? BLANK : code, start + from);
  }
  const arrangement = drawLabelled(names, size);
  const form = { format: cellGrids.name, geometry: book.geometry(size), spaced: true, arrangement };
  context.enter(form, names, size + 1);
  context.gridEndLine = number + size + 1;
  return size + 1;
}

function skipNames(line: Line): number {
  const names = columnNames(line);
  if (names === 0) return NO;
  line.context.sink.survey?.onHeader();
  return names;
}

/** Whether the next line with text may belong to a grid. */
function startsAfter({ context, at }: Line): boolean {
  const next = context.nextText(at + 1);
  if (next === undefined) return false;
  if (isFieldRow(next) || openingOfLine(next) !== undefined) return true;
  return resemblesCells(next) || isFrame(next) || isCellsLine(next);
}

function matchRows(line: Line): number {
  const { book } = line;
  if (!line.fields.structured) return matchPitched(line);
  for (const reading of FIELD_READINGS) {
    const width = line.width(reading);
    if (!book.isSize(width)) continue;
    if (book.isLineOrRow(width) && judgeRun(line, width, reading) === 'lines') continue;
    const taken = matchReading(line, reading);
    return taken === NO ? matchPitched(line) : taken;
  }
  // A damaged first row: the next ones give the size.
  const { next } = line;
  for (const reading of next !== undefined && isFieldRow(next) ? FIELD_READINGS : []) {
    const taken = matchReading(line, reading);
    if (taken !== NO) return taken;
  }
  return matchPitched(line);
}

function matchReading(line: Line, reading: FieldsReading): number {
  const { context, fields } = line;
  const header = context.nextId;
  context.nextId = fields.name ?? header;
  let taken = NO;
  try {
    taken = matchGrid(line, SHAPES[reading.name], matchPitched);
    // Another grid with the same bytes between its cells has a name as well.
    if (fields.name !== undefined) context.example = undefined;
  } finally {
    if (taken === NO) context.nextId = header;
  }
  return taken;
}
