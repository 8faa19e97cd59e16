/**
 * The fast path of the readers: copies a puzzle from the bytes of a file into a block with one table look-up per cell.
 *
 * It takes a puzzle that differs from an earlier one only in its digits, and is written like the last one of its size,
 * or like an earlier one with another blank. Other puzzles are read step by step, with the same result.
 */
import type { RecordBlock } from '../records/record-block.ts';
import { type CellDecoder, type Decoding, NO_VALUE } from './cell-decoder.ts';
import type { GridBuffer } from './grid-buffer.ts';

/**
 * The offsets of a puzzle's cells, and the bytes between them.
 *
 *     5 3 . . 7 ...     cellOffset       0 2 4 6 8 ...     bytes of cells
 *     6 . . 1 9 ...     separatorOffset  1 3 5 7 ...       bytes that must be equal: spaces, line ends, bars
 */
export interface CellTemplate {
  readonly bytes: number;
  readonly cellOffset: Int32Array;
  readonly separatorOffset: Int32Array;
  readonly separator: Uint8Array;
}

/** The part of a `RecordSink` that these functions use. */
export interface FillTarget {
  readonly decoder: CellDecoder;
  readonly currentBlock: RecordBlock | undefined;
  surveysZeros(size: number): boolean;
}

/** Makes the template of a puzzle of `length` bytes at `start`, with cells at the first `count` of `offsets`. */
export function templateOf(
  bytes: Uint8Array,
  start: number,
  length: number,
  offsets: ArrayLike<number>,
  count: number,
): CellTemplate {
  const cellOffset = new Int32Array(count);
  const isCell = new Uint8Array(length);
  for (let cell = 0; cell < count; cell++) {
    cellOffset[cell] = offsets[cell] - start;
    isCell[cellOffset[cell]] = 1;
  }
  const separatorOffset = new Int32Array(length - count);
  const separator = new Uint8Array(separatorOffset.length);
  for (let offset = 0, k = 0; offset < length; offset++) {
    if (isCell[offset] === 1) continue;
    separatorOffset[k] = offset;
    separator[k++] = bytes[start + offset];
  }
  return { bytes: length, cellOffset, separatorOffset, separator };
}

/** Whether the bytes between the cells of a puzzle at `at` are those of the template; all of its bytes must exist. */
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
 * Fills the next record of a block with a puzzle at `at`, and notes its blank; the caller counts the record.
 *
 * @param template offsets of the cells; omitted if they are adjacent
 * @returns false if they are not written in a known way
 */
export function fillNextRecord(
  target: FillTarget,
  block: RecordBlock,
  bytes: Uint8Array,
  at: number,
  template?: CellTemplate,
): boolean {
  const { decoder } = target;
  const { size } = block.geometry;
  let decoding = decoder.last(size);
  if (decoding === undefined || !isPlain(decoding, block)) return false;
  if (!fill(decoding, block, bytes, at, template)) {
    // The byte that does not fit may be another blank.
    decoding = decoder.withBlank(
      size,
      firstUnknownByte(decoding, bytes, at, block.geometry.cellCount, template),
    );
    if (decoding === undefined || !isPlain(decoding, block)) return false;
    if (!fill(decoding, block, bytes, at, template)) return false;
    decoder.setLast(size, decoding);
  }
  if (!decoding.reusable) {
    if (target.surveysZeros(size)) return false;
    if (!hasAll(decoding.blanks, bytes, at, block.geometry.cellCount, template)) return false;
  }
  if (decoding.blank !== block.layout.blank) block.notes.set(block.count, { blank: decoding.blank });
  return true;
}

/** Whether every blank occurs among the cells; if not, the puzzle is written differently. */
function hasAll(
  blanks: readonly number[],
  bytes: Uint8Array,
  at: number,
  count: number,
  template: CellTemplate | undefined,
): boolean {
  const offsets = template?.cellOffset;
  for (const blank of blanks) {
    let cell = 0;
    while (cell < count && bytes[at + (offsets?.[cell] ?? cell)] !== blank) cell++;
    if (cell === count) return false;
  }
  return true;
}

function firstUnknownByte(
  { table }: Decoding,
  bytes: Uint8Array,
  at: number,
  count: number,
  template: CellTemplate | undefined,
): number {
  let cell = 0;
  const byteOf = () => bytes[template === undefined ? at + cell : at + template.cellOffset[cell]];
  while (cell < count && table[byteOf()] !== NO_VALUE) cell++;
  return byteOf();
}

/** Whether the fast path can take puzzles written like the last one. */
export function isLastPlain(sink: FillTarget): boolean {
  const block = sink.currentBlock;
  if (block === undefined) return false;
  const decoding = sink.decoder.last(block.geometry.size);
  return decoding !== undefined && isPlain(decoding, block);
}

/** Whether the bytes at `offsets` are the cells of the last record. */
export function matchesLastRecord(sink: FillTarget, bytes: Uint8Array, offsets: readonly number[]): boolean {
  const block = sink.currentBlock;
  if (block === undefined || block.count === 0 || offsets.length !== block.geometry.cellCount) return false;
  const table = sink.decoder.last(block.geometry.size)?.table;
  const from = (block.count - 1) * offsets.length;
  return offsets.every((offset, cell) => table?.[bytes[offset]] === block.cells[from + cell]);
}

/** `isLastPlain`, and whether each cell of `grid` is one byte. */
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
  template: CellTemplate | undefined,
): boolean {
  const { cells } = block;
  const { cellCount } = block.geometry;
  const to = block.count * cellCount;
  let seen = 0;
  if (template === undefined) {
    for (let cell = 0; cell < cellCount; cell++) {
      const value = table[bytes[at + cell]];
      cells[to + cell] = value;
      seen |= value;
    }
  } else {
    const { cellOffset } = template;
    for (let cell = 0; cell < cellCount; cell++) {
      const value = table[bytes[at + cellOffset[cell]]];
      cells[to + cell] = value;
      seen |= value;
    }
  }
  return seen < NO_VALUE;
}
