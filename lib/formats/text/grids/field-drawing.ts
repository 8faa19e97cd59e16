/**
 * Drawings of grids of fields.
 *
 * Grids of one file get the same drawing although their numbers differ in width: if all fields are equally wide, a mark
 * takes the columns of the widest number; otherwise each field has the space that all of them have.
 */

import { type DrawnLine, drawingOf, type Marks, NARROW } from '../drawings/drawing.ts';
import type { Fields, Token } from '../shape/fields.ts';
import type { Line } from '../shape/line.ts';
import type { FieldsReading } from '../shape/readings.ts';
import { isFrame } from '../shape/rulers.ts';

/** The drawing of the grid in `count` lines; undefined if text precedes its brackets, as in code. */
export function drawFields(first: Line, count: number, reading: FieldsReading): string | undefined {
  const { context, at } = first;
  const drawn: Line[] = [];
  for (let k = 0; k < count; k++) if (!context.line(at + k).isComment) drawn.push(context.line(at + k));
  const isRow = (line: Line) => !isFrame(line) && line.fields.tokens.length > 0;
  const rows = drawn.filter(isRow);
  const fields = rows.map((line) => line.fields);
  if (fields[0].hasOpening) return undefined;
  const marks = reading.spaced ? marksOf(fields) : undefined;
  const lineOf = (line: Line) =>
    rows.includes(line) ? drawnRow(line, line.fields, marks) : { line, slots: [] };
  return drawingOf(drawn.map(lineOf), first);
}

/** The drawing of the grid in `size` lines after a line, whose fields after the first one are the cells. */
export function drawLabelled(names: Line, size: number): string {
  const rows = Array.from({ length: size }, (_, row) => {
    const line = names.context.line(names.at + 1 + row);
    return drawnRow(line, line.fields, NARROW, line.fields.tokens.slice(1));
  });
  return drawingOf([{ line: names, slots: [] }, ...rows]);
}

/** The drawing of the grid whose cells are fields of a line; undefined if text precedes its brackets. */
export function drawLine(line: Line, fields: Fields, reading: FieldsReading): string | undefined {
  if (fields.hasOpening) return undefined;
  return drawingOf([drawnRow(line, fields, reading.spaced ? marksOf([fields]) : undefined)]);
}

/** @param marks of the cells; undefined if tokens are adjacent cells */
function drawnRow(
  line: Line,
  { from, end: to, read }: Fields,
  marks: Marks | undefined,
  tokens: readonly Token[] = read.single,
): DrawnLine {
  const adjacent = (token: Token) =>
    Array.from({ length: token.to - token.from }, (_, k) => {
      return { left: token.from + k, right: token.from + k + 1 };
    });
  return { line, from, to, slots: marks === undefined ? read.adjacent.flatMap(adjacent) : tokens, marks };
}

function marksOf(rows: readonly Fields[]): Marks {
  const [model] = rows[0].read.single;
  const width = model.right - model.left;
  let isEven = width > 0;
  let [first, others, after] = [Infinity, Infinity, Infinity];
  for (const { read } of rows) {
    for (let k = 0; k < read.single.length; k++) {
      const { from, to, left, right } = read.single[k];
      isEven &&= right - left === width;
      if (to === from) continue;
      if (k === 0) first = Math.min(first, from - left);
      else others = Math.min(others, from - left);
      after = Math.min(after, right - to);
    }
  }
  // Numbers of one width have all of it but their margins.
  if (isEven) {
    first = others = Math.min(first, others, (width - 1) >> 1);
    after = Math.min(after, width - 1 - first);
  }
  const columns = isEven ? width - first - after : 1;
  const finite = (space: number) => (Number.isFinite(space) ? space : 0);
  const marksAfter = (space: number) => ({ before: finite(space), columns, after: finite(after) });
  return { first: marksAfter(first), other: marksAfter(others) };
}
