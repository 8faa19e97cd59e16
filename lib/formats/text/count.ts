/**
 * A line with a lone integer: how many puzzles follow, at the head of the file (SPOJ SUDOKU) or before each puzzle, or
 * the size of the next one, or the order of its boxes.
 */
import type { TextContext } from './text-context.ts';
import { DIGIT, KINDS } from './text-context.ts';
import { MORE, NO, type TextFormat } from './text-format.ts';

const MOST_DIGITS = 9;

/** Whether line `at` is a lone integer. */
export function isInteger(context: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = context.window;
  if (tokens[at] !== 1 || end[at] - text[at] > MOST_DIGITS) return false;
  for (let byte = text[at]; byte < end[at]; byte++) if ((KINDS[bytes[byte]] & DIGIT) === 0) return false;
  return true;
}

export const count: TextFormat = {
  name: 'count',
  match(context, at) {
    if (!isInteger(context, at)) return NO;
    const { window } = context;
    let next = at + 1;
    while (window.has(next) && (context.isBlank(next) || context.isComment(next))) next++;
    if (!window.has(next)) {
      if (!window.closed) return MORE;
      // Some judges end their input with a lone 0.
      return window.string(window.text[at], window.end[at]) === '0' ? 1 : NO;
    }
    // A row of digits, or one cell a line, is followed by its like.
    const alike = window.tokens[next] === 1 && width(context, next) === width(context, at);
    if (alike) return NO;
    context.sink.announce();
    allowSize(context, at, next);
    return 1;
  },
};

/** A lone integer may be the size of the next puzzle: then any size that has a usual box is read. */
function allowSize(context: TextContext, at: number, next: number): void {
  const { window, sink } = context;
  const size = Number(window.string(window.text[at], window.end[at]));
  if (size === window.tokens[next] || (window.tokens[next] === 1 && size === width(context, next))) {
    sink.book.allow(size);
  }
}

function width(context: TextContext, at: number): number {
  return context.window.end[at] - context.window.text[at];
}
