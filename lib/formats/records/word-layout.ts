/** A layout of text that has a puzzle in one word, such as a link; text registers those of other modules. */
import type { Fault } from './fault.ts';
import type { GridPlace } from './found.ts';
import type { RecordNotes } from './record-block.ts';
import type { RecordSink } from './record-sink.ts';

/** Where a word is, and what the text around it states. */
export type WordPlace = Pick<GridPlace, 'format' | 'line' | 'lineEnd'> & {
  readonly notes?: RecordNotes | undefined;
};

export interface WordLayout {
  /** Value of `--format`, and the format in the records. */
  readonly name: string;
  /** Bytes of the shortest line that has such a word. */
  readonly minBytes: number;
  /** Whether the word in the bytes `from` to `to` (exclusive) begins like one of this layout: most words do not. */
  mayBe(bytes: Uint8Array, from: number, to: number): boolean;
  /**
   * Whether words on lines next to each other are one puzzle: a `part` is no puzzle of its own, and belongs to the other
   * parts and to one `main` word at most.
   */
  roleOf(word: string): 'alone' | 'main' | 'part';
  /**
   * Reads a word, or those of several lines.
   *
   * @returns enters its puzzle, or answers why there is none; undefined if it is something else
   */
  read(word: string): ((sink: RecordSink, place: WordPlace) => Fault | undefined) | undefined;
}
