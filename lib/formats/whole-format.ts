/**
 * A format that a file is written in as a whole (JSON, XML, CSV), told by the file's first bytes. Layouts of text,
 * which may be mixed, are in `text/`.
 */
import type { FormatHints, ReaderState, RecordReader, SolutionWriter } from './reader.ts';
import type { RecordSink } from './records/record-sink.ts';

/** What a format needs to know of a file besides its alphabets; plain data. */
export type FormatSettings = Readonly<Record<string, unknown>>;

export interface WholeFormat {
  /** As in `--format`, and in the records. */
  readonly name: string;
  /**
   * Whether a file is of this format.
   *
   * @param head the first bytes of the file, without a byte-order mark
   * @returns what the reader and the writer need to know, undefined where the file is not of this format
   */
  recognise(head: Uint8Array, hints: FormatHints): FormatSettings | undefined;
  /** @param from where another reader stood that read everything before; left out at the file's front */
  open(settings: FormatSettings, sink: RecordSink, from?: ReaderState): RecordReader;
  /** Writes solutions the way the file is written. */
  writer(settings: FormatSettings): SolutionWriter;
}
