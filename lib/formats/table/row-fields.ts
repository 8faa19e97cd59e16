/**
 * The fields of a table's row, as offsets into the bytes of a file.
 *
 *     7,"53..7....      a row is a line, or more: a quoted field may continue on the next lines
 *     6..195...
 *     ...",easy
 */
import { BACKTICK, BAR, DASH, HASH, QUOTE, SEMICOLON, SPACE, TAB } from '../bytes/ascii.ts';
import { textIn } from '../bytes/byte-text.ts';
import type { LineWindow } from '../bytes/line-window.ts';
import { isCodeComment } from '../cells/comments.ts';

/** Lines of the longest field: a grid of 36 rows, and some. After that, a quote is a part of its field. */
const MAX_FIELD_LINES = 80;
/** `| : +` and spaces. */
const RULER_SIGNS = [BAR, 58, 43, 32];
const MIN_RULER_BYTES = 3;

export type RowFields = ReturnType<typeof rowFields>;

export function rowFields(separator: string) {
  /** By field: start and end (exclusive) of its text, without white space and quotes around it. */
  const from: number[] = [];
  const to: number[] = [];
  /** The row, with the number of its fields. */
  const fields = { count: 0, from, to, read, cut, has, text, written, spaced };
  /** By field: its end as it is written, where the separator is, or the row's end. */
  const ends: number[] = [];
  let bytes: Uint8Array = new Uint8Array(0);
  let start = 0;
  const delimiter = separator.charCodeAt(0);

  /**
   * Cuts the row that starts with line `at`.
   *
   * @returns its lines
   */
  function read(window: LineWindow, at: number): number {
    let isOpen = cut(window.bytes, window.start[at], window.end[at]);
    let last = at;
    while (isOpen && !window.isLong(at)) {
      const [next, close] = closing(window, last);
      // A quote that is not closed is no quote: the field ends with its line.
      if (next === undefined) break;
      last = next;
      to[--fields.count] = close;
      isOpen = addAfter(close, window.end[last]);
    }
    return last + 1 - at;
  }

  /**
   * Cuts the row in the bytes `from` to `to`.
   *
   * @returns whether the last field is quoted and its quote is not closed
   */
  function cut(row: Uint8Array, first: number, last: number): boolean {
    bytes = row;
    start = first;
    fields.count = 0;
    return add(first, last);
  }

  /** Whether the row has a field, and it is not empty. */
  function has(index: number): boolean {
    return index >= 0 && index < fields.count && from[index] < to[index];
  }

  /** A field without white space and quotes around it; empty if the row has none. */
  function text(index: number): string {
    return index < fields.count ? textIn(bytes, from[index], to[index]) : '';
  }

  /** A field as it is written. */
  function written(index: number): string {
    return textIn(bytes, index === 0 ? start : ends[index - 1] + 1, ends[index]);
  }

  /** Start and end of a field with the spaces around its text, which end before `limit`. */
  function spaced(index: number, limit: number): [from: number, to: number] {
    let [first, end] = [from[index], to[index]];
    while (first > start && bytes[first - 1] === SPACE) first--;
    while (end < limit && bytes[end] === SPACE) end++;
    return [first, end];
  }

  /** Adds the fields from `from` to `last`; returns whether the last one is open. */
  function add(first: number, last: number): boolean {
    for (let at = first; at <= last; at++) {
      while (at < last && bytes[at] <= 32 && bytes[at] !== delimiter) at++;
      let start = at;
      if (bytes[at] === QUOTE && at < last) {
        const close = closingQuote(bytes, at + 1, last);
        from[fields.count] = at + 1;
        to[fields.count] = close < 0 ? last : close;
        if (close >= 0) return addAfter(close, last);
        ends[fields.count++] = last;
        return true;
      }
      while (at < last && bytes[at] !== delimiter) at++;
      let end = at;
      while (end > start && bytes[end - 1] <= 32) end--;
      // Code in a Markdown table.
      if (end - start > 2 && bytes[start] === BACKTICK && bytes[end - 1] === BACKTICK) {
        start++;
        end--;
      }
      from[fields.count] = start;
      to[fields.count] = end;
      ends[fields.count++] = at;
    }
    return false;
  }

  /** Ends the field whose quote is closed at `close`, and adds those after it. */
  function addAfter(close: number, last: number): boolean {
    let at = close;
    while (at < last && bytes[at] !== delimiter) at++;
    ends[fields.count++] = at;
    return at < last && add(at + 1, last);
  }

  /** The line that closes the field which line `line` opens, and the offset of its quote. */
  function closing(window: LineWindow, line: number): [line: number, quote: number] | [undefined, -1] {
    const { bytes, start, end } = window;
    for (let next = line + 1; next <= line + MAX_FIELD_LINES; next++) {
      if (!window.has(next) || window.isLong(next)) break;
      const quote = closingQuote(bytes, start[next], end[next]);
      if (quote < 0) continue;
      let after = quote + 1;
      while (after < end[next] && bytes[after] <= 32 && bytes[after] !== delimiter) after++;
      if (after < end[next] && bytes[after] !== delimiter) break;
      return [next, quote];
    }
    return [undefined, -1];
  }

  return fields;
}

/** Offset of the quote that closes a field, from `from` on; -1 if there is none before `last`. */
function closingQuote(bytes: Uint8Array, from: number, last: number): number {
  for (let at = from; at < last; at++) {
    if (bytes[at] !== QUOTE) continue;
    if (at + 1 === last || bytes[at + 1] !== QUOTE) return at;
    at++;
  }
  return -1;
}

/** Whether line `at` is drawn between the header and the rows of a Markdown table: `|---|:-:|`. */
export function isTableRuler({ bytes, text, end }: LineWindow, at: number, delimiter: string): boolean {
  if (delimiter !== '|' || end[at] - text[at] < MIN_RULER_BYTES) return false;
  let dashes = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    if (bytes[byte] === DASH) dashes++;
    else if (!RULER_SIGNS.includes(bytes[byte])) return false;
  }
  return dashes >= MIN_RULER_BYTES;
}

/**
 * Whether line `at` is a comment, unless its `#` is a blank. Its first character may belong to a row all the same: `;`
 * separates fields, or `#` is one.
 */
export function isCommentRow(
  { bytes, start, text, end }: LineWindow,
  at: number,
  delimiter: string,
): boolean {
  // An empty field is before a tabulator.
  const from = delimiter === '\t' && bytes[start[at]] === TAB ? start[at] : text[at];
  const first = bytes[from];
  const separator = delimiter.charCodeAt(0);
  if (first === separator || (first === HASH && from + 1 < end[at] && bytes[from + 1] === separator))
    return false;
  return first === HASH || first === SEMICOLON || isCodeComment(bytes, from, end[at]);
}
