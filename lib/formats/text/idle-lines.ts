/** Skips blank lines and comments straight from the bytes: each byte of them is read once. */
import { CR, HASH, isWhite, LF, SEMICOLON, TAB } from '../bytes/ascii.ts';
import { COMMENT_SIGN_BYTES, isCodeComment, isVector } from './code-comments.ts';
import { isHashLine } from './hash-blanks.ts';
import { MAX_LINE_BYTES } from './line-window.ts';
import { semicolonCells } from './semicolon-rows.ts';
import type { TextContext } from './text-context.ts';

/** Cells of the shortest and longest row. */
const MIN_ROW_CELLS = 4;
const MAX_ROW_CELLS = 36;

/** @returns whether it skipped a line; a line that is not complete yet is left to the window */
export function skipIdleLines({ window, hashBlanks, comments, sink }: TextContext): boolean {
  const from = window.rawPosition();
  if (from < 0) return false;
  const { bytes, length } = window;
  const number = window.number(window.head);
  let start = from;
  let lines = 0;
  for (;;) {
    let at = start;
    while (at < length && isWhite(bytes[at])) at++;
    // The spaces, or the fields between tabs, may be a row of blanks: the recognisers decide.
    const spaces = at - start;
    if (spaces >= MIN_ROW_CELLS && spaces <= MAX_ROW_CELLS) break;
    if (spaces === MIN_ROW_CELLS - 1 && bytes[start] === TAB && bytes[start + 1] === TAB) break;
    const text = at;
    if (isCommentSign(bytes, at, length)) while (at < length && bytes[at] !== LF && bytes[at] !== CR) at++;
    const end = at;
    if (at >= length || at - start > MAX_LINE_BYTES) break;
    if (bytes[text] === SEMICOLON && semicolonCells(bytes, text, at) > 0) break;
    if (bytes[text] === HASH && isVector(bytes, text)) break;
    if (bytes[text] === HASH) {
      sink.onHashLine();
      if (hashBlanks !== undefined && isHashLine(hashBlanks, window.string(text, at))) break;
    }
    if (bytes[at] === CR) {
      // The next byte decides whether an LF belongs to it.
      if (at + 1 === length) break;
      start = bytes[at + 1] === LF ? at + 2 : at + 1;
    } else if (bytes[at] === LF) start = at + 1;
    else break;
    if (end > text) comments.add(window, number + lines, text, end);
    lines++;
  }
  if (lines === 0) return false;
  window.skipTo(start, lines);
  return true;
}

/** Whether a comment starts at `at`; a sign at the end of the bytes is left to the window. */
function isCommentSign(bytes: Uint8Array, at: number, length: number): boolean {
  if (at >= length) return false;
  const byte = bytes[at];
  if (byte === HASH || byte === SEMICOLON) return true;
  return at + COMMENT_SIGN_BYTES <= length && isCodeComment(bytes, at, length);
}
