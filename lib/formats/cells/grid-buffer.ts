/**
 * One grid as it stands in a text: a code for each cell, and where it was seen.
 *
 *     7 12 . A     codes: 55 ('7'), 256 + 12, 46 ('.'), 65 ('A')
 *
 * What a code means (a digit, a blank, a mistake) depends on the alphabet and is found out afterwards.
 */

/** Below 256, a byte that stands for a cell; `NUMBER` + k the number k written with several digits. */
export type CellCode = number;

/** Codes of numbers of several digits start here. */
export const NUMBER = 256;
/** Largest number that a code can hold. */
export const MAX_NUMBER = 999;
/** Code of `-1`, which some files write for a blank. */
export const MINUS_ONE = NUMBER + MAX_NUMBER + 1;
/** Codes are below this. */
export const CODE_COUNT = MINUS_ONE + 1;

export class GridBuffer {
  count = 0;
  codes = new Uint16Array(1296);
  /** Offsets into the bytes that were read. */
  offset = new Int32Array(1296);

  clear(): void {
    this.count = 0;
  }

  /** Appends a cell. */
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

  /** Appends a cell for each character, all of them at one offset; what is no byte is one of 255. */
  addText(text: string, offset: number): void {
    while (this.count + text.length > this.codes.length) this.#grow();
    const { codes } = this;
    const from = this.count;
    for (let k = 0; k < text.length; k++) codes[from + k] = Math.min(text.charCodeAt(k), 255);
    this.offset.fill(offset, from, from + text.length);
    this.count = from + text.length;
  }

  /** Becomes a copy of `count` cells of another buffer. */
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

/** How a cell with that code was written. */
export function codeText(code: CellCode): string {
  if (code === MINUS_ONE) return '-1';
  return code >= NUMBER ? String(code - NUMBER) : String.fromCharCode(code);
}
