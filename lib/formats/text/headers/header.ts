/**
 * Lines that introduce a puzzle and may name it: `Grid 01`, `Puzzle 7:`, `Game #3`. The name becomes the puzzle's id.
 */

import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { sectionAt } from './sections.ts';

const HEADER = /^(grid|puzzle|sudoku|game|board|case|test|problem|no\.?|nr\.?)\s*#?\s*\d+\s*[:.]?$/i;
const MAX_HEADER_BYTES = 40;

/** Second letters of the words above by their first letter: a cheap test that rows of letters rarely pass. */
const SECOND_LETTERS: Readonly<Record<string, string>> = {
  g: 'ra',
  p: 'ur',
  s: 'u',
  b: 'o',
  c: 'a',
  t: 'e',
  n: 'or',
};
const secondLetters = new Map(
  Object.entries(SECOND_LETTERS).map(([first, second]) => [
    first.charCodeAt(0),
    [...second].map((letter) => letter.charCodeAt(0)),
  ]),
);

/** Whether line `at` introduces a puzzle, or opens a section. */
export function isHeader(context: TextContext, at: number): boolean {
  const { window } = context;
  const from = window.text[at];
  const end = window.end[at];
  if (sectionAt(context, at) !== undefined) return true;
  const first = window.bytes[from] | 0x20;
  if (first < 98 || first > 116 || end - from > MAX_HEADER_BYTES || end - from < 4) return false;
  if (secondLetters.get(first)?.includes(window.bytes[from + 1] | 0x20) !== true) return false;
  return HEADER.test(window.string(from, end));
}

export const header: Recogniser = {
  name: 'header',
  minBytes: 4,
  match(context, at) {
    if (!isHeader(context, at) || sectionAt(context, at) !== undefined) return NO;
    context.nextId = context.window.string(context.window.text[at], context.window.end[at]);
    context.sink.onHeader();
    return 1;
  },
};
