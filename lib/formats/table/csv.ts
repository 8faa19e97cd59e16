/**
 * Tables with one puzzle per row. The cells of the first rows decide which columns hold puzzles, solutions and region
 * maps; names decide what the cells leave open (`csv-columns.ts`).
 *
 *     quizzes,solutions              id,puzzle,solution,clues,difficulty
 *     0043002...,8643712...          1,1..5.37..6.3..8.9......98...,198543726643278591...,27,2.2
 *
 * Solutions in the table are compared with the computed ones. The output is the same table with all its columns; the
 * solution column is filled, or added at the end.
 */

import type { FileFormat, FormatSettings, Refusal } from '../file-format.ts';
import type { FormatHints } from '../reader.ts';
import { errorAt, makeFault } from '../records/fault.ts';
import { layoutBook } from '../records/layout-book.ts';
import { type ColumnChoice, type CsvColumns, chooseColumns, type OpenColumns } from './csv-columns.ts';
import { csvReader } from './csv-reader.ts';
import { csvWriter } from './csv-writer.ts';
import { SAMPLE_BYTES, type SampleRow, sampleRows } from './sample-rows.ts';

/** Rows that decide the columns of a table, so that one damaged row does not. */
const SAMPLE_ROWS = 40;
const DELIMITERS = [',', ';', '\t', '|'];
/** Names of files that are tables. */
const TABLE_FILE = /\.(csv|tsv|tab)(\.gz)?$/i;
/** Excel's first line. */
const SEP = /^\s*"?sep=(.|\\t)"?\s*$/i;

/** The separator that the first line names, and that line. */
function namedSeparator(head: Uint8Array): { sep: string; delimiter: string } | undefined {
  const line = /^[^\r\n]*/.exec(new TextDecoder().decode(head.subarray(0, MAX_SEP_BYTES)))?.[0] ?? '';
  const delimiter = SEP.exec(line)?.[1];
  if (delimiter === undefined) return undefined;
  return { sep: line.trimEnd(), delimiter: delimiter === '\\t' ? '\t' : delimiter };
}

const MAX_SEP_BYTES = 32;

/** Lines of which one has the separator of a table, unless it has one column. */
const FIRST_LINES = 3;

/** The separators that may be those of a table: they occur in its first lines. Without any, a header may be above puzzles. */
function delimitersIn(head: Uint8Array): string[] {
  const lines: string[] = [];
  for (const [line] of new TextDecoder().decode(head.subarray(0, SAMPLE_BYTES)).matchAll(/[^\r\n]+/g)) {
    if (line.trim() === '' || /^\s*(#|\/\/|;)/.test(line)) continue;
    if (lines.push(line) === FIRST_LINES) break;
  }
  const found = DELIMITERS.filter((delimiter) => lines.some((line) => line.includes(delimiter)));
  // A name in brackets, or after an angle bracket, is a heading of a text.
  return found.length > 0 || !(/^[^[>]/.test(lines[0] ?? '') && /\p{L}/u.test(lines[0]))
    ? found
    : DELIMITERS.slice(0, 1);
}

function refusal({ columns, names, role }: OpenColumns): Refusal {
  const list = columns
    .map((index) => (names === undefined ? `${index + 1}` : `"${names[index]}"`))
    .join(' and ');
  const found = `columns ${list} with ${role === 'puzzle' ? 'blanks' : 'full grids'}`;
  const expected = `one column named ${role}`;
  const where = `, each of which may be the ${role}`;
  const fault = makeFault('ambiguous_columns', 0, found, expected, {
    where,
    advice: 'name it in the first row',
  });
  return { refused: errorAt({ line: 1, column: 1 }, fault) };
}

/** Whether a row is one grid with a field for each of its rows, and so no row of a table: `53..7....,6..195...,`. */
function isGridInGroups({ fields }: SampleRow): boolean {
  // The separator may end a statement.
  const size = fields.length - (fields[fields.length - 1] === '' ? 1 : 0);
  const isRow = (field: string) => field.length === size || field.split(/\s+/).length === size;
  return size >= MIN_GROUPS && fields.slice(1, size - 1).every(isRow);
}

/** Whether a row opens a list in program code: no header of a table ends so. */
function opensList({ fields }: SampleRow): boolean {
  return /[[{(]$/.test(fields[fields.length - 1]);
}

/** Smaller grids have rows that are no puzzles. */
const MIN_GROUPS = 9;

export const csv: FileFormat = {
  name: 'csv',
  recognise(head: Uint8Array, hints: FormatHints): FormatSettings | Refusal | undefined {
    const named = namedSeparator(head);
    const book = layoutBook(hints);
    const delimiters = named === undefined ? delimitersIn(head) : [named.delimiter];
    const isTable = named !== undefined || TABLE_FILE.test(hints.fileName ?? '') || hints.format === 'csv';
    let best: ColumnChoice | undefined;
    for (const delimiter of delimiters) {
      const skipped = named === undefined ? 0 : 1;
      const rows = sampleRows(head, delimiter, SAMPLE_ROWS + skipped, book).slice(skipped);
      if (rows.length === 0 || isGridInGroups(rows[0]) || opensList(rows[0])) continue;
      const choice = chooseColumns(rows, delimiter, isTable);
      // Bars without names of columns are a frame, or separate a puzzle from its label.
      const isFrame = delimiter === '|' && named === undefined && choice?.columns.names === undefined;
      if (choice !== undefined && !isFrame && (best === undefined || choice.rows > best.rows)) best = choice;
    }
    if (best === undefined) return undefined;
    const { columns: own, sizes = [] } = best;
    if ('role' in own) return refusal(own);
    const columns = named === undefined ? own : { sep: named.sep, ...own };
    return sizes.length === 0 ? { columns } : { columns, sizes };
  },
  open(settings, sink, from) {
    return csvReader(settings, sink, from);
  },
  writer(settings, options, profile) {
    return csvWriter(options, settings.columns as CsvColumns, profile === 'csv');
  },
};
