/**
 * A puzzle on one line, followed by its label, if any.
 *
 *     53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 easy, 1.2
 *
 * The puzzle ends with the line, or at white space, a comma, a semicolon or a colon.
 */

import { CELL, KINDS, kindsIn, QUOTE, SEPARATOR } from '../../bytes/byte-kinds.ts';
import { textIn } from '../../bytes/byte-text.ts';
import { writeLine } from '../../writing/grid-drawing.ts';
import { NO, type Recogniser } from '../recogniser.ts';
import { judgeChars } from '../shape/judge.ts';
import { isDrawnRuler } from '../shape/rulers.ts';
import type { TextContext } from '../text-context.ts';
import { isGrouped, isSplitLine } from './full-line.ts';

export const line: Recogniser = {
  name: 'line',
  minBytes: 16,
  writer: { multiLine: false, write: writeLine },
  match(context, at) {
    const { window, sink } = context;
    const end = context.puzzleEnd(at);
    const from = window.text[at];
    const geometry = sink.book.geometryOfCells(end - from);
    if (geometry === undefined || isSeparated(context, from, end, geometry.size)) return NO;
    const bare = end === window.end[at];
    // A space in a damaged puzzle does not make its front a smaller one with a label.
    if (!bare && isSplitLine(context, at) && geometry.size !== context.lineSize) return NO;
    if (isDrawnRuler(context, at) || isQuoted(context, from, end)) return NO;
    // The first row of a larger puzzle in groups is not a small one with a label.
    if (!bare && sink.book.isLineOrRow(end - from) && isGrouped(context, at, end - from)) return NO;
    if (bare && sink.book.isLineOrRow(end - from)) {
      const kind = judgeChars(context, at);
      if (kind === 'rows') return NO;
      context.run = { kind, width: end - from, nextLine: window.number(at) + 1 };
    }
    return context.enterCells('line', geometry, at, 1, from, bare ? undefined : labelNotes(context, at, end));
  },
};

/** `"53..7...."` */
const QUOTED = /^(["']).*\1$/;
function isQuoted({ lines, window }: TextContext, from: number, end: number): boolean {
  return (KINDS[window.bytes[from]] & QUOTE) !== 0 && QUOTED.test(lines.raw(from, end));
}

/** Numbers of one or two digits with one sign between them. */
const SEPARATED = /^[\w.*?#-]{1,2}(?:([^\w.*?#-])[\w.*?#-]{1,2}(?:\1[\w.*?#-]{1,2})*)?\1?$/;

/** Whether one sign separates numbers: the line is a row of a grid larger than `size`, such as `15/0/10/5/...`. */
export function isSeparated(
  { lines, window }: TextContext,
  from: number,
  end: number,
  size: number,
): boolean {
  const { bytes } = window;
  // Most puzzles have three cells side by side.
  if ((kindsIn(bytes, from, from + 3) & ~CELL) === 0) return false;
  const text = lines.raw(from, end);
  const sign = SEPARATED.exec(text)?.[1];
  return sign !== undefined && text.split(sign).filter(Boolean).length > size;
}

/** The label after offset `from` of line `at`, as notes; undefined if there is none. */
export function labelNotes({ window }: TextContext, at: number, from: number): { id: string } | undefined {
  const id = labelIn(window.bytes, from, window.end[at]);
  return id === undefined ? undefined : { id };
}

/** The label in the bytes `from` to `to`, without what separates it; undefined if there is none. */
export function labelIn(bytes: Uint8Array, from: number, to: number): string | undefined {
  let start = from;
  let end = to;
  while (end > start && bytes[end - 1] <= 32) end--;
  while (start < end && isBeforeLabel(bytes[start])) start++;
  return start === end ? undefined : textIn(bytes, start, end);
}

function isBeforeLabel(byte: number): boolean {
  return byte <= 32 || byte === 35 || (KINDS[byte] & SEPARATOR) !== 0;
}
