/**
 * Rows and fields of a table, as offsets into the bytes of a file.
 *
 *     7,"53..7....      a row is a line, or more: a quoted field may continue on the next lines
 *     6..195...
 *     ...",easy
 */

import { BACKTICK, BAR, DASH, HASH, QUOTE } from '../bytes/ascii.ts';
import type { LineWindow } from '../text/line-window.ts';

/** Lines of the longest field: a grid of 36 rows, and some. After that, a quote is a part of its field. */
const MAX_FIELD_LINES = 80;
/** `| : +` and spaces. */
const RULER_SIGNS = [BAR, 58, 43, 32];
const MIN_RULER_BYTES = 3;

/**
 * Lines of the row that starts with line `at`.
 *
 * @param delimiter its byte
 */
export function rowLines(window: LineWindow, at: number, delimiter: number): number {
  let first = at;
  for (;;) {
    const open = openQuote(window, first, at, delimiter);
    if (open < 0) return first + 1 - at;
    const next = closingLine(window, first, delimiter);
    // A quote that is not closed is no quote: the field ends with its line.
    if (next === undefined) return first + 1 - at;
    first = next;
  }
}

/** Offset of a quote that starts a field of line `line` and is not closed in it; -1 if there is none. */
function openQuote(window: LineWindow, line: number, at: number, delimiter: number): number {
  const { bytes, start, end } = window;
  const last = end[line];
  let byte = start[line];
  if (line > at) {
    // The line continues a field.
    byte = afterClosing(window, line, byte);
    while (byte < last && bytes[byte] !== delimiter) byte++;
    byte++;
  }
  for (; byte < last; byte++) {
    while (byte < last && bytes[byte] <= 32 && bytes[byte] !== delimiter) byte++;
    if (bytes[byte] === QUOTE && byte < last) {
      const open = byte;
      byte = afterClosing(window, line, byte + 1);
      if (byte < 0) return open;
    }
    while (byte < last && bytes[byte] !== delimiter) byte++;
  }
  return -1;
}

/** Offset after the quote that closes a field, from `from` on in line `line`; -1 if it is not closed there. */
function afterClosing({ bytes, end }: LineWindow, line: number, from: number): number {
  const last = end[line];
  for (let byte = from; byte < last; byte++) {
    if (bytes[byte] !== QUOTE) continue;
    if (byte + 1 < last && bytes[byte + 1] === QUOTE) byte++;
    else return byte + 1;
  }
  return -1;
}

/** The line that closes the field which line `line` opens; undefined if none does. */
function closingLine(window: LineWindow, line: number, delimiter: number): number | undefined {
  const { bytes, end } = window;
  for (let next = line + 1; next <= line + MAX_FIELD_LINES; next++) {
    if (!window.has(next) || window.isLong(next)) return undefined;
    const close = afterClosing(window, next, window.start[next]);
    if (close < 0) continue;
    let byte = close;
    while (byte < end[next] && bytes[byte] <= 32 && bytes[byte] !== delimiter) byte++;
    return byte >= end[next] || bytes[byte] === delimiter ? next : undefined;
  }
  return undefined;
}

/**
 * Replaces `fields` with the start and end offset of each field of the row in `lines` lines from `at`, without white space
 * and quotes around it.
 *
 * @returns whether the last field is quoted and its quote is not closed
 */
export function readFields(
  window: LineWindow,
  at: number,
  lines: number,
  delimiter: number,
  fields: number[],
): boolean {
  const { bytes, start, end } = window;
  const last = end[at + lines - 1];
  // Most rows have as many fields as the one before: the array keeps its memory.
  let count = 0;
  let isOpen = false;
  for (let byte = start[at]; byte <= last; byte++) {
    while (byte < last && bytes[byte] <= 32 && bytes[byte] !== delimiter) byte++;
    let from = byte;
    if (bytes[byte] === QUOTE && byte < last) {
      from = ++byte;
      while (byte < last && (bytes[byte] !== QUOTE || bytes[byte + 1] === QUOTE)) {
        byte += bytes[byte] === QUOTE ? 2 : 1;
      }
      isOpen = byte >= last;
      fields[count++] = from;
      fields[count++] = byte;
      while (byte < last && bytes[byte] !== delimiter) byte++;
      continue;
    }
    while (byte < last && bytes[byte] !== delimiter) byte++;
    let to = byte;
    while (to > from && bytes[to - 1] <= 32) to--;
    // Code in a Markdown table.
    if (to - from > 2 && bytes[from] === BACKTICK && bytes[to - 1] === BACKTICK) {
      from++;
      to--;
    }
    fields[count++] = from;
    fields[count++] = to;
  }
  if (fields.length !== count) fields.length = count;
  return isOpen;
}

/** Whether line `at` is drawn between the header and the rows of a Markdown table: `|---|:-:|`. */
export function isTableRuler({ bytes, text, end }: LineWindow, at: number, delimiter: number): boolean {
  if (delimiter !== BAR || end[at] - text[at] < MIN_RULER_BYTES) return false;
  let dashes = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    if (bytes[byte] === DASH) dashes++;
    else if (!RULER_SIGNS.includes(bytes[byte])) return false;
  }
  return dashes >= MIN_RULER_BYTES;
}

/** Whether the first character of line `at`, a comment elsewhere, belongs to a row: `;` separates fields, or `#` is one. */
export function startsWithField({ bytes, text, end }: LineWindow, at: number, delimiter: number): boolean {
  const first = bytes[text[at]];
  if (first === delimiter) return true;
  return first === HASH && text[at] + 1 < end[at] && bytes[text[at] + 1] === delimiter;
}
/** A field in quotes, with spaces around it. */
const QUOTED = /^ *"((?:[^"]|"")*)" */;

/** Whether a field as it is written is in quotes. */
export function isQuoted(field: string): boolean {
  return QUOTED.exec(field)?.[0].length === field.length;
}

/** The fields of a row as they are written, with white space and quotes around them. */
export function writtenFields(row: string, delimiter: string): string[] {
  if (!row.includes('"')) return row.split(delimiter);
  const fields: string[] = [];
  for (let at = 0; at <= row.length; ) {
    const end = at + (QUOTED.exec(row.slice(at))?.[0].length ?? 0);
    // Quotes inside a field, as in other formats, are part of it.
    const isQuoted = end > at && (end >= row.length || row.startsWith(delimiter, end));
    const next = isQuoted ? end : row.indexOf(delimiter, at);
    const stop = next < 0 ? row.length : next;
    fields.push(row.slice(at, stop));
    at = stop + delimiter.length;
  }
  return fields;
}
