/** Passes over blank lines and comments straight from the bytes: a stretch of them costs one look at each byte. */
import { type LineWindow, MAX_LINE_BYTES } from './line-window.ts';

const LF = 10;
const CR = 13;
const HASH = 35;
const SLASH = 47;
const SEMICOLON = 59;
const LEAST_ROW = 4;
const LONGEST_ROW = 36;

/** Whether at least one such line was passed over; a line that is not all there yet is left to the window. */
export function skipIdleLines(window: LineWindow): boolean {
  const from = window.rawPosition();
  if (from < 0) return false;
  const { bytes, length } = window;
  let start = from;
  let lines = 0;
  for (;;) {
    let at = start;
    while (at < length && isSpace(bytes[at])) at++;
    // So many spaces may be a row of blanks: they are left to whoever knows that.
    if (at - start >= LEAST_ROW && at - start <= LONGEST_ROW) break;
    if (isCommentSign(bytes, at, length)) while (at < length && bytes[at] !== LF && bytes[at] !== CR) at++;
    if (at >= length || at - start > MAX_LINE_BYTES) break;
    if (bytes[at] === CR) {
      // Whether an LF belongs to it is known only with the next byte.
      if (at + 1 === length) break;
      start = bytes[at + 1] === LF ? at + 2 : at + 1;
    } else if (bytes[at] === LF) start = at + 1;
    else break;
    lines++;
  }
  if (lines === 0) return false;
  window.skipTo(start, lines);
  return true;
}

/** Whether a comment starts at `at`: `#`, `//` or `;`. */
function isCommentSign(bytes: Uint8Array, at: number, length: number): boolean {
  if (at >= length) return false;
  const byte = bytes[at];
  return (
    byte === HASH || byte === SEMICOLON || (byte === SLASH && at + 1 < length && bytes[at + 1] === SLASH)
  );
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 11 || byte === 12;
}
