import { CR } from './ascii.ts';
export type PositionState = ReturnType<TextPosition['state']>;

/** A place in a stream of text: line and column, from 1; the column counts characters of UTF-8. */
export class TextPosition {
  line = 1;
  column = 1;
  /** A line feed that follows is part of the same line end. */
  #afterCr = false;

  /** Moves over the bytes `from` to `to` (exclusive). */
  advance(bytes: Uint8Array, from: number, to: number): void {
    let { line, column } = this;
    let afterCr = this.#afterCr;
    for (let at = from; at < to; at++) {
      const byte = bytes[at];
      if (isPlain(byte)) {
        const from = at;
        while (at + 1 < to && isPlain(bytes[at + 1])) at++;
        column += at + 1 - from;
        afterCr = false;
        continue;
      }
      if (byte === 10) {
        if (!afterCr) line++;
        column = 1;
      } else if (byte === CR) {
        line++;
        column = 1;
      } else if ((byte & 0xc0) !== 0x80) column++;
      afterCr = byte === CR;
    }
    this.line = line;
    this.column = column;
    this.#afterCr = afterCr;
  }

  /** Moves over `count` characters of one byte each, without line ends. */
  skip(count: number): void {
    this.column += count;
    this.#afterCr = false;
  }

  /** As plain data, for `from`. */
  state() {
    return { line: this.line, column: this.column, afterCr: this.#afterCr };
  }

  /** @returns a position with the state of another one; the start of a file if undefined */
  static from(state: Partial<PositionState> | undefined): TextPosition {
    const position = new TextPosition();
    if (state === undefined) return position;
    position.line = state.line ?? 1;
    position.column = state.column ?? 1;
    position.#afterCr = state.afterCr === true;
    return position;
  }

  copy(): TextPosition {
    return TextPosition.from(this.state());
  }
}

/** Whether a byte is a whole character and no line end. */
function isPlain(byte: number): boolean {
  return byte > CR && byte < 128;
}
