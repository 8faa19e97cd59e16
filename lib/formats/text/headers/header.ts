/**
 * Lines that introduce a puzzle and may name it: `Grid 01`, `Puzzle 7:`, `Game #3 (hard)`, `Sudoku-4`. The line becomes the
 * puzzle's id.
 */

import { DIGIT, KINDS, kindsIn, LETTER } from '../byte-kinds.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { isDescription } from './descriptions.ts';
import { sectionAt } from './sections.ts';

const HEADER =
  /^(?:grid|puzzle|sudoku|game|board|case|test|problem|level|example|sample|input|jigsaw|quiz|number|no\.?|nr\.?)[\s#_-]*\d+\s*(?:[:.]?|[(:,.-](?!.*[\d._*?-]{8}).*)$/i;
const MAX_HEADER_BYTES = 80;

/** Whether line `at` introduces or describes a puzzle, or opens a section. */
export function isHeader(context: TextContext, at: number): boolean {
  return sectionAt(context, at) !== undefined || isTitle(context, at) || isDescription(context, at);
}

function isTitle({ window }: TextContext, at: number): boolean {
  const from = window.text[at];
  const end = window.end[at];
  if (end - from > MAX_HEADER_BYTES || end - from < 4) return false;
  // Most lines do not start with two letters, nor have a digit.
  const { bytes } = window;
  if ((KINDS[bytes[from]] & KINDS[bytes[from + 1]] & LETTER) === 0) return false;
  if ((kindsIn(bytes, from + 2, end, DIGIT) & DIGIT) === 0) return false;
  return HEADER.test(window.string(from, end));
}

export const header: Recogniser = {
  name: 'header',
  minBytes: 4,
  match(context, at) {
    if (!isTitle(context, at)) return NO;
    context.nextId = context.window.string(context.window.text[at], context.window.end[at]);
    context.sink.onHeader();
    return 1;
  },
};
