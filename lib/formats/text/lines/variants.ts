/**
 * Puzzles with rules beyond the givens (cages, inequalities): recognised by their first characters
 * and rejected by name, so that they are not reported as damage.
 */

import { COLONS, DIGIT, KINDS, LETTER } from '../../bytes/byte-kinds.ts';
import { makeFault } from '../../records/fault.ts';
import { NO, type Recogniser } from '../recogniser.ts';

/** Patterns of the variants, at the start of a line. */
const UNSUPPORTED: ReadonlyArray<readonly [variant: string, pattern: RegExp]> = [
  ['killer sudoku of SumoCue', /^SumoCueV1/i],
  ['killer sudoku of JSudoku', /^\d+x\d+:[^:]*:k:/i],
  ['sandwich sudoku of JSudoku', /^\d+x\d+:([^:]*:)?s:/i],
  ['greater-than sudoku of JSudoku', /^\d+x\d+:[^:]*:[a-z]*[<>]/i],
  ['a variant of JSudoku', /^\d+x\d+:[^:]*:[^:]*:/i],
];

/** What they begin with, and the first letter of a name; all others have a colon. */
const FIRST = LETTER | DIGIT;
const S = 0x73;

export const variants: Recogniser = {
  name: 'variants',
  minBytes: 6,
  has: LETTER,
  match(line) {
    const { context, bytes, from } = line;
    // No text is made of most lines.
    if ((KINDS[bytes[from]] & FIRST) === 0 || (!line.has(COLONS) && (bytes[from] | 32) !== S)) return NO;
    const { text } = line;
    const variant = UNSUPPORTED.find(([, pattern]) => pattern.test(text))?.[0];
    if (variant === undefined) return NO;
    const expected = 'a puzzle given by its givens alone';
    const more = { where: 'whose rules are not known here' };
    const fault = makeFault('unsupported_variant', from, variant, expected, more);
    return context.enterError(line, 1, fault);
  },
};
