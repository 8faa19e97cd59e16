/** A place in a stream of text: line and column, from 1; the column counts characters of UTF-8. */
export class TextPosition {
  line = 1;
  column = 1;
  #afterCr = false;

  /** Goes over the bytes `from` to `to` (exclusive). */
  advance(bytes: Uint8Array, from: number, to: number): void {
    let { line, column } = this;
    let afterCr = this.#afterCr;
    for (let at = from; at < to; at++) {
      const byte = bytes[at];
      if (byte === 10) {
        if (!afterCr) line++;
        column = 1;
      } else if (byte === 13) {
        line++;
        column = 1;
      } else if ((byte & 0xc0) !== 0x80) column++;
      afterCr = byte === 13;
    }
    this.line = line;
    this.column = column;
    this.#afterCr = afterCr;
  }

  copy(): TextPosition {
    const copy = new TextPosition();
    copy.line = this.line;
    copy.column = this.column;
    copy.#afterCr = this.#afterCr;
    return copy;
  }
}
