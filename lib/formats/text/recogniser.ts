/**
 * The interface of a text layout.
 *
 * A text file may mix layouts. At each line where a puzzle may start, the reader tries the recognisers in order; the
 * first one that recognises the line takes it, with as many of the next lines as it needs.
 *
 * The answer is a function of the lines alone, as if the whole file were there: `LineWindow.has` interrupts a recogniser
 * that reads past what has arrived, and the reader asks it again when more bytes have. So a recogniser enters puzzles and
 * changes its state only after its last call of `has`, and the records do not depend on how the bytes are cut into chunks.
 */
import type { Line } from './shape/line.ts';

/** The lines are not of this layout. */
export const NO = -1;

export interface Recogniser {
  /** Value of `--format`, and the format in the records. */
  readonly name: string;
  /** Bytes of text in the shortest and longest line that it recognises; it is not tried on others. */
  readonly minBytes?: number;
  readonly maxBytes?: number;
  /** The kinds of bytes that such lines have alone, and those of which they have one; see `byte-kinds.ts`. */
  readonly only?: number;
  readonly has?: number;
  /**
   * Recognises the lines from one on which is neither blank nor a comment, and enters their puzzles in `context.sink`.
   *
   * @returns lines taken (1 or more), or `NO`: then nothing is entered
   */
  match(line: Line): number;
  /** Whether lines that it takes may start like comments and are not: `#` fills the gaps between overlapping grids. */
  readonly hashRows?: boolean;
  /** Whether a line without text may be a row that it takes. */
  readonly blankRows?: boolean;
}
