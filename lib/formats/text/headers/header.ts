/**
 * Lines that introduce a puzzle and may name it: `Grid 01`, `Puzzle 7:`, `Game #3 (hard)`, `Sudoku-4`. The line becomes the
 * puzzle's id.
 */

import { NO, type Recogniser } from '../recogniser.ts';
import type { TextContext } from '../text-context.ts';
import { isDescription } from './descriptions.ts';
import { sectionAt } from './sections.ts';

const HEADER =
  /^(?:grid|puzzle|sudoku|game|board|case|test|problem|level|example|sample|input|jigsaw|quiz|number|no\.?|nr\.?)[\s#_-]*\d+\s*(?:[:.]?|[(:,.-](?!.*[\d._*?-]{8}).*)$/i;
const MAX_HEADER_BYTES = 80;

/** Second letters of the words above by their first letter: a cheap test that rows of letters rarely pass. */
const SECOND_LETTERS: Readonly<Record<string, string>> = {
  g: 'ra',
  p: 'ur',
  s: 'ua',
  b: 'o',
  c: 'a',
  t: 'e',
  n: 'oru',
  l: 'e',
  e: 'x',
  i: 'n',
  j: 'i',
  q: 'u',
};
const secondLetters = new Map(
  Object.entries(SECOND_LETTERS).map(([first, second]) => [
    first.charCodeAt(0),
    [...second].map((letter) => letter.charCodeAt(0)),
  ]),
);

/** Whether line `at` introduces or describes a puzzle, or opens a section. */
export function isHeader(context: TextContext, at: number): boolean {
  return sectionAt(context, at) !== undefined || isTitle(context, at) || isDescription(context, at);
}

function isTitle({ window }: TextContext, at: number): boolean {
  const from = window.text[at];
  const end = window.end[at];
  const first = window.bytes[from] | 0x20;
  if (first < 98 || first > 116 || end - from > MAX_HEADER_BYTES || end - from < 4) return false;
  if (secondLetters.get(first)?.includes(window.bytes[from + 1] | 0x20) !== true) return false;
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
