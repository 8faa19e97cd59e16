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
import type { FileFormat, FormatSettings } from '../file-format.ts';
import type { FormatHints } from '../reader.ts';
import { JsonReader } from './json-reader.ts';
import { JsonWriter } from './json-writer.ts';

export const json: FileFormat = {
  name: 'json',
  recognise(head: Uint8Array, hints: FormatHints): FormatSettings | undefined {
    const front = new TextDecoder().decode(head.subarray(0, 4096)).replace(/\s+/g, '');
    const isJson = /^(null)*(\[(\[(?!(?!null)[A-Za-z])|"|\{|\]|-?\d|null)|\{("|\})|(?<=null)n?u?l?$)/.test(
      front,
    );
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
