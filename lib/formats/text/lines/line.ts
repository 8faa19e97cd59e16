/**
 * A puzzle on one line, and behind it, if anything, its label.
 *
 *     53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 easy, 1.2
 *
 * The puzzle ends with the line, or at white space, a comma, a semicolon or a colon.
 */
import { writeLine } from '../../writing/grid-text.ts';
import { MORE, NO, type TextFormat } from '../recogniser.ts';
import { KINDS, SEPARATOR, type TextContext } from '../text-context.ts';
import { continueRun, judgeRun } from './line-runs.ts';

/** Behind the puzzle that line `at` starts with: the first separator, or the end of the first token. */
export function puzzleEnd(context: TextContext, at: number): number {
  const { bytes, text, tokenEnd } = context.window;
  const from = text[at];
  const number = context.window.number(at);
  // Each format asks again.
  if (context.partLine === number) return from + context.partLength;
  const end = tokenEnd[at];
  let byte = from;
  while (byte < end && (KINDS[bytes[byte]] & SEPARATOR) === 0) byte++;
  context.partLine = number;
  context.partLength = byte - from;
  return byte;
}

export const line: TextFormat = {
  name: 'line',
  leastBytes: 16,
  match(context, at) {
    const { window, sink } = context;
    const end = puzzleEnd(context, at);
    const from = window.text[at];
    const geometry = sink.book.geometryOfCells(end - from);
    if (geometry === undefined) return NO;
    const bare = end === window.end[at];
    if (bare && sink.book.isLineOrRow(end - from)) {
      const kind = judgeRun(context, at);
      if (kind === undefined) return MORE;
      if (kind === 'rows') return NO;
      continueRun(context, kind, end - from, window.number(at) + 1);
    }
    const number = window.number(at);
    const place = { format: 'line', geometry, spaced: false, line: number, lineEnd: number };
    context.enterLine(place, at, from, end, bare ? undefined : labelNotes(context, at, end));
    return 1;
  },
  writer: { multiLine: false, write: writeLine },
};

function labelNotes(context: TextContext, at: number, from: number): { id: string } | undefined {
  const { window } = context;
  let start = from;
  while (start < window.end[at] && isBeforeLabel(window.bytes[start])) start++;
  return start === window.end[at] ? undefined : { id: window.string(start, window.end[at]) };
}

function isBeforeLabel(byte: number): boolean {
  return byte <= 32 || byte === 35 || (KINDS[byte] & SEPARATOR) !== 0;
}
