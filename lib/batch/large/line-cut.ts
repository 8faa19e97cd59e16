/**
 * Finds a place where a file of lines can be cut, from any byte in its middle: between two lines that each hold a puzzle.
 *
 *     ...39.7.4..\n# comment\n..3.2.6..9..3.5..1\n4.....8.5.3.........\n8.....
 *        ^ search begins                         ^ cut
 *
 * The line in which the search begins is skipped. The cut is between the first two adjacent whole lines that look like
 * puzzles. It depends only on the bytes from the beginning of the search, so the functions on both sides of the cut
 * find the same byte. A later check compares the reader states on both sides, which proves that the shards have the
 * records of the whole file.
 */
import { CELL, KINDS } from '../../formats/cells/byte-kinds.ts';

const LF = 10;
/** Consecutive cell characters that make a line look like a puzzle: those of a 9x9. */
const PUZZLE_CELLS = 81;

export interface Cut {
  /** Start of the line before the cut. */
  readonly lineBefore: number;
  /** The cut: the start of the line after it. */
  readonly at: number;
}

/** Finds the first cut; bytes are pushed in order, in chunks of any size. */
export class LineCut {
  /** Start of the line before the current one. */
  #before = -1;
  #beforeIsPuzzle = false;
  /** Start of the current line. */
  #line: number;
  /** Cell characters directly before the next byte; and whether this line has reached `PUZZLE_CELLS`. */
  #cells = 0;
  #isPuzzle = false;
  /** Whether the current line is the one in which the search began. */
  #partial = true;
  #at: number;

  /** @param from offset in the file of the first byte pushed */
  constructor(from: number) {
    this.#line = from;
    this.#at = from;
  }

  /** Takes the next bytes. @returns the cut, as soon as the line after it is complete */
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
