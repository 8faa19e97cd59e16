/**
 * Puzzles straight from the bytes of a file into a block: one table look-up a cell, and nothing kept on the way.
 *
 * A puzzle can be taken so where it stands as another one before it, only with other digits, and is written in the way
 * of the last one of its size, or of an earlier one with another blank. What cannot is read step by step, which gives the
 * same record, only slower.
 */

import type { RecordBlock } from '../records/record-block.ts';
import { type CellDecoder, type Decoding, NO_VALUE } from './cell-decoder.ts';
import { type GridBuffer, NUMBER } from './grid-buffer.ts';

/**
 * How a puzzle stands in its bytes.
 *
 *     5 3 . . 7 ...     cellOffset       0 2 4 6 8 ...     bytes that are cells
 *     6 . . 1 9 ...     separatorOffset  1 3 5 7 ...       bytes that must be the same: spaces, line ends, bars
 */
export interface CellTemplate {
  readonly bytes: number;
  /** Cells have two bytes each: two digits, or a space and a character. */
  readonly wide?: boolean;
  readonly cellOffset: Int32Array;
  readonly separatorOffset: Int32Array;
  readonly separator: Uint8Array;
}

/** The part of a `RecordSink` that these functions use. */
export interface FillTarget {
  readonly decoder: CellDecoder;
  readonly currentBlock: RecordBlock | undefined;
  readonly canUseFastPath: boolean;
}

/** The places of the cells at `offsets` (of the first `count`), in `length` bytes from `start`. */
export function templateOf(
  bytes: Uint8Array,
  start: number,
  length: number,
  offsets: ArrayLike<number>,
  count: number,
  wide = false,
): CellTemplate {
  const cellOffset = new Int32Array(count);
  const isCell = new Uint8Array(length);
  for (let cell = 0; cell < count; cell++) {
    cellOffset[cell] = offsets[cell] - start;
    isCell[cellOffset[cell]] = 1;
    if (wide) isCell[cellOffset[cell] + 1] = 1;
  }
  const separatorOffset = new Int32Array(length - (wide ? 2 * count : count));
  const separator = new Uint8Array(separatorOffset.length);
  for (let offset = 0, k = 0; offset < length; offset++) {
    if (isCell[offset] === 1) continue;
    separatorOffset[k] = offset;
    separator[k++] = bytes[start + offset];
  }
  return { bytes: length, wide, cellOffset, separatorOffset, separator };
}

/** Whether the bytes at `at` are those between the cells; all of them must be there. */
export function matchesTemplate(
  { separatorOffset, separator }: CellTemplate,
  bytes: Uint8Array,
  at: number,
): boolean {
  for (let k = 0; k < separatorOffset.length; k++) {
    if (bytes[at + separatorOffset[k]] !== separator[k]) return false;
  }
  return true;
}

/**
 * Puts cells into the next place of a block, and its blank into the notes there; the record is not counted yet.
 *
 * @param places where the cells stand from `at` on; left out where they stand side by side
 * @returns false where they are not written in a known way
 */
export function fillNextRecord(
  { decoder }: FillTarget,
  block: RecordBlock,
  bytes: Uint8Array,
  at: number,
  places?: CellTemplate,
): boolean {
  const { size } = block.geometry;
  let decoding = decoder.last(size);
  if (decoding === undefined || !isPlain(decoding, block)) return false;
  if (places?.wide === true) {
    if (!decoding.reusable || !fillWide(decoding, block, bytes, at, places)) return false;
  } else if (!fill(decoding, block, bytes, at, places)) {
    // What does not fit may be another blank; then it fits with that.
    decoding = decoder.withBlank(
      size,
      firstUnknownByte(decoding, bytes, at, block.geometry.cellCount, places),
    );
    if (decoding === undefined || !isPlain(decoding, block)) return false;
    if (!fill(decoding, block, bytes, at, places)) return false;
    decoder.setLast(size, decoding);
  }
  if (!decoding.reusable && !hasAll(decoding.blanks, bytes, at, block.geometry.cellCount, places))
    return false;
  if (decoding.blank !== block.layout.blank) block.notes.set(block.count, { blank: decoding.blank });
  return true;
}

/** Whether each of some blanks is among the cells: one that is not makes it another way of writing. */
function hasAll(
  blanks: readonly number[],
  bytes: Uint8Array,
  at: number,
  count: number,
  places: CellTemplate | undefined,
): boolean {
  for (const blank of blanks) {
    let cell = 0;
    while (cell < count && bytes[places === undefined ? at + cell : at + places.cellOffset[cell]] !== blank)
      cell++;
    if (cell === count) return false;
  }
  return true;
}

function firstUnknownByte(
  { table }: Decoding,
  bytes: Uint8Array,
  at: number,
  count: number,
  places: CellTemplate | undefined,
): number {
  let cell = 0;
  const byteOf = () => bytes[places === undefined ? at + cell : at + places.cellOffset[cell]];
  while (cell < count && table[byteOf()] !== NO_VALUE) cell++;
  return byteOf();
}

/** Whether the puzzle that was entered last is written in a way that can be taken straight. */
export function isLastPlain(sink: FillTarget): boolean {
  const block = sink.currentBlock;
  if (block === undefined || !sink.canUseFastPath) return false;
  const decoding = sink.decoder.last(block.geometry.size);
  return decoding !== undefined && isPlain(decoding, block);
}

/** Whether the bytes at `offsets` are the cells of the puzzle that was entered last. */
export function matchesLastRecord(sink: FillTarget, bytes: Uint8Array, offsets: readonly number[]): boolean {
  const block = sink.currentBlock;
  if (block === undefined || block.count === 0 || offsets.length !== block.geometry.cellCount) return false;
  const table = sink.decoder.last(block.geometry.size)?.table;
  const from = (block.count - 1) * offsets.length;
  return offsets.every((offset, cell) => table?.[bytes[offset]] === block.cells[from + cell]);
}

/** The same as `isPlainNow`, and whether the cells of its `grid` can be told by their bytes. */
export function isPlainGrid(sink: FillTarget, grid: GridBuffer): boolean {
  if (!isLastPlain(sink) || grid.count !== sink.currentBlock?.geometry.cellCount) return false;
  for (let cell = 0; cell < grid.count; cell++) if (grid.codes[cell] > 255) return false;
  return true;
}

function isPlain(decoding: Decoding, block: RecordBlock): boolean {
  return decoding.plain && decoding.alphabet === block.layout.alphabet;
}

function fill(
  { table }: Decoding,
  block: RecordBlock,
  bytes: Uint8Array,
  at: number,
  places: CellTemplate | undefined,
): boolean {
  const { cells } = block;
  const { cellCount } = block.geometry;
  const to = block.count * cellCount;
  let seen = 0;
  if (places === undefined) {
    for (let cell = 0; cell < cellCount; cell++) {
      const value = table[bytes[at + cell]];
      cells[to + cell] = value;
      seen |= value;
    }
  } else {
    const { cellOffset } = places;
    for (let cell = 0; cell < cellCount; cell++) {
      const value = table[bytes[at + cellOffset[cell]]];
      cells[to + cell] = value;
      seen |= value;
    }
  }
  return seen < NO_VALUE;
}

/** The same where cells have two bytes each; some number of two digits must be among them. */
function fillWide(
  { table }: Decoding,
  block: RecordBlock,
  bytes: Uint8Array,
  at: number,
  { cellOffset }: CellTemplate,
): boolean {
  const to = block.count * cellOffset.length;
  let numbers = 0;
  for (let cell = 0; cell < cellOffset.length; cell++) {
    const first = bytes[at + cellOffset[cell]];
    const second = bytes[at + cellOffset[cell] + 1];
    let code = second;
    if (first !== SPACE) {
      if (first < ZERO || first > NINE || second < ZERO || second > NINE) return false;
      code = NUMBER + (first - ZERO) * 10 + second - ZERO;
      numbers++;
    }
    const value = table[code];
    if (value === NO_VALUE) return false;
    block.cells[to + cell] = value;
  }
  return numbers > 0;
}

const SPACE = 32;
const ZERO = 48;
const NINE = 57;
