/** Skips blank lines and comments straight from the bytes: each byte of them is read once. */
import { CR, HASH, isWhite, LF, SPACE, TAB } from '../bytes/ascii.ts';
import { COMMENT_SIGNS, HASHES, KINDS, LETTER, LINE_END } from '../bytes/byte-kinds.ts';
import { MAX_LINE_BYTES } from '../bytes/line-window.ts';
import type { TextContext } from './text-context.ts';

/** Cells of the shortest and longest row. */
const MIN_ROW_CELLS = 4;
const MAX_ROW_CELLS = 36;

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
    if (bytes[text] > SPACE && (KINDS[bytes[text]] & COMMENT_SIGNS) === 0) break;
    let end = text;
    /** Of all bytes but the first. */
    let kinds = 0;
    for (let kind = KINDS[bytes[end]]; end < length && (kind & LINE_END) === 0; kind = KINDS[bytes[++end]]) {
      if (end > text) kinds |= kind;
    }
    // The byte after a CR decides whether an LF belongs to it.
    const isCut = end >= length || (bytes[end] === CR && end + 1 === length);
    if (isCut || end - start > MAX_LINE_BYTES) break;
    if (end > text) {
      // Numbers alone are no row with `#` for blanks, and no heading.
      const isPlain = bytes[text] === HASH && (kinds & (HASHES | LETTER)) === 0;
      if (!isPlain && !context.isCommentText(text, end)) break;
      comments.add(window, number + lines, text, end);
      context.endComment();
    }
    start = bytes[end] === CR && bytes[end + 1] === LF ? end + 2 : end + 1;
    lines++;
  }
  if (lines === 0) return false;
  window.skipTo(start, lines);
  return true;
}
