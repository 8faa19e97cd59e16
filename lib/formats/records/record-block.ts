/**
 * Blocks of records in input order, as arrays; readers yield them.
 *
 * A record is one puzzle, or one range of text that is damaged. All readable records of a block share one layout
 * (format, geometry, alphabet), so each puzzle takes only its cells and its lines. Data of few records (a label, a
 * warning, an error, another blank) is in `notes`.
 *
 *     record   0            1            2
 *     cells    | 81 bytes   | 81 bytes   | 81 zeros   |   <- cellCount bytes each
 *     line     7            8            9                <- first line in the file, from 1
 *     lineEnd  7            8            11               <- last line, inclusive
 *     notes    {2: {error: ...}}                          <- record 2 is unreadable
 *
 * The chunk boundaries of a file's bytes never change its records. Block boundaries depend on time (see
 * `lib/batch/solving/block-pool.ts`): no code may rely on them.
 */
import type { PuzzleCells } from '../../sudoku/engine.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import { excerptIn } from '../bytes/byte-text.ts';
import type { Layout } from './layout.ts';

export const PARSE_ERROR_CODES = [
  'bad_character',
  'bad_length',
  'row_count',
  'symbol_out_of_range',
  'ambiguous_alphabet',
  'ambiguous_columns',
  'bad_regions',
  'unsupported_variant',
  'truncated',
  'too_large',
  'bad_encoding',
] as const;
export type ParseErrorCode = (typeof PARSE_ERROR_CODES)[number];

/** Why a record, or a file, could not be read; a value, never thrown. */
export interface ParseError {
  readonly code: ParseErrorCode | 'no_puzzles';
  /** One sentence: what was found, what was expected, what to do. */
  readonly message: string;
  /** Both from 1; the column counts characters. */
  readonly line: number;
  readonly column: number;
  readonly found?: string;
  readonly expected?: string;
  /** For a whole file: the options with which it can be read, found by trial. */
  readonly suggestion?: readonly OptionSuggestion[];
}

/** An option of a job that makes a file readable. */
export interface OptionSuggestion {
  /** The name of the option. */
  readonly option: 'box' | 'alphabet';
  /** The value to pass. */
  readonly value: string;
}

/** Data that only some records have. */
export interface RecordNotes {
  /** The puzzle's name in the file (`Grid 01`, an id column). */
  id?: string;
  /** The puzzle's blank, if it differs from that of the block's layout. */
  blank?: string;
  /** Set if the record is unreadable; its cells are all 0. */
  error?: ParseError;
  /** The beginning of the text of an unreadable record that has no `source`, see `textOf`. */
  text?: string;
  warnings?: string[];
  /** The record's line in the file, if the writer of its format copies parts of it. */
  source?: Uint8Array;
  /** Members of the puzzle's JSON object that describe it, as JSON; each starts with a comma. */
  labels?: { toString(): string };
  /** The answer according to the file; it is checked, and a difference is reported. */
  expected?: { solutions?: number; solution?: Uint8Array };
}

export class RecordBlock implements PuzzleCells {
  #layout: Layout;
  #capacity: number;
  count = 0;
  readonly cells: Uint8Array;
  readonly line: Float64Array;
  readonly lineEnd: Float64Array;
  readonly notes = new Map<number, RecordNotes>();

  /** @param shared whether the cells are in shared memory, for worker threads */
  constructor(layout: Layout, capacity: number, shared = false) {
    const bytes = capacity * layout.geometry.cellCount;
    this.#layout = layout;
    this.#capacity = capacity;
    this.cells = shared ? new Uint8Array(new SharedArrayBuffer(bytes)) : new Uint8Array(bytes);
    this.line = new Float64Array(capacity);
    this.lineEnd = new Float64Array(capacity);
  }

  /** Number of records that its memory can hold. */
  get maxCapacity(): number {
    return this.line.length;
  }

  /** Number of records after which it is full, at most `maxCapacity`. */
  get capacity(): number {
    return this.#capacity;
  }

  get layout(): Layout {
    return this.#layout;
  }

  get geometry(): Geometry {
    return this.#layout.geometry;
  }

  /**
   * Becomes an empty block of another layout.
   *
   * @param capacity number of records after which it is full, at most `maxCapacity`; unchanged by default
   * @throws RangeError if the layout's puzzles have another number of cells, or if the capacity is too large
   */
  reuse(layout: Layout, capacity = this.#capacity): void {
    if (capacity > this.maxCapacity) {
      throw new RangeError(`a block of ${this.maxCapacity} records cannot take ${capacity}`);
    }
    if (layout.geometry.cellCount !== this.geometry.cellCount) {
      throw new RangeError(
        `a block for puzzles of ${this.geometry.cellCount} cells cannot take puzzles of ${layout.geometry.cellCount}`,
      );
    }
    this.#layout = layout;
    this.#capacity = capacity;
    this.count = 0;
    this.notes.clear();
  }

  /** Removes the first `records` records (at most `count`); the others move to the front. */
  dropFirst(records: number): void {
    const { cellCount } = this.geometry;
    this.cells.copyWithin(0, records * cellCount, this.count * cellCount);
    this.line.copyWithin(0, records, this.count);
    this.lineEnd.copyWithin(0, records, this.count);
    this.count -= records;
    const kept = [...this.notes].filter(([index]) => index >= records);
    this.notes.clear();
    for (const [index, notes] of kept) this.notes.set(index - records, notes);
  }

  /** Removes all records after the first `records`. */
  keepFirst(records: number): void {
    if (records >= this.count) return;
    this.count = records;
    for (const index of this.notes.keys()) if (index >= records) this.notes.delete(index);
  }

  /** @returns the blank of record `index` in the file */
  blankOf(index: number): string {
    return (this.notes.size === 0 ? undefined : this.notes.get(index)?.blank) ?? this.layout.blank;
  }

  /** @returns the beginning of the text of an unreadable record, if it is known */
  textOf(index: number): string | undefined {
    const { error, text, source } = this.notes.get(index) ?? {};
    if (error === undefined) return undefined;
    return source === undefined ? text : excerptIn(source, 0, source.length);
  }

  /** @param index below `count` */
  isReadable(index: number): boolean {
    return this.notes.size === 0 || this.notes.get(index)?.error === undefined;
  }
}
