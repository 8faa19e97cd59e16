/**
 * JSON, such as LeetCode's boards: rows of cells, blanks as `.`.
 *
 *     [["5","3",".",...],...]                 one grid
 *     [[["5",...],...],[["1",...],...]]       many grids in a list
 *     [["5",...],...]\n[["1",...],...]        many grids, one per line (NDJSON)
 *     {"puzzle":"53..7....","solution":...}   objects, in a list or one per line
 *     null                                    no solution, as this format's writer writes it
 *
 * A file is never parsed as a whole: its brackets separate the records, and each record is parsed alone. After broken
 * brackets, reading continues at the next grid or object.
 */

import { parseText } from '../bytes/json-scan.ts';
import type { FileFormat, FormatSettings } from '../file-format.ts';
import type { FormatHints } from '../reader.ts';
import { jsonReader } from './json-reader.ts';
import { jsonWriter } from './json-writer.ts';

export const json: FileFormat = {
  name: 'json',
  recognise(head: Uint8Array, hints: FormatHints): FormatSettings | undefined {
    const front = frontOf(head).replace(/\s+/g, '');
    const isJson = /^(null)*(\[(\[(?!(?!null)[A-Za-z])|"|\{|\]|-?\d|null)|\{("|\})|(?<=null)n?u?l?$)/.test(
      front,
    );
    if (hints.format !== 'json' && (!isJson || hasLongRows(front)) && !isCertain(head)) return undefined;
    const lines = /^\["([^"]{64,})"/.test(front);
    const rows = /^\[\["[^"]{4,}"/.test(front);
    return { list: lines || rows || /^\[(\[\[|\{|\]|null)/.test(front) };
  },
  isCertain,
  open(_settings, sink, from) {
    return jsonReader(sink, from);
  },
  writer(settings) {
    return jsonWriter(settings.list === true);
  },
};

/** An object, a list that begins with an object, or a text that is valid JSON: their lines are no rows of text. */
function isCertain(head: Uint8Array): boolean {
  const front = frontOf(head);
  if (/^[\s[]*\{\s*"/.test(front)) return true;
  return /^\s*[[{]/.test(front) && parseText(decoder.decode(head)) !== undefined;
}

const decoder = new TextDecoder();

/** Bytes that decide whether a file is JSON. */
const FRONT_BYTES = 4096;

/** The front of a file, without the comments above an object. */
function frontOf(head: Uint8Array): string {
  const front = decoder.decode(head.subarray(0, FRONT_BYTES));
  const object = front.replace(/^(?:\s|(?:#|\/\/)[^\r\n]*[\r\n])*/, '');
  return /^[[\s]*\{\s*"/.test(object) ? object : front;
}

/** Whether flat lists, each as long as a small puzzle, have larger numbers: they are the rows of a larger grid. */
function hasLongRows(front: string): boolean {
  const [first, ...others] = front.match(/(?<=^|\],?)\[[^[\]{}]*\]/g) ?? [];
  if (first === undefined || !front.startsWith(first)) return false;
  const rows = [first, ...others].map((row) => row.match(/[^[\],"]+/g) ?? []);
  const { length } = rows[0];
  const isLarger = (cell: string) =>
    Number(cell) > Math.max(Math.sqrt(length), MAX_DIGIT) && Number(cell) <= length;
  return rows.every((row) => row.length === length) && rows.flat().some(isLarger);
}

/** A larger number has several digits. */
const MAX_DIGIT = 9;
