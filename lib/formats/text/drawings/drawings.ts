/**
 * Draws grids as they are in the file, in the form that `grid-drawing.ts` describes: the text of their lines with marks
 * for the cells, and the ruler directly above. The recogniser goes through the cells; this copies what is between them.
 */
import { LF, SPACE } from '../../bytes/ascii.ts';
import { ByteBuffer } from '../../bytes/byte-buffer.ts';
import { CELL_MARK, MORE_MARK } from '../../writing/grid-drawing.ts';
import type { LineWindow } from '../line-window.ts';

export class Drawings {
  readonly #out = new ByteBuffer(1024);
  #lastBytes = new Uint8Array(0);
  #lastText = '';
  /** The line being drawn: its bytes, its end, and the offset up to which it is drawn. */
  #bytes = this.#lastBytes;
  #end = 0;
  #done = 0;

  /** Begins the drawing of a grid, with the ruler above it, if any. */
  begin(ruler?: string): void {
    this.#out.length = 0;
    if (ruler !== undefined) this.#out.text(`${ruler}\n`);
  }

  /** Begins a line: the bytes `from` to `to` (exclusive) of the window. */
  line({ bytes }: LineWindow, from: number, to: number): void {
    this.#bytes = bytes;
    this.#done = from;
    this.#end = to;
  }

  /**
   * Draws a cell in the place of the bytes `from` to `to` (exclusive), which may be after the end of the line.
   *
   * @param width its columns; 1 if they depend on its symbol
   * @param before spaces before it
   * @param after spaces after it
   */
  cell(from: number, to: number, width = 1, before = 0, after = 0): void {
    if (from > this.#done) this.copy(from);
    const out = this.#out;
    out.ensure(before + width + after);
    const { bytes } = out;
    for (let k = 0; k < before; k++) bytes[out.length++] = SPACE;
    for (let k = 0; k < width; k++) bytes[out.length++] = k === 0 ? CELL_MARK : MORE_MARK;
    for (let k = 0; k < after; k++) bytes[out.length++] = SPACE;
    this.#done = to;
  }

  /** Draws cells that are adjacent bytes. */
  cells(from: number, to: number): void {
    this.copy(from);
    const out = this.#out;
    out.ensure(to - from);
    out.bytes.fill(CELL_MARK, out.length, out.length + to - from);
    out.length += to - from;
    this.#done = to;
  }

  /** Copies the line up to an offset; the rest of it by default. */
  copy(to = this.#end): void {
    const out = this.#out;
    out.ensure(Math.max(0, to - this.#done));
    for (; this.#done < to; this.#done++) {
      out.bytes[out.length++] = this.#done < this.#end ? this.#bytes[this.#done] : SPACE;
    }
  }

  endLine(): void {
    this.copy();
    this.#out.byte(LF);
  }

  /** The drawing as text; the last text again if it has not changed. */
  text(): string {
    const { bytes, length } = this.#out;
    const last = this.#lastBytes;
    let same = last.length === length;
    for (let at = 0; same && at < length; at++) same = bytes[at] === last[at];
    if (same) return this.#lastText;
    this.#lastBytes = bytes.slice(0, length);
    this.#lastText = new TextDecoder().decode(this.#lastBytes);
    return this.#lastText;
  }
}
