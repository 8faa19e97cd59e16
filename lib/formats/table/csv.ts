/**
 * Tables with one puzzle per row, in the column with a matching name, or else in the first column with a puzzle.
 *
 *     quizzes,solutions              id,puzzle,solution,clues,difficulty
 *     0043002...,8643712...          1,1..5.37..6.3..8.9......98...,198543726643278591...,27,2.2
 *
 * Solutions in the table are compared with the computed ones. The output is the same table with all its columns; the
 * solution column is filled, or added at the end.
 */

import type { FileFormat, FormatSettings } from '../file-format.ts';
import type { FormatHints } from '../reader.ts';
import { LayoutBook } from '../records/layout-book.ts';
import { type CsvColumns, CsvReader, csvColumns, splitRow } from './csv-reader.ts';
import { CsvWriter } from './csv-writer.ts';

/** Rows that decide the columns of a table without names, so that one damaged row does not. */
const SAMPLE_ROWS = 40;
/** Number of characters of the smallest puzzle. */
const MIN_PUZZLE_LENGTH = 16;

/**
 * The columns that the first row names. If it names none, or most rows have their puzzle in another column, the columns
 * of most rows.
 */
function commonColumns(rows: readonly string[], book: LayoutBook): CsvColumns | undefined {
  const named = rows.length === 0 ? undefined : csvColumns(rows[0], book);
  const { header } = named ?? {};
  const others = header === undefined ? rows : rows.slice(1);
  const votes = new Map<string, { columns: CsvColumns; count: number }>();
  for (const row of others) {
    const columns = csvColumns(row, book);
    if (columns === undefined || columns.header !== undefined) continue;
    const key = JSON.stringify(columns);
    const vote = votes.get(key) ?? { columns, count: 0 };
    vote.count++;
    votes.set(key, vote);
  }
  const common = [...votes.values()].find(({ count }) => count * 2 > others.length)?.columns;
  if (named === undefined || header === undefined) return common;
  // A row of words is not a header if no field below its puzzle column can be a puzzle.
  const fields = others.map((row) => splitRow(row, named.delimiter)[named.puzzle] ?? '');
  if (others.length > 0 && !fields.some((field) => field.length >= MIN_PUZZLE_LENGTH)) return common;
  return common === undefined || common.puzzle === named.puzzle ? named : { ...common, header };
}

export const csv: FileFormat = {
  name: 'csv',
  recognise(head: Uint8Array, hints: FormatHints): FormatSettings | undefined {
    const text = new TextDecoder().decode(head.subarray(0, 64 * 1024));
    const rows = text.split(/\r\n|[\r\n]/).filter((line) => !/^[\s\p{Cc}]*($|#|\/\/|;)/u.test(line));
    const columns = commonColumns(rows.slice(0, SAMPLE_ROWS), new LayoutBook(hints));
    return columns === undefined ? undefined : { columns };
  },
  open(settings, sink, from) {
    return new CsvReader(settings.columns as CsvColumns, sink, settings, from);
  },
  writer(settings) {
    return new CsvWriter(settings.columns as CsvColumns);
  },
};
