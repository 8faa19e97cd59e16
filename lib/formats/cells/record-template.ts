/**
 * The last record as the template of the next one, for records that are one range of bytes.
 *
 *     {"id":12,"puzzle":"53..7....","rating":3.5,"solution":"534678912"}
 *     piece  slot piece  cells         slot piece    cells              piece
 *
 * A record matches if the bytes of its pieces are equal, but for cells; the text of a slot may be any. Its cells are copied with
 * one look-up each, see `cell-template.ts`.
 */
import { SPACE } from '../bytes/ascii.ts';
import { isSameButBlank, type Layout } from '../records/layout.ts';
import type { RecordBlock } from '../records/record-block.ts';
import {
  type CellTemplate,
  type FillTarget,
  fillNextRecord,
  isLastPlain,
  matchesLastRecord,
  matchesTemplate,
  templateOf,
} from './cell-template.ts';

/** Text that may differ, in the bytes `from` to `to` (exclusive). */
interface Slot {
  readonly from: number;
  readonly to: number;
}

/** The parts of a record, as offsets in bytes. */
export interface RecordParts {
  readonly cells: readonly number[];
  /** The first cell of its solution, whose cells are adjacent bytes; negative if it has none. */
  readonly solution?: number;
  /** In their order. */
  readonly slots?: readonly Slot[];
}

/** A cell by its piece, and its offset in it. */
interface CellPlace {
  readonly piece: number;
  readonly offset: number;
}

export interface RecordTemplate {
  readonly layout: Layout;
  /** Before, between and after the slots. */
  readonly pieces: readonly CellTemplate[];
  readonly puzzle: CellPlace;
  /** The cells of the puzzle in its piece; undefined if they are adjacent. */
  readonly cells: CellTemplate | undefined;
  readonly solution: CellPlace | undefined;
  /** Whether its pieces are one line, and each byte of them a character. */
  readonly isPlain: boolean;
}

/** Where the parts of a record are that matches. */
export interface RecordMatch {
  /** After its last byte. */
  end: number;
  /** Of each piece; a slot is between two of them. */
  readonly starts: number[];
  /** Of each slot. */
  readonly slots: number[];
}

export function noMatch(): RecordMatch {
  return { end: 0, starts: [], slots: [] };
}

/** The offset of a cell in a record that matches. */
export function offsetIn({ starts }: RecordMatch, { piece, offset }: CellPlace): number {
  return starts[piece] + offset;
}

/** Offset after the text of a slot at `at` in bytes up to `end`; negative if it is none. */
export type SlotEnd = (bytes: Uint8Array, at: number, end: number) => number;

/**
 * Makes the last record, in the bytes `from` to `to` (exclusive), a template.
 *
 * @returns undefined if the fast path cannot take records like it
 */
export function recordTemplate(
  sink: FillTarget,
  bytes: Uint8Array,
  from: number,
  to: number,
  { cells, solution = -1, slots = [] }: RecordParts,
): RecordTemplate | undefined {
  const block = sink.currentBlock;
  // The block may just have been finished, or the cells may be escaped.
  if (block === undefined || !isLastPlain(sink) || !matchesLastRecord(sink, bytes, cells)) return undefined;
  const free = solution < 0 ? cells : [...cells, ...cells.map((_, cell) => solution + cell)];
  const starts = [from, ...slots.map((slot) => slot.to)];
  const ends = [...slots.map((slot) => slot.from), to];
  const pieces = starts.map((start, k) => {
    const own = free.filter((offset) => offset >= start && offset < ends[k]);
    return templateOf(bytes, start, ends[k] - start, own, own.length);
  });
  const placeOf = (offset: number) => {
    const piece = starts.findLastIndex((start) => start <= offset);
    return { piece, offset: offset - starts[piece] };
  };
  const puzzle = placeOf(cells[0]);
  const isAdjacent = cells[cells.length - 1] - cells[0] === cells.length - 1;
  const piece = pieces[puzzle.piece];
  const cellOffset = Int32Array.from(cells, (offset) => offset - starts[puzzle.piece]);
  const own = piece.cellOffset.length === cells.length ? piece : { ...piece, cellOffset };
  return {
    layout: block.layout,
    pieces,
    puzzle: isAdjacent ? puzzle : { ...puzzle, offset: 0 },
    cells: isAdjacent ? undefined : own,
    solution: solution < 0 ? undefined : placeOf(solution),
    isPlain: pieces.every(({ separator }) => separator.every((byte) => byte >= SPACE && byte < 127)),
  };
}

/** Whether the bytes from `at` on, before `end`, are a record like the template; its parts go to `into`. */
export function matchesRecord(
  { pieces }: RecordTemplate,
  bytes: Uint8Array,
  at: number,
  end: number,
  into: RecordMatch,
  slotEnd?: SlotEnd,
): boolean {
  let next = at;
  for (let k = 0; ; k++) {
    const piece = pieces[k];
    into.starts[k] = next;
    if (next + piece.bytes > end || !matchesTemplate(piece, bytes, next)) return false;
    next += piece.bytes;
    if (k === pieces.length - 1 || slotEnd === undefined) break;
    into.slots[k] = next;
    next = slotEnd(bytes, next, end);
    if (next < 0) return false;
  }
  into.end = next;
  return true;
}

/** The block for a record like the template, with space for it; undefined if its layout is another one. */
export function blockFor(sink: FillTarget, { layout }: RecordTemplate): RecordBlock | undefined {
  const block = sink.currentBlock;
  return block !== undefined && isSameButBlank(block.layout, layout) ? block : undefined;
}

/** Fills the next record with the cells of one that matches; the caller enters it. False if they are written otherwise. */
export function fillMatch(
  sink: FillTarget,
  block: RecordBlock,
  bytes: Uint8Array,
  { puzzle, cells }: RecordTemplate,
  match: RecordMatch,
): boolean {
  return fillNextRecord(sink, block, bytes, offsetIn(match, puzzle), cells);
}
