/**
 * A format of a whole file (JSON, XML, CSV), recognised by its first bytes. Text layouts, which one file may mix, are
 * in `text/`.
 */
import type { OutputProfile } from './names.ts';
import type { FormatHints, ReaderState, RecordReader, SolutionWriter, WriterOptions } from './reader.ts';
import type { ParseError } from './records/record-block.ts';
import type { RecordSink } from './records/record-sink.ts';

/** Facts about a file, other than its alphabets, that a reader and a writer need; plain data. */
export type FormatSettings = Readonly<Record<string, unknown>>;

/** The file has this format and cannot be read. */
export interface Refusal {
  readonly refused: ParseError;
}

export interface FileFormat {
  /** The name in `--format` and in records. */
  readonly name: string;
  /**
   * @param head the first bytes of the file, without a byte-order mark
   * @returns settings for the reader and the writer; undefined if the file has another format
   */
  recognise(head: Uint8Array, hints: FormatHints): FormatSettings | Refusal | undefined;
  /**
   * Whether a file has this format beyond doubt, damaged or not: then no other format is tried. A text that only begins
   * like this format may be another one.
   */
  isCertain?(head: Uint8Array): boolean;
  /** @param from state of a reader that has read everything before; omitted at the start of the file */
  open(settings: FormatSettings, sink: RecordSink, from?: ReaderState): RecordReader;
  /** Writes solutions in the same form as the file; a table also in the profile `csv`. */
  writer(settings: FormatSettings, options: WriterOptions, profile: OutputProfile): SolutionWriter;
}

export function isRefusal(settings: FormatSettings | Refusal): settings is Refusal {
  return 'refused' in settings;
}
