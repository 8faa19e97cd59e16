/**
 * What a layout of puzzles in text looks like to the reader. Text files may mix layouts, so at every line where a
 * puzzle may start, each format is asked in turn; the first one that knows the line takes it.
 *
 * A format sees the lines from there on, as many as it needs, and answers with the number of lines it took. Its
 * answer must be a function of the lines alone: where it would differ with lines that are not there yet, the
 * answer is `MORE`. That is what makes any cutting of the bytes give the same records.
 */
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { Layout } from '../records/layout.ts';
import type { TextContext } from './text-context.ts';

/** The lines are not of this format. */
export const NO = -1;
/** Further lines are needed to tell. */
export const MORE = 0;

export interface TextFormat {
  /** As in `--format`, and in the records. */
  readonly name: string;
  /** Bytes of text, at least, in a line that it knows; it is not asked about shorter ones. Left out for any. */
  readonly leastBytes?: number;
  /**
   * Looks at the lines from `at`, which is neither blank nor a comment, and enters what it finds in `context.sink`.
   *
   * @returns lines taken (1 or more), `NO`, or `MORE`; nothing may be entered unless lines are taken
   */
  match(context: TextContext, at: number): number;
  /** Formats that only help others (headers) have no writer. */
  readonly writer?: GridWriter;
}

/** Writes solutions in the layout of a format. */
export interface GridWriter {
  /** Its entries have several lines, so that a blank line stands between them. */
  readonly multiLine: boolean;
  write(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void;
}
