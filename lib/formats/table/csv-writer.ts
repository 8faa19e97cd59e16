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
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { RecordOutcome, SolvedRecord, UnsolvedRecord, WriterOptions } from '../reader.ts';
import type { RecordBlock } from '../records/record-block.ts';
import { EntryWriter } from '../writing/entry-writer.ts';
import { gridText, puzzleText } from '../writing/grid-text.ts';
import type { CsvColumns } from './csv-columns.ts';
import { withoutFormulas } from './formula-cells.ts';
import { type RowFields, rowFields } from './row-fields.ts';

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
  /** The row of the table that is copied. */
  readonly #source: RowFields;
  /** Whether the table is drawn with bars. */
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
    this.#source = rowFields(delimiter);
    // With bars at the ends of its rows, as in Markdown.
    this.#isDrawn = delimiter === '|' && header?.startsWith('|') === true && header.endsWith('|');
    this.#width = this.#isDrawn ? width - 1 : width;
    this.#solution = solution ?? this.#width;
  }

  override begin(out: ByteBuffer): void {
    const { sep, header } = this.#columns;
    if (sep !== undefined && !this.#commas) out.text(`${sep}\n`);
    if (header === undefined) return;
    const fields = this.#withWidth(this.#fieldsOf(encoder.encode(header)));
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
    { status, error, solutions = '', rating }: RecordOutcome,
    solution: string,
    first: boolean,
  ): void {
    this.beginEntry(out, 'line', first);
    const source = block.notes.get(index)?.source;
    const all =
      source !== undefined
        ? this.#fieldsOf(source)
        : block.isReadable(index)
          ? [puzzleText(block, index)]
          : [];
    const fields = this.#withWidth(all.slice(0, this.#width));
    // A program shows more fields than the header has after the columns with names.
    const surplus = all.slice(this.#width);
    while (surplus.at(-1)?.trim() === '') surplus.pop();
    if (this.#options.countsOnly === true) fields.push(this.#field(solutions));
    else fields[this.#solution] = this.#field(solution);
    const outcome = [status, error];
    if (this.#options.ratings === true) {
      outcome.push(
        ...[rating?.rating.toFixed(1), rating?.grade, rating?.isLowerBound].map((value) =>
          String(value ?? ''),
        ),
      );
    }
    fields.push(...outcome.map((text) => this.#field(text)), ...surplus);
    this.#write(out, fields, [this.#columns.puzzle, this.#solution]);
  }

  /** The names of the columns that are added: other names than those of the table. */
  #addedNames(): string[] {
    const { names = [], solution } = this.#columns;
    const taken = new Set(names.map((name) => name.trim().toLowerCase()));
    const solutions =
      this.#options.countsOnly === true ? ['solutions'] : solution === undefined ? ['solution'] : [];
    const added = [...solutions, 'status', 'error'];
    if (this.#options.ratings === true) added.push('rating', 'grade', 'rating_is_lower_bound');
    return added.map((name) => {
      let free = name;
      for (let k = 2; taken.has(free); k++) free = `${name}_${k}`;
      return free;
    });
  }

  /** The fields of a row as they are written; a drawn row without its last bar. */
  #fieldsOf(row: Uint8Array): string[] {
    const { delimiter } = this.#columns;
    const isOpen = this.#source.cut(row, 0, row.length);
    const fields = Array.from({ length: this.#source.count }, (_, index) => this.#source.written(index));
    // A quote that is not closed is no quote: each separator after it ends a field.
    if (isOpen) fields.push(...fields.pop()!.split(delimiter));
    if (this.#isDrawn) {
      if (fields.at(-1)?.trim() === '') fields.pop();
      return fields;
    }
    return row.includes(QUOTE) ? fields.map((field) => wellQuoted(field, delimiter)) : fields;
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
    const safe = this.#options.csvSafe ? withoutFormulas(fields, grids) : fields;
    if (this.#commas) {
      const own = this.#isDrawn ? safe.slice(1).map((field) => field.trim()) : safe;
      out.text(`${own.map((field) => (isQuoted(field) ? field : quoted(field))).join(',')}\n`);
    } else out.text(`${safe.join(delimiter)}${this.#isDrawn ? '|' : ''}\n`);
  }
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

/** Whether a field as it is written is in quotes. */
function isQuoted(field: string): boolean {
  return QUOTED.test(field);
}

const QUOTED = /^ *"(?:[^"]|"")*" *$/;
const UNCLOSED = /^\s*"(?:[^"]|"")*$/;
const encoder = new TextEncoder();
