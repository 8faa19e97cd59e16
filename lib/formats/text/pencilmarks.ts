/**
 * Pencilmarks (sukaku): for every cell its candidates, 9 characters each in a 9x9 (729 on a line), 6 in a 6x6 (216).
 *
 *     123456789.2.4.....   the first cell may be anything, the second 2 or 4
 *
 * Such a puzzle is other items for the core, not other givens. It is recognised, so that 729 characters are never taken
 * for a 27x27, and refused by name.
 */
import { puzzleEnd } from './line.ts';
import { DIGIT, KINDS, type TextContext } from './text-context.ts';
import { NO, type TextFormat } from './text-format.ts';

const SIZES = [6, 9];

export const pencilmarks: TextFormat = {
  name: 'pencilmarks',
  match(context, at) {
    const { window } = context;
    const from = window.text[at];
    const end = puzzleEnd(context, at);
    const size = SIZES.find((each) => each ** 3 === end - from);
    if (size === undefined || !areCandidates(context, from, end, size)) return NO;
    context.enterError(at, 1, {
      code: 'unsupported_variant',
      line: at,
      offset: from,
      found: `pencilmarks of a ${size}x${size} (${end - from} characters)`,
      expected: `givens: ${size * size} characters`,
      problem: `found pencilmarks of a ${size}x${size} puzzle (sukaku), which are not solved: give the puzzle by its givens, ${size * size} characters`,
    });
    return 1;
  },
};

/** Whether each digit stands, if at all, at its own place within its cell's characters. */
function areCandidates(context: TextContext, from: number, end: number, size: number): boolean {
  const { bytes } = context.window;
  for (let byte = from; byte < end; byte++) {
    const value = KINDS[bytes[byte]] & DIGIT ? bytes[byte] - 48 : 0;
    if (value !== 0 && value !== ((byte - from) % size) + 1) return false;
  }
  return true;
}
