/**
 * Drawings of grids of fields.
 *
 * Grids of one file get the same drawing although their numbers differ in width: if all fields are equally wide, a mark
 * takes the columns of the widest number; otherwise each field has the space that all of them have.
 */

import { type DrawnLine, drawingOf } from '../drawings/drawing.ts';
import type { Fields, Token } from '../shape/fields.ts';
import type { Line } from '../shape/line.ts';
import type { FieldsReading } from '../shape/readings.ts';
import { isFrame } from '../shape/rulers.ts';

/** The place of a cell in its field. */
interface CellSlot {
  /** Space before the cell; in the first field of a row it may differ. */
  readonly first: number;
  readonly before: number;
  readonly after: number;
  /** Columns of the cell; 1 if they depend on its symbol. */
  readonly width: number;
}

/** Cells directly after their separators. */
const NARROW: CellSlot = { first: 0, before: 0, after: 0, width: 1 };

/** The drawing of the grid in `count` lines; undefined if text precedes its brackets, as in code. */
export function drawFields(first: Line, count: number, reading: FieldsReading): string | undefined {
  const { context, at } = first;
  const drawn = Array.from({ length: count }, (_, k) => context.line(at + k)).filter(
    (line) => !line.isComment,
  );
  const isRow = (line: Line) => !isFrame(line) && line.fields.tokens.length > 0;
  const rows = drawn.filter(isRow).map(({ fields }) => fields);
  if (rows[0].hasOpening) return undefined;
  const slot = reading.spaced ? slotOf(rows) : undefined;
  const lineOf = (line: Line) => (isRow(line) ? drawnRow(line, line.fields, slot) : { line, slots: [] });
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
  return drawingOf([drawnRow(line, fields, reading.spaced ? slotOf([fields]) : undefined)]);
}

/** @param slot place of the cells; undefined if tokens are adjacent cells */
function drawnRow(
  line: Line,
  { from, end, read }: Fields,
  slot: CellSlot | undefined,
  tokens: readonly Token[] = read.single,
): DrawnLine {
  const { start } = line;
  const place = { line, from: start + from, to: start + end };
  if (slot !== undefined) {
    const { first, before, after, width } = slot;
    const slots = tokens.map(({ left, right }, k) => {
      return { from: start + left, to: start + right, before: k === 0 ? first : before, after, width };
    });
    return { ...place, slots };
  }
  const slots = read.adjacent.flatMap((token) =>
    Array.from({ length: token.to - token.from }, (_, k) => {
      return { from: start + token.from + k, to: start + token.from + k + 1 };
    }),
  );
  return { ...place, slots };
}

function slotOf(rows: readonly Fields[]): CellSlot {
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
  if (isEven) {
    const margin = Math.min(first, others, (width - 1) >> 1);
    const end = Math.min(after, width - 1 - margin);
    return { first: margin, before: margin, after: end, width: width - margin - end };
  }
  const finite = (space: number) => (Number.isFinite(space) ? space : 0);
  return { first: finite(first), before: finite(others), after: finite(after), width: 1 };
}
