/**
 * The last record as the template of the next one: the fast path of every layout that repeats its bytes.
 *
 *     {"id":12,"puzzle":"53..7....","rating":3.5}      5 3 . . 7 ...
 *     piece  text piece  cells        text       piece  6 . . 1 9 ...       one piece, with cells among its bytes
 *
 * A record is like it if the bytes of its pieces are the same, but for the cells; a text between two pieces may be any. The
 * cells are decoded with one look-up each. A record that differs is read step by step, with the same result.
 */
import { SPACE } from '../bytes/ascii.ts';
import { isSameButBlank, type Layout } from './layout.ts';
import type { RecordNotes } from './record-block.ts';
import type { RecordSink } from './record-sink.ts';

/** Bytes of a record, in which only the cells may differ. */
interface Piece {
  readonly length: number;
  /** The offsets of the bytes that are no cells, and these bytes. */
  readonly equalAt: readonly number[];
  readonly equal: Uint8Array;
}

/** The parts of a record, as offsets in bytes. */
export interface RecordParts {
  readonly cells: ArrayLike<number>;
  /** The first cell of its solution, whose cells are adjacent bytes; negative if it has none. */
  readonly solution?: number;
  /** Texts that may differ, in their order. */
  readonly texts?: readonly { readonly from: number; readonly to: number }[];
}

/** Offset after the text at `at` in bytes up to `end`; negative if it is none. */
export type TextEnd = (bytes: Uint8Array, at: number, end: number) => number;

/** A cell by its piece, and its offset in it. */
interface CellPlace {
  readonly piece: number;
  readonly offset: number;
}

export class Template {
  readonly layout: Layout;
  /** Whether records like it are one line, and each byte of their pieces a character. */
  readonly isPlain: boolean;
  readonly #pieces: readonly Piece[];
  readonly #puzzle: CellPlace;
  /** The offsets of the puzzle's cells in its piece; undefined if they are adjacent. */
  readonly #cells: Int32Array | undefined;
  readonly #solution: CellPlace | undefined;
  /** In the last record that was like it: where each piece and each text starts. */
  readonly starts: number[] = [];
  readonly texts: number[] = [];

  /**
   * The template of the last record, which is the bytes `from` to `to` (exclusive).
   *
   * @returns undefined if the fast path cannot take records like it
   */
  static of(sink: RecordSink, bytes: Uint8Array, from: number, to: number, parts: RecordParts) {
    const layout = sink.currentBlock?.layout;
    // The block may just have been finished, or the cells may be escaped.
    return layout !== undefined && sink.isLastRecord(bytes, parts.cells)
      ? new Template(layout, bytes, from, to, parts)
      : undefined;
  }

  private constructor(
    layout: Layout,
    bytes: Uint8Array,
    from: number,
    to: number,
    { cells, solution = -1, texts = [] }: RecordParts,
  ) {
    const isFree = new Uint8Array(to - from);
    for (let cell = 0; cell < cells.length; cell++) {
      isFree[cells[cell] - from] = 1;
      if (solution >= 0) isFree[solution + cell - from] = 1;
    }
    const starts = [from, ...texts.map((text) => text.to)];
    const ends = [...texts.map((text) => text.from), to];
    const placeOf = (offset: number) => {
      const piece = starts.findLastIndex((start) => start <= offset);
      return { piece, offset: offset - starts[piece] };
    };
    this.layout = layout;
    this.#pieces = starts.map((start, k) => pieceOf(bytes, isFree, from, start, ends[k]));
    this.isPlain = this.#pieces.every(({ equal }) => equal.every((byte) => byte >= SPACE && byte < 127));
    this.#puzzle = placeOf(cells[0]);
    this.#solution = solution < 0 ? undefined : placeOf(solution);
    const isAdjacent = cells[cells.length - 1] - cells[0] === cells.length - 1;
    this.#cells = isAdjacent ? undefined : Int32Array.from(cells).map((offset) => offset - cells[0]);
  }

  /** Whether the next record may be one of this layout, but for its blank. */
  fits({ layout }: RecordSink): boolean {
    return layout !== undefined && isSameButBlank(layout, this.layout);
  }

  /** Offset after the record at `at`; negative if the bytes up to `end` are none that is like this one. */
  match(bytes: Uint8Array, at: number, end: number, textEnd?: TextEnd): number {
    let next = at;
    for (let k = 0; ; k++) {
      const { length, equalAt, equal } = this.#pieces[k];
      this.starts[k] = next;
      if (next + length > end) return -1;
      for (let byte = 0; byte < equal.length; byte++) {
        if (bytes[next + equalAt[byte]] !== equal[byte]) return -1;
      }
      next += length;
      if (k === this.#pieces.length - 1 || textEnd === undefined) return next;
      this.texts[k] = next;
      next = textEnd(bytes, next, end);
      if (next < 0) return -1;
    }
  }

  /**
   * Fills the next record with the cells of the one that matched, and its notes with the solution. False if they are
   * written otherwise.
   */
  fill(sink: RecordSink, bytes: Uint8Array, notes?: RecordNotes): boolean {
    if (this.#solution !== undefined && notes !== undefined) {
      const from = this.#placed(this.#solution);
      const solution = sink.valuesOf({ bytes, from }, this.layout.geometry);
      if (solution === undefined) return false;
      notes.expected = { solution };
    }
    return sink.fill(bytes, this.#placed(this.#puzzle), this.#cells);
  }

  /** The first cell of the puzzle, and a cell after it, in the record that matched. */
  cellAt(cell: number): number {
    return this.#placed(this.#puzzle) + (this.#cells?.[cell] ?? cell);
  }

  #placed({ piece, offset }: CellPlace): number {
    return this.starts[piece] + offset;
  }
}

/** The piece in the bytes `start` to `end` (exclusive) of a record that begins at `from`. */
function pieceOf(bytes: Uint8Array, isFree: Uint8Array, from: number, start: number, end: number): Piece {
  const equalAt: number[] = [];
  for (let at = start; at < end; at++) if (isFree[at - from] === 0) equalAt.push(at - start);
  const equal = Uint8Array.from(equalAt, (offset) => bytes[start + offset]);
  return { length: end - start, equalAt, equal };
}
