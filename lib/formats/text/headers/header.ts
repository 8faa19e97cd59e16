/**
 * Lines that introduce a puzzle and may name it: `Grid 01`, `Puzzle 7:`, `Game #3 (hard)`, `Sudoku-4`. The line becomes the
 * puzzle's id.
 */

import { ANGLES, DIGIT, KINDS, LETTER } from '../../bytes/byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { isDescription } from './descriptions.ts';
import { sectionAt } from './sections.ts';

const HEADER =
  /^(?:grid|puzzle|sudoku|game|board|case|test|problem|level|example|sample|input|jigsaw|quiz|number|no\.?|nr\.?)[\s#_-]*\d+\s*(?:[:.]?|[(:,.-](?!.*[\d._*?-]{8}).*)$/i;
const MAX_HEADER_BYTES = 80;

/** Whether line `at` introduces or describes a puzzle, or opens a section. */
export function isHeader(context: TextContext, at: number): boolean {
  // All have a letter, or are comments of markup.
  if ((context.window.kinds[at] & (LETTER | ANGLES)) === 0) return false;
  return sectionAt(context, at) !== undefined || isTitle(context, at) || isDescription(context, at);
}

function isTitle({ lines, window }: TextContext, at: number): boolean {
  const length = window.end[at] - window.text[at];
  if (length < 4 || length > MAX_HEADER_BYTES) return false;
  const begins = (KINDS[window.bytes[window.text[at]]] & LETTER) !== 0;
  return begins && (window.kinds[at] & DIGIT) !== 0 && HEADER.test(lines.text(at));
}

export const header: Recogniser = {
  name: 'header',
  minBytes: 4,
  has: LETTER,
  match(context, at) {
    if (!isTitle(context, at)) return NO;
    const { window } = context;
    context.nextId = window.string(window.text[at], window.end[at]);
    context.sink.survey?.onHeader();
    return 1;
  },
};
