/**
 * Drawings of grids of fields: the text of their lines with a mark for each cell, see `grid-drawing.ts`.
 *
 * Grids of one file get the same drawing although their numbers differ in width: if all fields are equally wide, a mark
 * takes the columns of the widest number; otherwise each field has the space that all of them have.
 */
import { LF, SPACE } from '../../bytes/ascii.ts';
import type { ByteBuffer } from '../../bytes/byte-buffer.ts';
import { CELL_MARK, MORE_MARK } from '../../writing/grid-drawing.ts';
import { DrawingText } from '../drawings/drawing-text.ts';
import type { GridDrawer } from '../drawings/grid-drawer.ts';
import type { FieldReading, LineFields } from '../shape/fields.ts';
import type { FieldsReading } from '../shape/readings.ts';
import { isFrame } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';

/** The place of a cell in its field. */
interface Slot {
  /** Space before the cell; in the first field of a row it may differ. */
  readonly first: number;
  readonly before: number;
  readonly after: number;
  /** Columns of the cell; 0 if they depend on its symbol. */
  readonly width: number;
}

export class FieldDrawer {
  readonly #drawer: GridDrawer;
  readonly #drawing = new DrawingText();

  constructor(drawer: GridDrawer) {
    this.#drawer = drawer;
  }

  /** The drawing of the grid in `count` lines from `at`; undefined if text precedes its brackets, as in code. */
  draw(context: TextContext, at: number, count: number, { name }: FieldsReading): string | undefined {
    const { window } = context;
    const out = this.#drawing.buffer;
    out.length = 0;
    const ruler = this.#drawer.rulerAbove(window.number(at));
    if (ruler !== undefined) out.text(`${ruler}\n`);
    const isRow = (line: number) => !isFrame(context, line) && context.lines.fields(line).tokens > 0;
    const drawn = Array.from({ length: count }, (_, k) => at + k).filter((line) => !context.isComment(line));
    const rows = drawn.filter(isRow).map((line) => context.lines.fields(line));
    if (rows[0].span.hasOpening) return undefined;
    const slot = name === 'single' ? slotOf(rows) : undefined;
    for (const line of drawn) {
      const fields = context.lines.fields(line);
      if (isRow(line)) drawFields(context, line, fields, slot, out);
      else out.text(`${window.string(window.start[line], window.end[line])}\n`);
    }
    return this.#drawing.text();
  }

  /** The drawing of the grid in `size` lines after line `at`, whose fields after the first one are the cells. */
  drawLabelled(context: TextContext, at: number, size: number): string {
    const { window } = context;
    const out = this.#drawing.buffer;
    out.length = 0;
    out.text(`${window.string(window.start[at], window.end[at])}\n`);
    for (let line = at + 1; line <= at + size; line++) {
      const fields = context.lines.fields(line);
      drawTokens(context, line, fields, [1, fields.tokens], NARROW, out);
    }
    return this.#drawing.text();
  }

  /** The drawing of the grid whose cells are the fields of line `at`; undefined if text precedes its brackets. */
  drawLine(context: TextContext, at: number, fields: LineFields, reading: FieldReading): string | undefined {
    if (fields.span.hasOpening) return undefined;
    const out = this.#drawing.buffer;
    out.length = 0;
    const slot = reading === 'single' ? slotOf([fields]) : undefined;
    drawFields(context, at, fields, slot, out);
    return this.#drawing.text();
  }
}

function drawFields(
  context: TextContext,
  at: number,
  fields: LineFields,
  slot: Slot | undefined,
  out: ByteBuffer,
): void {
  const range = fields.range(slot === undefined ? 'adjacent' : 'single');
  drawTokens(context, at, fields, range, slot, out);
}

/** Cells directly after their separators. */
const NARROW: Slot = { first: 0, before: 0, after: 0, width: 0 };

/**
 * @param range indexes of the tokens with cells, the last one exclusive
 * @param slot place of the cells; undefined if tokens are adjacent cells
 */
function drawTokens(
  { window }: TextContext,
  at: number,
  fields: LineFields,
  [first, end]: readonly [number, number],
  slot: Slot | undefined,
  out: ByteBuffer,
): void {
  const start = window.start[at];
  let done = fields.span.from;
  const { bytes } = window;
  const slotBytes = slot === undefined ? 0 : slot.first + slot.before + slot.after + slot.width + 1;
  out.ensure(fields.span.end + (end - first) * slotBytes + 1);
  const copyTo = (offset: number) => {
    const into = out.bytes;
    for (; done < offset; done++) into[out.length++] = bytes[start + done];
  };
  const repeat = (byte: number, count: number) => {
    for (let k = 0; k < count; k++) out.bytes[out.length++] = byte;
  };
  for (let token = first; token < end; token++) {
    if (slot === undefined) {
      copyTo(fields.from[token]);
      repeat(CELL_MARK, fields.to[token] - fields.from[token]);
      done = fields.to[token];
      continue;
    }
    copyTo(fields.left[token]);
    repeat(SPACE, token === first ? slot.first : slot.before);
    repeat(CELL_MARK, 1);
    repeat(MORE_MARK, slot.width - 1);
    repeat(SPACE, slot.after);
    done = fields.right[token];
  }
  if (end < fields.tokens) copyTo(Math.max(done, fields.left[end]));
  copyTo(fields.span.end);
  out.byte(LF);
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
  const [first, others] = before.map((space) => (Number.isFinite(space) ? space : 0));
  return { first, before: others, after: Number.isFinite(after) ? after : 0, width: 0 };
}
