/**
 * One grid of a text: for each cell a code and its offset.
 *
 *     7 12 . A     codes: 55 ('7'), 256 + 12, 46 ('.'), 65 ('A')
 *
 * The meaning of a code (a digit, a blank, an error) depends on the alphabet and is decided later.
 */

/** Below 256, the byte of a cell; `NUMBER` + k is the number k, written with several digits. */
export type CellCode = number;

/** First code of numbers with several digits. */
export const NUMBER = 256;
/** Largest number that a code can hold. */
export const MAX_NUMBER = 999;
/** Code of `-1`, the blank of some files. */
export const MINUS_ONE = NUMBER + MAX_NUMBER + 1;
/** Codes are below this. */
export const CODE_COUNT = MINUS_ONE + 1;

/** Enough for a 16x16; larger grids make it grow. */
const INITIAL_CELLS = 256;

export class GridBuffer {
  count = 0;
  codes = new Uint16Array(INITIAL_CELLS);
  /** Offsets of the cells in the bytes that were read. */
  offset = new Int32Array(INITIAL_CELLS);

  clear(): void {
    this.count = 0;
  }

  add(code: CellCode, offset: number): void {
    if (this.count === this.codes.length) this.#grow();
    this.codes[this.count] = code;
    this.offset[this.count++] = offset;
  }

  /** Appends a cell for each byte. */
  addBytes(bytes: Uint8Array, from: number, to: number): void {
    while (this.count + to - from > this.codes.length) this.#grow();
    const { codes, offset } = this;
    let cell = this.count;
    for (let at = from; at < to; at++) {
      codes[cell] = bytes[at];
      offset[cell++] = at;
    }
    this.count = cell;
  }

  /** Appends a cell for each character, all at one offset; characters above 255 become 255. */
  addText(text: string, offset: number): void {
    while (this.count + text.length > this.codes.length) this.#grow();
    const { codes } = this;
    const from = this.count;
    for (let k = 0; k < text.length; k++) codes[from + k] = Math.min(text.charCodeAt(k), 255);
    this.offset.fill(offset, from, from + text.length);
    this.count = from + text.length;
  }

  /** Replaces the content with `count` cells of another buffer. */
  copy(other: GridBuffer, from: number, count: number): void {
    while (count > this.codes.length) this.#grow();
    this.codes.set(other.codes.subarray(from, from + count));
    this.offset.set(other.offset.subarray(from, from + count));
    this.count = count;
  }

  #grow(): void {
    const codes = new Uint16Array(this.codes.length * 2);
    const offset = new Int32Array(this.codes.length * 2);
    codes.set(this.codes);
    offset.set(this.offset);
    this.codes = codes;
    this.offset = offset;
  }
}

/** @returns the text of a cell with that code */
export function codeText(code: CellCode): string {
  if (code === MINUS_ONE) return '-1';
  return code >= NUMBER ? String(code - NUMBER) : String.fromCharCode(code);
}
