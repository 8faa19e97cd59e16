/**
 * Writes the output profile `jsonl`: JSON lines with one object per record.
 *
 * An entry contains only data of the input file. A job has more data about its records, and writes them with `line`.
 */
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { SolvedRecord } from '../reader.ts';
import { recordShape } from '../records/record-shape.ts';
import { EntryWriter } from '../writing/entry-writer.ts';
import { gridText, puzzleText } from '../writing/grid-text.ts';

export class JsonRecordWriter extends EntryWriter {
  readonly extension = 'jsonl';
  readonly contentType = 'application/x-ndjson';

  entry(out: ByteBuffer, { block, index, cells, offset }: SolvedRecord, first: boolean): void {
    const { layout, notes } = block;
    const shape = recordShape(layout, block.blankOf(index));
    const grids = { puzzle: puzzleText(block, index), solution: gridText(layout, cells, offset) };
    this.line(out, { id: notes.get(index)?.id, ...shape, ...grids }, first);
  }

  /** Writes `record` unchanged instead of an entry. */
  line(out: ByteBuffer, record: object, first: boolean): void {
    this.beginEntry(out, 'line', first);
    out.text(`${JSON.stringify(record)}\n`);
  }

  /** A record that has only an error. */
  override placeholder(out: ByteBuffer, text: string, first: boolean): void {
    this.line(out, { error: { message: text } }, first);
  }

  /** JSON lines have no comments. */
  override heading(): boolean {
    return false;
  }
}
