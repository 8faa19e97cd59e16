/**
 * Decides for a size up to 9x9 whether 0 is a digit or a blank.
 *
 *     0 is the only blank                           a blank, as almost always
 *     0 and another blank, and the digit 9          both are blanks
 *     0 and another blank, 1 to 8, and no 9         0 is a digit: the digits are 0 to 8
 *     0 and another blank, and few digits           undecided
 *
 * Puzzles are votes, so that a few damaged ones decide nothing.
 */

import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { ZERO } from '../bytes/ascii.ts';
import type { CellCode } from './grid-buffer.ts';

/** Puzzles in which 0 is a blank, and as many in which it may be a digit, after which the first ones win. */
const SETTLED = 16;

export type ZeroSurvey = ReturnType<typeof zeroSurvey>;

export function zeroSurvey(size: number) {
  /** By digit: whether a puzzle with 0 and another blank has it. */
  const seen: Uint8Array = new Uint8Array(size + 1);
  /** Puzzles with the digit `size`, or with more zeros than a digit has cells. */
  let blank = 0;
  /** Other puzzles with 0 and another blank, and those among them with two zeros in a unit. */
  let open = 0;
  let clashing = 0;
  /** Line of the first one. */
  let firstLine: number | undefined;

  /** Enters a puzzle with 0 and another blank; one with the digit `size` is also entered by `addReadable`. */
  function addMixed(codes: ArrayLike<CellCode>, geometry: Geometry, line: number): void {
    let zeros = 0;
    for (let cell = 0; cell < geometry.cellCount; cell++) {
      const digit = codes[cell] - ZERO;
      if (digit === size) return;
      if (digit === 0) zeros++;
      if (digit >= 0 && digit < size) seen[digit] = 1;
    }
    if (geometry.places === undefined && zeros > size) {
      blank++;
      return;
    }
    open++;
    firstLine ??= line;
    if (clashes(codes, geometry)) clashing++;
  }

  /** Enters the values of `count` puzzles. Without a puzzle that may have 0 as a digit, most of them are not read. */
  function addReadable(block: Uint8Array, count: number, { cellCount }: Geometry): void {
    const cells = block.subarray(0, count * cellCount);
    let at = cells.indexOf(size);
    if (at < 0) return;
    if (open === 0) {
      blank += count;
      return;
    }
    while (at >= 0) {
      blank++;
      at = cells.indexOf(size, at + cellCount - (at % cellCount));
    }
  }

  function decide(): 'blank' | 'digit' | 'undecided' {
    if (open <= blank) return 'blank';
    const digits = seen.reduce((sum, one) => sum + one, 0);
    // A puzzle with one solution lacks at most one digit.
    const isSure = open > 2 * blank && clashing * 2 <= open && digits >= size - 1;
    return isSure ? 'digit' : 'undecided';
  }

  return {
    get firstLine() {
      return firstLine;
    },
    /** Whether another puzzle with 0 and another blank may change the decision. */
    get isOpen(): boolean {
      return blank < SETTLED || open * 2 > blank;
    },
    addMixed,
    addReadable,
    decide,
  };
}

/** Whether two zeros are in one unit. */
function clashes(codes: ArrayLike<CellCode>, { units }: Geometry): boolean {
  for (const { cells } of units) {
    let zeros = 0;
    for (const cell of cells) if (codes[cell] === ZERO && ++zeros > 1) return true;
  }
  return false;
}
