/**
 * JSON, as LeetCode writes a board: rows of cells, blanks as `.`.
 *
 *     [["5","3",".",...],...]                 one grid
 *     [[["5",...],...],[["1",...],...]]       many grids, one level deeper
 *     [["5",...],...]\n[["1",...],...]        many grids, one after the other (NDJSON)
 *     {"puzzle":"53..7....","solution":...}   objects, in a list or one a line
 *     null                                    an empty place, as this format's writer leaves it: no solution
 *
 * A file is never parsed as a whole: the brackets part it into records, and each record is parsed by itself. Where
 * the brackets are broken, reading goes on where the next grid or object begins.
 */

import type { FormatHints } from '../reader.ts';
import type { FormatSettings, WholeFormat } from '../whole-format.ts';
import { JsonReader } from './json-reader.ts';
import { JsonWriter } from './json-writer.ts';

export const json: WholeFormat = {
  name: 'json',
  recognise(head: Uint8Array, hints: FormatHints): FormatSettings | undefined {
    const front = new TextDecoder().decode(head.subarray(0, 4096)).replace(/\s+/g, '');
    const isJson = /^(null)*(\[(\[|"|\{|\]|-?\d|null)|\{("|\})|(?<=null)n?u?l?$)/.test(front);
    if (!isJson && hints.format !== 'json') return undefined;
    const lines = /^\["([^"]{64,})"/.test(front);
    const rows = /^\[\["[^"]{4,}"/.test(front);
    return { list: lines || rows || /^\[(\[\[|\{|\]|null)/.test(front) };
  },
  open(_settings, sink, from) {
    return new JsonReader(sink, from);
  },
  writer(settings) {
    return new JsonWriter(settings.list === true);
  },
};
