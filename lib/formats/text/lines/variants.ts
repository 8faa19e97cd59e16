/**
 * Puzzles with rules beyond the givens (cages, inequalities): recognised by their first characters
 * and rejected by name, so that they are not reported as damage.
 */

import { DASH } from '../../bytes/ascii.ts';
import { makeFault } from '../../records/fault.ts';
import { CELL, KINDS, LETTER } from '../byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';

/** Patterns of the variants, at the start of a line. */
const UNSUPPORTED: ReadonlyArray<readonly [variant: string, pattern: RegExp]> = [
  ['killer sudoku of SumoCue', /^SumoCueV1/i],
  ['killer sudoku of JSudoku', /^\d+x\d+:[^:]*:k:/i],
  ['sandwich sudoku of JSudoku', /^\d+x\d+:([^:]*:)?s:/i],
  ['greater-than sudoku of JSudoku', /^\d+x\d+:[^:]*:[a-z]*[<>]/i],
  ['a variant of JSudoku', /^\d+x\d+:[^:]*:[^:]*:/i],
];

const MAX_SIGN_BYTES = 200;

export const variants: Recogniser = {
  name: 'variants',
  minBytes: 6,
  match(context, at) {
    const { window } = context;
    const from = window.text[at];
    // All of them start with a letter, or with a size and an x.
    const [first, second] = [window.bytes[from], window.bytes[from + 1]];
    const letter = (first | 0x20) >= 97 && (first | 0x20) <= 122;
    const sized = first >= 49 && first <= 57 && (second === 120 || window.bytes[from + 2] === 120);
    if (!letter && !sized) return NO;
    if (!hasSign(window.bytes, from, Math.min(window.tokenEnd[at], from + MAX_SIGN_BYTES))) return NO;
    const sign = window.string(from, Math.min(window.tokenEnd[at], from + MAX_SIGN_BYTES));
    const variant = UNSUPPORTED.find(([, pattern]) => pattern.test(sign))?.[0];
    if (variant === undefined) return NO;
    const expected = 'a puzzle given by its givens alone';
    const where = 'whose rules are not known here';
    return context.enterError(at, 1, makeFault('unsupported_variant', from, variant, expected, { where }));
  },
};

/** Whether the bytes have a character that no puzzle has, or start like a word: no others match a pattern. */
function hasSign(bytes: Uint8Array, from: number, to: number): boolean {
  for (let byte = from; byte < to; byte++) if ((KINDS[bytes[byte]] & CELL) === 0) return true;
  const second = bytes[from + 1];
  return second === DASH || (KINDS[second] & KINDS[bytes[from + 2]] & LETTER) !== 0;
}
