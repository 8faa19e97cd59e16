/**
 * Writes the output profile `jsonl`: JSON lines with one object per record.
 *
 * An entry contains only data of the input file. A job has more data about its records, and writes them with `line`.
 */
import type { SolutionWriter } from '../reader.ts';
import { recordShape } from '../records/record-shape.ts';
import { entryWriter } from '../writing/entry-writer.ts';
import { gridText, puzzleText } from '../writing/grid-text.ts';

export function jsonRecordWriter(): SolutionWriter {
  const recordText = (record: object) => `${JSON.stringify(record)}\n`;
  return entryWriter({
    extension: 'jsonl',
    contentType: 'application/x-ndjson',
    recordText,
    write(out, { block, index, cells, offset }) {
      const { layout, notes } = block;
      const shape = recordShape(layout, block.blankOf(index));
      const grids = { puzzle: puzzleText(block, index), solution: gridText(layout, cells, offset) };
      out.text(recordText({ id: notes.get(index)?.id, ...shape, ...grids }));
    },
    // JSON lines have no comments: a record that has only an error.
    comment: () => undefined,
    placeholder: (text) => recordText({ error: { message: text } }),
  });
}
