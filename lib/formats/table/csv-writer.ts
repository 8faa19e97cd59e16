/** Writes solutions as tables: the input's own table with a solution column, or `puzzle,solution`. */
import { COMMA, LF } from '../bytes/ascii.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { SolvedRecord, WriterOptions } from '../reader.ts';
import { EntryWriter } from '../writing/entry-writer.ts';
import { gridText, puzzleText, writeCells } from '../writing/grid-text.ts';
import type { CsvColumns } from './csv-columns.ts';
import { isQuoted, splitRow, writtenFields } from './csv-fields.ts';
import { withoutFormulas } from './formula-cells.ts';

/** Writes a table of two columns, `puzzle,solution`. */
export class PairWriter extends EntryWriter {
  readonly extension = 'csv';
  readonly contentType = 'text/csv; charset=utf-8';
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    super();
    this.#options = options;
  }

  override begin(out: ByteBuffer): void {
    out.text('puzzle,solution\n');
  }

  entry(out: ByteBuffer, { block, index, cells, offset }: SolvedRecord, first: boolean): void {
    this.beginEntry(out, 'line', first);
    const { layout, geometry } = block;
    out.text(quoted(puzzleText(block, index)));
    out.byte(COMMA);
    writeCells(out, layout.alphabet, cells, offset, geometry.cellCount);
    out.byte(LF);
  }

  override placeholder(out: ByteBuffer, text: string, first: boolean): void {
    super.placeholder(out, this.#options.csvSafe ? withoutFormulas(text, ',', []) : text, first);
  }
}

/** Writes the input's rows with their solutions: as they are, or with commas as separators. */
export class CsvWriter extends EntryWriter {
  readonly extension = 'csv';
  readonly contentType = 'text/csv; charset=utf-8';
  readonly #columns: CsvColumns;
  readonly #options: WriterOptions;
  readonly #commas: boolean;
  #headerFields: number | undefined;

  constructor(columns: CsvColumns, options: WriterOptions, separator: 'same' | 'comma') {
    super();
    this.#columns = columns;
    this.#options = options;
    this.#commas = separator === 'comma' && columns.delimiter !== ',';
  }

  override begin(out: ByteBuffer): void {
    const { sep, header, solution, delimiter } = this.#columns;
    if (sep !== undefined && !this.#commas) out.text(`${sep}\n`);
    if (header === undefined) return;
    const names = solution === undefined ? withField(header, delimiter, 'solution') : header;
    this.#write(out, this.#safe(names, []));
    if (isDrawn(names, delimiter) && !this.#commas)
      out.text(`|${' --- |'.repeat(splitRow(names, delimiter).length - 2)}\n`);
  }

  entry(out: ByteBuffer, { block, index, cells, offset }: SolvedRecord, first: boolean): void {
    this.beginEntry(out, 'line', first);
    const { delimiter, puzzle, solution } = this.#columns;
    const { layout } = block;
    const kept = block.notes.get(index)?.source;
    const source = kept === undefined ? puzzleText(block, index) : decoder.decode(kept);
    const text = gridText(layout, cells, offset);
    if (solution === undefined) {
      this.#write(out, withField(this.#filled(this.#safe(source, [puzzle])), delimiter, text));
      return;
    }
    const fields = splitRow(source, delimiter);
    while (fields.length <= solution) fields.push('');
    fields[solution] = text;
    const row = fields.map((field) => quoted(field, delimiter)).join(delimiter);
    this.#write(out, this.#safe(row, [puzzle, solution]));
  }

  override placeholder(out: ByteBuffer, text: string, first: boolean): void {
    super.placeholder(out, this.#safe(text, []), first);
  }

  /** A row that has fewer fields than the header, with empty ones: the solution is in the column of its name. */
  #filled(row: string): string {
    const { header, delimiter } = this.#columns;
    if (header === undefined) return row;
    this.#headerFields ??= splitRow(header, delimiter).length;
    const missing = this.#headerFields - splitRow(row, delimiter).length;
    return missing > 0 ? row + (isDrawn(row, delimiter) ? '  |' : delimiter).repeat(missing) : row;
  }

  #write(out: ByteBuffer, row: string): void {
    out.text(`${this.#commas ? withCommas(row, this.#columns.delimiter) : row}\n`);
  }

  /** @param grids columns that hold grids */
  #safe(row: string, grids: readonly number[]): string {
    return this.#options.csvSafe ? withoutFormulas(row, this.#columns.delimiter, grids) : row;
  }
}

const decoder = new TextDecoder();

/** Whether a row is one of a Markdown table: with bars at its ends. */
function isDrawn(row: string, delimiter: string): boolean {
  return delimiter === '|' && row.startsWith('|') && row.endsWith('|');
}

/** A row with another field at its end. */
function withField(row: string, delimiter: string, field: string): string {
  return isDrawn(row, delimiter) ? `${row} ${field} |` : `${row}${delimiter}${field}`;
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
