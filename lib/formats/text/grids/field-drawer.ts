/**
 * Drawings of grids of fields: the text of their lines with a mark for each cell, see `grid-drawing.ts`.
 *
 * Grids of one file get the same drawing although their numbers differ in width: if all fields are equally wide, a mark
 * takes the columns of the widest number; otherwise each field has the space that all of them have.
 */
import type { ByteBuffer } from '../../bytes/byte-buffer.ts';
import { CELL_MARK, MORE_MARK } from '../../writing/grid-drawing.ts';
import { DrawingText } from '../drawings/drawing-text.ts';
import type { GridDrawer } from '../drawings/grid-drawer.ts';
import type { TextContext } from '../text-context.ts';
import type { FieldLines } from './field-lines.ts';
import { isFrame } from './frames.ts';
import type { LineFields, Reading } from './line-fields.ts';
import { CLOSE, PARTS, QUOTE } from './line-parts.ts';

const LF = 10;
const SPACE = 32;

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
  readonly #lines: FieldLines;
  readonly #drawer: GridDrawer;
  readonly #drawing = new DrawingText();

  constructor(lines: FieldLines, drawer: GridDrawer) {
    this.#lines = lines;
    this.#drawer = drawer;
  }

  /** The drawing of the grid in `count` lines from `at`. */
  draw(context: TextContext, at: number, count: number, reading: Reading): string {
    const { window } = context;
    const out = this.#drawing.buffer;
    out.length = 0;
    const ruler = this.#drawer.rulerAbove(window.number(at));
    if (ruler !== undefined) out.text(`${ruler}\n`);
    const isRow = (line: number) => !isFrame(context, line) && this.#lines.of(context, line).tokens > 0;
    const drawn = Array.from({ length: count }, (_, k) => at + k).filter((line) => !context.isComment(line));
    const rows = drawn.filter(isRow).map((line) => this.#lines.of(context, line));
    const slot = reading === 'single' ? slotOf(rows, context) : undefined;
    for (const line of drawn) {
      const fields = this.#lines.of(context, line);
      // Without the text before the brackets, only brackets that were opened are closed.
      const closes = rows[0].hasOpening && fields === rows[rows.length - 1] ? rows[0].opens : undefined;
      if (isRow(line)) drawFields(context, line, fields, slot, out, closes);
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
      const fields = this.#lines.of(context, line);
      drawTokens(context, line, fields, [1, fields.tokens], NARROW, out, undefined);
    }
    return this.#drawing.text();
  }

  /** The drawing of the grid whose cells are the fields of line `at`. */
  drawLine(context: TextContext, at: number, fields: LineFields, reading: Reading): string {
    const out = this.#drawing.buffer;
    out.length = 0;
    const slot = reading === 'single' ? slotOf([fields], context) : undefined;
    drawFields(context, at, fields, slot, out, fields.hasOpening ? fields.opens : undefined);
    return this.#drawing.text();
  }
}

function drawFields(
  context: TextContext,
  at: number,
  fields: LineFields,
  slot: Slot | undefined,
  out: ByteBuffer,
  closes: number | undefined,
): void {
  const range = fields.range(slot === undefined ? 'adjacent' : 'single', context.sink.book);
  drawTokens(context, at, fields, range, slot, out, closes);
}

/** Cells directly after their separators. */
const NARROW: Slot = { first: 0, before: 0, after: 0, width: 0 };

/**
 * @param range indexes of the tokens with cells, the last one exclusive
 * @param slot place of the cells; undefined if tokens are adjacent cells
 * @param closes closing brackets after the cells; as in the line by default
 */
function drawTokens(
  { window }: TextContext,
  at: number,
  fields: LineFields,
  [first, end]: readonly [number, number],
  slot: Slot | undefined,
  out: ByteBuffer,
  closes: number | undefined,
): void {
  const start = window.start[at];
  let done = fields.textFrom;
  const { bytes } = window;
  const slotBytes = slot === undefined ? 0 : slot.first + slot.before + slot.after + slot.width + 1;
  out.ensure(fields.textTo + (end - first) * slotBytes + 1);
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
  if (closes === undefined) copyTo(fields.textTo);
  else copyTo(afterCloses(window.bytes, start, done, fields.textTo, closes));
  out.byte(LF);
}

/** Offset after so many closing brackets, or after a quote before them. */
function afterCloses(bytes: Uint8Array, start: number, from: number, to: number, closes: number): number {
  let left = closes;
  let end = from;
  for (let at = from; at < to; at++) {
    const part = PARTS[bytes[start + at]];
    if (part === CLOSE && left-- === 0) break;
    if (part === CLOSE || part === QUOTE) end = at + 1;
  }
  return end;
}

function slotOf(rows: readonly LineFields[], { sink }: TextContext): Slot {
  let width = -1;
  let equal = true;
  const before = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let after = Number.POSITIVE_INFINITY;
  for (const row of rows) {
    const [first, end] = row.range('single', sink.book);
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
