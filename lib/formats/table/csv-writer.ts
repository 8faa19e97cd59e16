/**
 * Writes solutions as tables: the rows of the input's own table, or `puzzle,solution`. Each record is a row, whatever its
 * outcome, and three columns are added: `solution`, unless the table has such a column, `status` and `error`. If puzzles are
 * rated, there are three more: `rating`, `grade` and `rating_is_lower_bound`.
 *
 *     id,puzzle,rating           id,puzzle,rating,solution,status,error
 *     1,53..7....,2        ->    1,53..7....,2,534678912...,solved,
 *     2,55..7....,3              2,55..7....,3,,invalid,"row 1 has 5 twice: r1c1, r1c2"
 */
import { QUOTE } from '../bytes/ascii.ts';
import type { RecordOutcome, SolutionWriter, WriterOptions } from '../reader.ts';
import type { RecordBlock } from '../records/record-block.ts';
import { entryWriter } from '../writing/entry-writer.ts';
import { gridText, puzzleText } from '../writing/grid-text.ts';
import type { CsvColumns } from './csv-columns.ts';
import { withoutFormulas } from './formula-cells.ts';
import { rowFields } from './row-fields.ts';

const SOLVED: RecordOutcome = { status: 'solved', error: '' };

/** The table for puzzles of other files. */
const PUZZLES: CsvColumns = { delimiter: ',', header: 'puzzle', names: ['puzzle'], width: 1, puzzle: 0 };

/**
 * Writes a row for each entry; tables have no comments.
 *
 * @param withCommas whether commas replace the separator of the table
 */
export function csvWriter(options: WriterOptions, columns = PUZZLES, withCommas = false): SolutionWriter {
  const { delimiter, sep, header, names = [], puzzle } = columns;
  const commas = withCommas && delimiter !== ',';
  /** The row of the table that is copied. */
  const source = rowFields(delimiter);
  /** Whether the table is drawn with bars at the ends of its rows, as in Markdown. */
  const isDrawn = delimiter === '|' && header?.startsWith('|') === true && header.endsWith('|');
  /** Number of columns before those that are added. */
  const width = isDrawn ? columns.width - 1 : columns.width;
  /** The column of the solutions, from 0: one of the table, or the first that is added. */
  const solutionColumn = columns.solution ?? width;

  /** A row as text. @param solution its grid; empty if there is none */
  function rowText(block: RecordBlock, index: number, outcome: RecordOutcome, solution: string): string {
    const { status, error, solutions = '', rating } = outcome;
    const row = block.notes.get(index)?.source;
    const own = block.isReadable(index) ? [puzzleText(block, index)] : [];
    const all = row === undefined ? own : fieldsOf(row);
    const fields = withWidth(all.slice(0, width));
    // A program shows more fields than the header has after the columns with names.
    const surplus = all.slice(width);
    while (surplus.at(-1)?.trim() === '') surplus.pop();
    if (options.countsOnly === true) fields.push(field(solutions));
    else fields[solutionColumn] = field(solution);
    const added: unknown[] = [status, error];
    if (options.ratings === true) {
      added.push(rating?.rating.toFixed(1), rating?.grade, rating?.isLowerBound);
    }
    fields.push(...added.map((value) => field(String(value ?? ''))), ...surplus);
    return lineOf(fields, [puzzle, solutionColumn]);
  }

  /** The names of the columns that are added: other names than those of the table. */
  function addedNames(): string[] {
    const taken = new Set(names.map((name) => name.trim().toLowerCase()));
    const own = columns.solution === undefined ? ['solution'] : [];
    const added = [...(options.countsOnly === true ? ['solutions'] : own), 'status', 'error'];
    if (options.ratings === true) added.push('rating', 'grade', 'rating_is_lower_bound');
    return added.map((name) => {
      let free = name;
      for (let k = 2; taken.has(free); k++) free = `${name}_${k}`;
      return free;
    });
  }

  /** The fields of a row as they are written; a drawn row without its last bar. */
  function fieldsOf(row: Uint8Array): string[] {
    const isOpen = source.cut(row, 0, row.length);
    const fields = Array.from({ length: source.count }, (_, index) => source.written(index));
    // A quote that is not closed is no quote: each separator after it ends a field.
    if (isOpen) fields.push(...fields.pop()!.split(delimiter));
    if (isDrawn && fields.at(-1)?.trim() === '') fields.pop();
    return isDrawn || !row.includes(QUOTE) ? fields : fields.map((each) => wellQuoted(each, delimiter));
  }

  /** The fields, and empty ones if the row has fewer than the table: each solution is in the column of its name. */
  function withWidth(fields: string[]): string[] {
    while (fields.length < width) fields.push(field(''));
    return fields;
  }

  /** A field as it is written. */
  function field(text: string): string {
    return isDrawn ? ` ${text.replaceAll('|', '\\|')} ` : quoted(text, delimiter);
  }

  /** @param grids columns that hold grids */
  function lineOf(fields: readonly string[], grids: readonly number[]): string {
    const safe = options.csvSafe ? withoutFormulas(fields, grids) : fields;
    if (!commas) return `${safe.join(delimiter)}${isDrawn ? '|' : ''}\n`;
    const own = isDrawn ? safe.slice(1).map((each) => each.trim()) : safe;
    return `${own.map((each) => (QUOTED.test(each) ? each : quoted(each))).join(',')}\n`;
  }

  return entryWriter({
    extension: 'csv',
    contentType: 'text/csv; charset=utf-8',
    begin(out) {
      if (sep !== undefined && !commas) out.text(`${sep}\n`);
      if (header === undefined) return;
      const fields = withWidth(fieldsOf(new TextEncoder().encode(header)));
      fields.push(...addedNames().map(field));
      out.text(lineOf(fields, []));
      if (isDrawn && !commas) out.text(`|${' --- |'.repeat(fields.length - 1)}\n`);
    },
    write(out, { block, index, cells, offset, outcome = SOLVED }) {
      out.text(rowText(block, index, outcome, gridText(block.layout, cells, offset)));
    },
    comment: () => undefined,
    // Solutions have rows of their own.
    placeholder: (_text, { block, index, outcome, hasEntries }) =>
      hasEntries ? undefined : rowText(block, index, outcome, ''),
  });
}

/** A field, in quotes if it needs them. */
function quoted(field: string, delimiter = ','): string {
  return field.includes(delimiter) || /["\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}

/**
 * A field as it is written, with quotes that every program reads in the same way: a quote that is not closed would take in
 * the rows below, and spaces before a quote would be read as a part of the field.
 */
function wellQuoted(field: string, delimiter: string): string {
  if (QUOTED.test(field)) return field.trim();
  return UNCLOSED.test(field) ? quoted(field, delimiter) : field;
}

/** A field that is written in quotes. */
const QUOTED = /^ *"(?:[^"]|"")*" *$/;
const UNCLOSED = /^\s*"(?:[^"]|"")*$/;
