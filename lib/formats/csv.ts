/**
 * Tables: a puzzle a row, in the column whose name says so, or else in the first column that holds one.
 *
 *     quizzes,solutions              id,puzzle,solution,clues,difficulty
 *     0043002...,8643712...          1,1..5.37..6.3..8.9......98...,198543726643278591...,27,2.2
 *
 * A solution in the table is what is expected, and checked. Solutions are written as the same table: all columns are
 * kept, and the solution's column is filled, or added at the end.
 */
import { type CsvColumns, CsvReader, columnsOf } from './csv-reader.ts';
import { CsvWriter } from './csv-writer.ts';
import { LayoutBook } from './layout-book.ts';
import type { FormatHints } from './reader.ts';
import type { FormatSettings, WholeFormat } from './whole-format.ts';

export const csv: WholeFormat = {
  name: 'csv',
  recognise(head: Uint8Array, hints: FormatHints): FormatSettings | undefined {
    const lines = new TextDecoder().decode(head.subarray(0, 64 * 1024)).split(/\r\n|[\r\n]/);
    const first = lines.find((line) => line.trim() !== '' && !/^\s*(#|\/\/)/.test(line));
    const columns = first === undefined ? undefined : columnsOf(first, new LayoutBook(hints));
    return columns === undefined ? undefined : { columns };
  },
  open(settings, sink) {
    return new CsvReader(settings.columns as CsvColumns, sink);
  },
  writer(settings) {
    return new CsvWriter(settings.columns as CsvColumns);
  },
};
