/**
 * The records of a file, as its reader hands them on: blocks of arrays, in input order.
 *
 * A record is one puzzle, or one stretch of text that should have been one and could not be read. All readable
 * records of a block share one layout (format, geometry, alphabet), so that nothing is kept for each puzzle but its
 * cells and its lines. What few records have (a label, a warning, an error, another blank) lies in `notes`.
 *
 *     record   0            1            2
 *     cells    | 81 bytes   | 81 bytes   | 81 zeros   |   <- cellCount bytes each
 *     line     7            8            9                <- first line in the file, from 1
 *     lineEnd  7            8            11               <- last line, inclusive
 *     notes    {2: {error: ...}}                          <- record 2 is unreadable
 *
 * How a file's bytes are cut into chunks never changes its records. Where blocks begin and end depends on time (see
 * `lib/batch/solving/block-pool.ts`): nothing may rely on it.
 */
import type { PuzzleCells } from '../../sudoku/engine.ts';
import type { Geometry } from '../../sudoku/geometry/geometry.ts';
import type { Layout } from './layout.ts';

export const PARSE_ERROR_CODES = [
  'bad_character',
  'bad_length',
  'row_count',
  'symbol_out_of_range',
  'ambiguous_alphabet',
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
  /** One sentence for people: what was found, what was expected, what to do. */
  readonly message: string;
  /** Where, both from 1; the column counts characters. */
  readonly line: number;
  readonly column: number;
  readonly found?: string;
  readonly expected?: string;
}

/** What only some records have. */
export interface RecordNotes {
  /** The name the file gives the puzzle (`Grid 01`, an id column). */
  id?: string;
  /** The puzzle's blank, where it is not that of the block's layout. */
  blank?: string;
  /** Set where the record is unreadable; its cells are all 0. */
  error?: ParseError;
  warnings?: string[];
  /** The record's line as it stands in the file, where the writer of its format keeps more of it than the puzzle. */
  source?: Uint8Array;
  /** What the file says the answer is; checked, and reported where it differs. */
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

  /** @param shared whether the cells lie in shared memory, for worker threads */
  constructor(layout: Layout, capacity: number, shared = false) {
    const bytes = capacity * layout.geometry.cellCount;
    this.#layout = layout;
    this.#capacity = capacity;
    this.cells = shared ? new Uint8Array(new SharedArrayBuffer(bytes)) : new Uint8Array(bytes);
    this.line = new Float64Array(capacity);
    this.lineEnd = new Float64Array(capacity);
  }

  /** Records that it was made for. */
  get maxCapacity(): number {
    return this.line.length;
  }

  /** Records that it is to be filled with, at most `room`. */
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
   * @param capacity records that it is to be filled with, at most `room`; as before by default
   * @throws RangeError where its puzzles have another number of cells, or it has no room for so many
   */
  reuse(layout: Layout, capacity = this.#capacity): void {
    if (capacity > this.maxCapacity) {
      throw new RangeError(`a block of ${this.maxCapacity} records has no room for ${capacity}`);
    }
    if (layout.geometry.cellCount !== this.geometry.cellCount) {
      throw new RangeError(
        `a block of ${this.geometry.cellCount} cells a puzzle cannot take puzzles of ${layout.geometry.cellCount}`,
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

  /** The blank of record `index`, as the file writes it. */
  blankOf(index: number): string {
    return (this.notes.size === 0 ? undefined : this.notes.get(index)?.blank) ?? this.layout.blank;
  }

  /** Whether record `index` (below `count`) could be read. */
  isReadable(index: number): boolean {
    return this.notes.size === 0 || this.notes.get(index)?.error === undefined;
  }
}
