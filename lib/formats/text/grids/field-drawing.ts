/**
 * Drawings of grids of fields.
 *
 * Grids of one file get the same drawing although their numbers differ in width: if all fields are equally wide, a mark
 * takes the columns of the widest number; otherwise each field has the space that all of them have.
 */
import type { LineFields } from '../shape/fields.ts';
import type { FieldsReading } from '../shape/readings.ts';
import { isFrame } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';

/** The place of a cell in its field. */
interface Slot {
  /** Space before the cell; in the first field of a row it may differ. */
  readonly first: number;
  readonly before: number;
  readonly after: number;
  /** Columns of the cell; 1 if they depend on its symbol. */
  readonly width: number;
}

/** Cells directly after their separators. */
const NARROW: Slot = { first: 0, before: 0, after: 0, width: 1 };

/** The drawing of the grid in `count` lines from `at`; undefined if text precedes its brackets, as in code. */
export function drawFields(
  context: TextContext,
  at: number,
  count: number,
  reading: FieldsReading,
): string | undefined {
  const { window, lines, drawings } = context;
  const drawn = Array.from({ length: count }, (_, k) => at + k).filter((line) => !context.isComment(line));
  const isRow = (line: number) => !isFrame(context, line) && lines.fields(line).tokens > 0;
  const rows = drawn.filter(isRow).map((line) => lines.fields(line));
  if (rows[0].span.hasOpening) return undefined;
  const slot = reading.spaced ? slotOf(rows) : undefined;
  drawings.begin(context.rulerAbove(window.number(at)));
  for (const line of drawn) {
    if (isRow(line)) drawRow(context, line, lines.fields(line), slot);
    else {
      drawings.line(window, window.start[line], window.end[line]);
      drawings.endLine();
    }
  }
  return drawings.text();
}

/** The drawing of the grid in `size` lines after line `at`, whose fields after the first one are the cells. */
export function drawLabelled(context: TextContext, at: number, size: number): string {
  const { window, drawings } = context;
  drawings.begin();
  drawings.line(window, window.start[at], window.end[at]);
  drawings.endLine();
  for (let line = at + 1; line <= at + size; line++) {
    const fields = context.lines.fields(line);
    drawRow(context, line, fields, NARROW, [1, fields.tokens]);
  }
  return drawings.text();
}

/** The drawing of the grid whose cells are the fields of line `at`; undefined if text precedes its brackets. */
export function drawLine(
  context: TextContext,
  at: number,
  fields: LineFields,
  reading: FieldsReading,
): string | undefined {
  if (fields.span.hasOpening) return undefined;
  context.drawings.begin();
  drawRow(context, at, fields, reading.spaced ? slotOf([fields]) : undefined);
  return context.drawings.text();
}

/**
 * @param slot place of the cells; undefined if tokens are adjacent cells
 * @param range indexes of the tokens with cells, the last one exclusive
 */
function drawRow(
  context: TextContext,
  at: number,
  fields: LineFields,
  slot: Slot | undefined,
  range = fields.range(slot === undefined ? 'adjacent' : 'single'),
): void {
  const { window, drawings } = context;
  const start = window.start[at];
  const { from, to, left, right, span } = fields;
  const [first, end] = range;
  drawings.line(window, start + span.from, start + span.end);
  for (let token = first; token < end; token++) {
    if (slot === undefined) drawings.cells(start + from[token], start + to[token]);
    else {
      const before = token === first ? slot.first : slot.before;
      drawings.cell(start + left[token], start + right[token], slot.width, before, slot.after);
    }
  }
  drawings.endLine();
}

function slotOf(rows: readonly LineFields[]): Slot {
  let width = -1;
  let equal = true;
  const before = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let after = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const [first, end] = row.range('single');
    for (let token = first; token < end; token++) {
      const columns = row.right[token] - row.left[token];
      if (width < 0) width = columns;
      if (columns !== width) equal = false;
      if (row.to[token] === row.from[token]) continue;
      const k = token === first ? 0 : 1;
      before[k] = Math.min(before[k], row.from[token] - row.left[token]);
      after = Math.min(after, row.right[token] - row.to[token]);
    }
  }
  if (equal && width > 0) {
    const margin = Math.min(...before, (width - 1) >> 1);
    const end = Math.min(after, width - 1 - margin);
    return { first: margin, before: margin, after: end, width: width - margin - end };
  }
  const [first, others, end] = [...before, after].map((space) => (Number.isFinite(space) ? space : 0));
  return { first, before: others, after: end, width: 1 };
}
