/**
 * Drawings of grids of fields.
 *
 * Grids of one file get the same drawing although their numbers differ in width: if all fields are equally wide, a mark
 * takes the columns of the widest number; otherwise each field has the space that all of them have.
 */

import type { LineWindow } from '../../bytes/line-window.ts';
import { type DrawnLine, drawingOf, type Slot } from '../drawings/drawing.ts';
import type { Fields, Token } from '../shape/fields.ts';
import type { FieldsReading } from '../shape/readings.ts';
import { isFrame } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';

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

/** The drawing of the grid in `count` lines from `at`; undefined if text precedes its brackets, as in code. */
export function drawFields(
  context: TextContext,
  at: number,
  count: number,
  reading: FieldsReading,
): string | undefined {
  const { window, lines } = context;
  const drawn = Array.from({ length: count }, (_, k) => at + k).filter((line) => !context.isComment(line));
  const isRow = (line: number) => !isFrame(context, line) && lines.fields(line).tokens.length > 0;
  const rows = drawn.filter(isRow).map((line) => lines.fields(line));
  if (rows[0].hasOpening) return undefined;
  const slot = reading.spaced ? slotOf(rows) : undefined;
  const lineOf = (line: number) =>
    isRow(line) ? drawnRow(window, line, lines.fields(line), slot) : wholeLine(window, line);
  return drawingOf(context, drawn.map(lineOf), at);
}

/** The drawing of the grid in `size` lines after line `at`, whose fields after the first one are the cells. */
export function drawLabelled(context: TextContext, at: number, size: number): string {
  const { window, lines } = context;
  const rows = Array.from({ length: size }, (_, row) => {
    const fields = lines.fields(at + 1 + row);
    return drawnRow(window, at + 1 + row, fields, NARROW, fields.tokens.slice(1));
  });
  return drawingOf(context, [wholeLine(window, at), ...rows]);
}

/** The drawing of the grid whose cells are the fields of line `at`; undefined if text precedes its brackets. */
export function drawLine(
  context: TextContext,
  at: number,
  fields: Fields,
  reading: FieldsReading,
): string | undefined {
  if (fields.hasOpening) return undefined;
  const slot = reading.spaced ? slotOf([fields]) : undefined;
  return drawingOf(context, [drawnRow(context.window, at, fields, slot)]);
}

function wholeLine({ start, end }: LineWindow, at: number): DrawnLine {
  return { from: start[at], to: end[at], slots: [] };
}

/** @param slot place of the cells; undefined if tokens are adjacent cells */
function drawnRow(
  { start }: LineWindow,
  at: number,
  { from, end, read }: Fields,
  slot: CellSlot | undefined,
  tokens: readonly Token[] = slot === undefined ? read.adjacent : read.single,
): DrawnLine {
  const line = start[at];
  const slots: Slot[] = [];
  for (let k = 0; k < tokens.length; k++) {
    const token = tokens[k];
    if (slot === undefined) {
      for (let byte = line + token.from; byte < line + token.to; byte++)
        slots.push({ from: byte, to: byte + 1 });
      continue;
    }
    const { first, before, after, width } = slot;
    slots.push({
      from: line + token.left,
      to: line + token.right,
      before: k === 0 ? first : before,
      after,
      width,
    });
  }
  return { from: line + from, to: line + end, slots };
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
