/** The first rows of a table, as texts. */
import { unlessInterrupted } from '../bytes/arrival.ts';
import { HASH, SEMICOLON, SLASH, SPACE } from '../bytes/ascii.ts';
import { LineWindow } from '../text/line-window.ts';
import { isTableRuler, readFields, rowLines, startsWithField } from './csv-fields.ts';

/** A row of a table. */
export interface SampleRow {
  /** The whole row without white space around it. */
  readonly text: string;
  /** Its fields without white space and quotes around them. */
  readonly fields: readonly string[];
  /** Its fields with the spaces around them. */
  readonly raw: readonly string[];
}

/** Bytes that are enough for the sample rows. */
export const SAMPLE_BYTES = 64 * 1024;

/** @returns the first `max` rows of a table with that separator, without blank lines and comments */
export function sampleRows(head: Uint8Array, delimiter: string, max: number): SampleRow[] {
  const window = new LineWindow();
  window.feed(head.subarray(0, SAMPLE_BYTES));
  if (head.length <= SAMPLE_BYTES) window.finish();
  const byte = delimiter.charCodeAt(0);
  const rows: SampleRow[] = [];
  const takeLine = () => {
    const at = window.head;
    if (rows.length === max || !window.has(at)) return false;
    const isComment = isCommentLine(window, at) && !startsWithField(window, at, byte);
    let lines = 1;
    if (!isTableRuler(window, at, byte) && window.tokens[at] > 0 && !isComment) {
      lines = rowLines(window, at, byte);
      rows.push(rowOf(window, at, lines, byte));
    }
    window.consume(lines);
    return true;
  };
  while (unlessInterrupted(takeLine));
  return rows;
}

function isCommentLine({ bytes, text, end }: LineWindow, at: number): boolean {
  const first = bytes[text[at]];
  if (first === HASH || first === SEMICOLON) return true;
  return first === SLASH && text[at] + 1 < end[at] && bytes[text[at] + 1] === SLASH;
}

function rowOf(window: LineWindow, at: number, lines: number, delimiter: number): SampleRow {
  const { bytes, start, text, end } = window;
  const offsets: number[] = [];
  readFields(window, at, lines, delimiter, offsets);
  const fields: string[] = [];
  const raw: string[] = [];
  const last = window.lineAfter(at + lines - 1);
  for (let k = 0; k < offsets.length; k += 2) {
    let [from, to] = [offsets[k], offsets[k + 1]];
    fields.push(window.string(from, to).replaceAll('""', '"'));
    while (from > start[at] && bytes[from - 1] === SPACE) from--;
    while (to < last && bytes[to] === SPACE) to++;
    raw.push(window.string(from, to));
  }
  return { text: window.string(text[at], end[at + lines - 1]), fields, raw };
}
