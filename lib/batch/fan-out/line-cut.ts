/**
 * Where a file of lines can be cut: between two lines that each hold a puzzle, found from any place in its middle.
 *
 *     ...39.7.4..\n# comment\n..3.2.6..9..3.5..1\n4.....8.5.3.........\n8.....
 *        ^ begins here                           ^ cut
 *
 * The line in which it begins is passed over; the cut stands before the second of the first two whole lines, directly
 * one after the other, that look like puzzles. It depends on nothing but the bytes from there on, so the function that
 * reads up to it and the one that reads on from it find the same place. Whether a reader that begins there reads what
 * one from the file's front would read is checked afterwards, by what each of them remembers.
 */
import { CELL, KINDS } from '../../formats/text/byte-kinds.ts';

const LF = 10;
/** Characters of cells, one after the other, that make a line look like a puzzle: those of a 9x9. */
const PUZZLE_CELLS = 81;

export interface Cut {
  /** Start of the line before the cut, which looks like a puzzle. */
  readonly lineBefore: number;
  /** Where the cut is: the start of the line behind it. */
  readonly at: number;
}

/** Looks for the first cut from a place on; bytes are shown in order, in any pieces. */
export class LineCut {
  /** Start of the line before the current one. */
  #before = -1;
  #beforeIsPuzzle = false;
  /** Start of the current line. */
  #line: number;
  /** Cells seen directly before the next byte, and whether they were enough once. */
  #cells = 0;
  #isPuzzle = false;
  /** The line in which it all began. */
  #partial = true;
  #at: number;

  /** @param from offset in the file of the first byte that is shown */
  constructor(from: number) {
    this.#line = from;
    this.#at = from;
  }

  /** Bytes from here on may still be needed: the start of the line before the current one. */
  get keepFrom(): number {
    return this.#beforeIsPuzzle ? this.#before : this.#line;
  }

  /** The cut is nowhere before this place. */
  get notBefore(): number {
    return this.#line;
  }

  /** Looks at the next bytes; the cut, as soon as the line behind it is whole. */
  push(bytes: Uint8Array): Cut | undefined {
    for (let k = 0; k < bytes.length; k++) {
      const byte = bytes[k]!;
      this.#at++;
      if (byte !== LF) {
        if ((KINDS[byte]! & CELL) === 0) this.#cells = 0;
        else if (++this.#cells === PUZZLE_CELLS) this.#isPuzzle = true;
        continue;
      }
      const isPuzzle = this.#isPuzzle && !this.#partial;
      if (isPuzzle && this.#beforeIsPuzzle) return { lineBefore: this.#before, at: this.#line };
      this.#before = this.#line;
      this.#beforeIsPuzzle = isPuzzle;
      this.#line = this.#at;
      this.#cells = 0;
      this.#isPuzzle = false;
      this.#partial = false;
    }
    return undefined;
  }
}
