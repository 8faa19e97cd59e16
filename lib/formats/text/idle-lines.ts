/** Skips blank lines and comments straight from the bytes: each byte of them is read once. */
import { CR, isWhite, LF, SPACE, TAB } from '../bytes/ascii.ts';
import { MAX_LINE_BYTES } from '../bytes/line-window.ts';
import type { TextContext } from './text-context.ts';

/** Cells of the shortest and longest row. */
const MIN_ROW_CELLS = 4;
const MAX_ROW_CELLS = 36;

/** First bytes of comments: `# ; / % -`. */
const SIGNS: ReadonlySet<number> = new Set([35, 59, 47, 37, 45]);

/** @returns whether it skipped a line; a line that is not complete yet is left to the window */
export function skipIdleLines(context: TextContext): boolean {
  const { window, comments } = context;
  let start = window.rawPosition();
  if (start < 0) return false;
  const { bytes, length } = window;
  const number = window.number(window.head);
  let lines = 0;
  for (;;) {
    while (bytes[start] === LF && start < length) {
      start++;
      lines++;
    }
    let text = start;
    while (text < length && isWhite(bytes[text])) text++;
    // The spaces, or the fields between tabs, may be a row of blanks: the recognisers decide.
    const spaces = text - start;
    if (spaces >= MIN_ROW_CELLS && spaces <= MAX_ROW_CELLS) break;
    if (spaces === MIN_ROW_CELLS - 1 && bytes[start] === TAB && bytes[start + 1] === TAB) break;
    if (bytes[text] > SPACE && !SIGNS.has(bytes[text])) break;
    let end = text;
    while (end < length && bytes[end] !== LF && bytes[end] !== CR) end++;
    // The byte after a CR decides whether an LF belongs to it.
    const isCut = end >= length || (bytes[end] === CR && end + 1 === length);
    if (isCut || end - start > MAX_LINE_BYTES) break;
    if (end > text) {
      if (!context.isCommentText(text, end)) break;
      comments.add(window, number + lines, text, end);
    }
    start = bytes[end] === CR && bytes[end + 1] === LF ? end + 2 : end + 1;
    lines++;
  }
  if (lines === 0) return false;
  window.skipTo(start, lines);
  return true;
}
