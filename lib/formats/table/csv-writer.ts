/** Writes solutions as tables: the input's own table with a solution column, or `puzzle,solution`. */
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { SolvedRecord } from '../reader.ts';
import { EntryWriter } from '../writing/entry-writer.ts';
import { gridText, puzzleText, writeCells } from '../writing/grid-text.ts';
import type { CsvColumns } from './csv-columns.ts';
import { splitRow } from './csv-fields.ts';

const COMMA = 44;
const LF = 10;

/** Writes a table of two columns, `puzzle,solution`. */
export class PairWriter extends EntryWriter {
  readonly extension = 'csv';
  readonly contentType = 'text/csv; charset=utf-8';

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
}

/** Writes the input's rows with their solutions. */
export class CsvWriter extends EntryWriter {
  readonly extension = 'csv';
  readonly contentType = 'text/csv; charset=utf-8';
  readonly #columns: CsvColumns;

  constructor(columns: CsvColumns) {
    super();
    this.#columns = columns;
  }

  override begin(out: ByteBuffer): void {
    const { sep, header, solution, delimiter } = this.#columns;
    if (sep !== undefined) out.text(`${sep}\n`);
    if (header === undefined) return;
    const names = solution === undefined ? withField(header, delimiter, 'solution') : header;
    out.text(`${names}\n`);
    if (isDrawn(names, delimiter)) out.text(`|${' --- |'.repeat(splitRow(names, delimiter).length - 2)}\n`);
  }

  entry(out: ByteBuffer, { block, index, cells, offset }: SolvedRecord, first: boolean): void {
    this.beginEntry(out, 'line', first);
    const { delimiter, solution } = this.#columns;
    const { layout } = block;
    const kept = block.notes.get(index)?.source;
    const source = kept === undefined ? puzzleText(block, index) : decoder.decode(kept);
    const text = gridText(layout, cells, offset);
    if (solution === undefined) {
      out.text(`${withField(source, delimiter, text)}\n`);
      return;
    }
    const fields = splitRow(source, delimiter);
    while (fields.length <= solution) fields.push('');
    fields[solution] = text;
    out.text(`${fields.map((field) => quoted(field, delimiter)).join(delimiter)}\n`);
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

/** A field, in quotes if it needs them. */
function quoted(field: string, delimiter = ','): string {
  return field.includes(delimiter) || /["\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
