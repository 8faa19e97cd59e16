/**
 * Writes solutions as tables: the rows of the input's own table, or `puzzle,solution`. Each record is a row, whatever its
 * outcome, and three columns are added: `solution`, unless the table has such a column, `status` and `error`.
 *
 *     id,puzzle,rating           id,puzzle,rating,solution,status,error
 *     1,53..7....,2        ->    1,53..7....,2,534678912...,solved,
 *     2,55..7....,3              2,55..7....,3,,invalid,"row 1 has 5 twice: r1c1, r1c2"
 */
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { RecordOutcome, SolvedRecord, UnsolvedRecord, WriterOptions } from '../reader.ts';
import type { RecordBlock } from '../records/record-block.ts';
import { EntryWriter } from '../writing/entry-writer.ts';
import { gridText, puzzleText } from '../writing/grid-text.ts';
import type { CsvColumns } from './csv-columns.ts';
import { isQuoted, writtenFields } from './csv-fields.ts';
import { withoutFormulas } from './formula-cells.ts';

const SOLVED: RecordOutcome = { status: 'solved', error: '' };

/** The table for puzzles of other files. */
const PUZZLES: CsvColumns = { delimiter: ',', header: 'puzzle', names: ['puzzle'], width: 1, puzzle: 0 };

/** Writes a row for each entry: with the separator of the table, or with commas. Tables have no comments. */
export class CsvWriter extends EntryWriter {
  readonly extension = 'csv';
  readonly contentType = 'text/csv; charset=utf-8';
  readonly #columns: CsvColumns;
  readonly #options: WriterOptions;
  readonly #commas: boolean;
  /** Whether the table is drawn with bars at the ends of its rows, as in Markdown. */
  readonly #isDrawn: boolean;
  /** Number of columns before those that are added. */
  readonly #width: number;
  /** The column of the solutions, from 0: one of the table, or the first that is added. */
  readonly #solution: number;

  constructor(options: WriterOptions, separator: 'same' | 'comma', columns = PUZZLES) {
    super();
    const { delimiter, header, width, solution } = columns;
    this.#columns = columns;
    this.#options = options;
    this.#commas = separator === 'comma' && delimiter !== ',';
    this.#isDrawn = header !== undefined && isDrawn(header, delimiter);
    this.#width = this.#isDrawn ? width - 1 : width;
    this.#solution = solution ?? this.#width;
  }

  override begin(out: ByteBuffer): void {
    const { sep, header } = this.#columns;
    if (sep !== undefined && !this.#commas) out.text(`${sep}\n`);
    if (header === undefined) return;
    const fields = this.#withWidth(this.#fieldsOf(header));
    for (const name of this.#addedNames()) fields.push(this.#field(name));
    this.#write(out, fields, []);
    if (this.#isDrawn && !this.#commas) out.text(`|${' --- |'.repeat(fields.length - 1)}\n`);
  }

  entry(out: ByteBuffer, solved: SolvedRecord, first: boolean): void {
    const { block, index, cells, offset, outcome = SOLVED } = solved;
    this.#row(out, block, index, outcome, gridText(block.layout, cells, offset), first);
  }

  /** The row of a record without a solution; solutions have rows of their own. */
  override placeholder(out: ByteBuffer, _text: string, first: boolean, unsolved: UnsolvedRecord): void {
    const { block, index, outcome, hasEntries } = unsolved;
    if (!hasEntries) this.#row(out, block, index, outcome, '', first);
  }

  override heading(): boolean {
    return false;
  }

  /** @param solution its grid; empty if there is none */
  #row(
    out: ByteBuffer,
    block: RecordBlock,
    index: number,
    { status, error, solutions = '' }: RecordOutcome,
    solution: string,
    first: boolean,
  ): void {
    this.beginEntry(out, 'line', first);
    const source = block.notes.get(index)?.source;
    const all =
      source !== undefined
        ? this.#fieldsOf(decoder.decode(source))
        : block.isReadable(index)
          ? [puzzleText(block, index)]
          : [];
    const fields = this.#withWidth(all.slice(0, this.#width));
    // A program shows more fields than the header has after the columns with names.
    const surplus = all.slice(this.#width);
    while (surplus.at(-1)?.trim() === '') surplus.pop();
    if (this.#options.countsOnly === true) fields.push(this.#field(solutions));
    else fields[this.#solution] = this.#field(solution);
    fields.push(this.#field(status), this.#field(error), ...surplus);
    this.#write(out, fields, [this.#columns.puzzle, this.#solution]);
  }

  /** The names of the columns that are added: other names than those of the table. */
  #addedNames(): string[] {
    const { names = [], solution } = this.#columns;
    const taken = new Set(names.map((name) => name.trim().toLowerCase()));
    const result =
      this.#options.countsOnly === true ? ['solutions'] : solution === undefined ? ['solution'] : [];
    return [...result, 'status', 'error'].map((name) => {
      let free = name;
      for (let k = 2; taken.has(free); k++) free = `${name}_${k}`;
      return free;
    });
  }

  /** The fields of a row as they are written; a drawn row without its last bar. */
  #fieldsOf(row: string): string[] {
    const fields = writtenFields(row, this.#columns.delimiter);
    if (this.#isDrawn) {
      if (fields.at(-1)?.trim() === '') fields.pop();
      return fields;
    }
    return row.includes('"') ? fields.map((field) => wellQuoted(field, this.#columns.delimiter)) : fields;
  }

  /** The fields, and empty ones if the row has fewer than the table: each solution is in the column of its name. */
  #withWidth(fields: string[]): string[] {
    while (fields.length < this.#width) fields.push(this.#field(''));
    return fields;
  }

  /** A field as it is written. */
  #field(text: string): string {
    if (!this.#isDrawn) return quoted(text, this.#columns.delimiter);
    return ` ${text.replaceAll('|', '\\|')} `;
  }

  /** @param grids columns that hold grids */
  #write(out: ByteBuffer, fields: readonly string[], grids: readonly number[]): void {
    const { delimiter } = this.#columns;
    const joined = fields.join(delimiter);
    const row = this.#isDrawn ? `${joined}|` : joined;
    const safe = this.#options.csvSafe ? withoutFormulas(row, delimiter, grids) : row;
    out.text(`${this.#commas ? withCommas(safe, delimiter) : safe}\n`);
  }
}

const decoder = new TextDecoder();

/** Whether a row is one of a Markdown table: with bars at its ends. */
function isDrawn(row: string, delimiter: string): boolean {
  return delimiter === '|' && row.startsWith('|') && row.endsWith('|');
}

/** A row with commas as separators. */
function withCommas(row: string, delimiter: string): string {
  const fields = writtenFields(row, delimiter);
  const own = isDrawn(row, delimiter) ? fields.slice(1, -1).map((field) => field.trim()) : fields;
  return own.map((field) => (isQuoted(field) ? field : quoted(field))).join(',');
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
  if (isQuoted(field)) return field.trim();
  return UNCLOSED.test(field) ? quoted(field, delimiter) : field;
}

const UNCLOSED = /^\s*"(?:[^"]|"")*$/;
