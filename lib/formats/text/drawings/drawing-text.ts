import { ByteBuffer } from '../../bytes/byte-buffer.ts';

/** The drawing around a grid, in the form that `grid-drawing.ts` describes. */
export class DrawingText {
  /** The bytes of the drawing, cleared and filled by the caller. */
  readonly buffer = new ByteBuffer(1024);
  #lastBytes = new Uint8Array(0);
  #lastText = '';

  /** The drawing as text; the last text again if the drawing has not changed. */
  text(): string {
    const { bytes, length } = this.buffer;
    const last = this.#lastBytes;
    let same = last.length === length;
    for (let at = 0; same && at < length; at++) same = bytes[at] === last[at];
    if (same) return this.#lastText;
    this.#lastBytes = bytes.slice(0, length);
    this.#lastText = new TextDecoder().decode(this.#lastBytes);
    return this.#lastText;
  }
}
