/** The layout of a puzzle in its file: enough to describe it in records and to write its solution the same way. */
import type { Geometry } from '../../sudoku/geometry/geometry.ts';

/** The symbols of the digits 1 to size, in order: one character each, or decimal numbers. */
export interface Alphabet {
  /** Short name for records, such as `1-9`, `A-P`, `0-9A-F`, `1-25`. */
  readonly name: string;
  /** `symbols[v]` is the symbol of digit v; index 0 is unused and empty. */
  readonly symbols: readonly string[];
  /** Every symbol is one ASCII character, so a grid needs no separators. */
  readonly singleCharacter: boolean;
}

/** Whether puzzles of two layouts may share a block: they differ in the blank at most. */
export function isSameButBlank(one: Layout, other: Layout): boolean {
  return (
    one === other ||
    (one.geometry === other.geometry &&
      one.alphabet === other.alphabet &&
      one.format === other.format &&
      one.arrangement === other.arrangement)
  );
}

export interface Layout {
  /** The format's name, as in `--format`. */
  readonly format: string;
  readonly geometry: Geometry;
  readonly alphabet: Alphabet;
  /** The blank in the file, such as `.`, `0`, `?`; a record may have another, see `RecordBlock.blankOf`. */
  readonly blank: string;
  /** Further data for writing a grid as in the file; each format defines its own values. */
  readonly arrangement?: string;
}
