/** Reads a text completely, with everything that a test may compare as plain values. */
import { readFileSync } from 'node:fs';
import { ByteBuffer } from '../../lib/formats/bytes/byte-buffer.ts';
import {
  detectFormat,
  type OutputProfile,
  openReader,
  openWriter,
  puzzleText,
} from '../../lib/formats/formats.ts';
import {
  type Detection,
  type FormatHints,
  HEAD_BYTES,
  type WriterOptions,
} from '../../lib/formats/reader.ts';
import { RecordBlock, type RecordNotes } from '../../lib/formats/records/record-block.ts';

export interface ReadRecord {
  readonly format: string;
  readonly size: number;
  readonly variant: string;
  readonly alphabet: string;
  readonly blank: string;
  readonly grid: string;
  readonly line: number;
  readonly lineEnd: number;
  readonly notes: RecordNotes | undefined;
}

export interface Reading {
  readonly detection: Detection;
  readonly records: readonly ReadRecord[];
  /** Number of records in each block. */
  readonly blocks: readonly number[];
}

/** Small, so that even short texts fill several blocks. */
export const BLOCK_CAPACITY = 4;

export function bytesOf(text: string | Uint8Array): Uint8Array {
  return typeof text === 'string' ? new TextEncoder().encode(text) : text;
}

/**
 * Reads `text` in chunks that end at the offsets `cuts` (ascending).
 *
 * @param capacity records per block; 1 disables the fast path, which needs an earlier record in the block
 */
export function readText(
  text: string | Uint8Array,
  hints: FormatHints = {},
  cuts: readonly number[] = [],
  capacity = BLOCK_CAPACITY,
): Reading {
  const records: ReadRecord[] = [];
  const blocks: number[] = [];
  const detection = eachBlock(text, hints, cuts, capacity, (block) => {
    blocks.push(block.count);
    const { format, geometry, alphabet } = block.layout;
    for (let index = 0; index < block.count; index++) {
      records.push({
        format,
        size: geometry.size,
        variant: geometry.variant,
        alphabet: alphabet.name,
        blank: block.blankOf(index),
        grid: puzzleText(block, index),
        line: block.line[index],
        lineEnd: block.lineEnd[index],
        notes: plainNotes(block.notes.get(index)),
      });
    }
  });
  return { detection, records, blocks };
}

/** Reads `text` and writes its grids as solutions. */
export function rewrite(
  text: string | Uint8Array,
  profile: OutputProfile,
  hints: FormatHints = {},
  options?: WriterOptions,
): string {
  const out = new ByteBuffer();
  const bytes = bytesOf(text);
  const detection = detectFormat(bytes, true, hints);
  if (detection.kind === 'unreadable') throw new Error(detection.error.message);
  const writer = openWriter(profile, detection, options);
  let first = true;
  writer.begin(out);
  eachBlock(text, hints, [], BLOCK_CAPACITY, (block) => {
    for (let index = 0; index < block.count; index++) {
      if (block.isReadable(index)) {
        const offset = index * block.geometry.cellCount;
        writer.entry(out, { block, index, cells: block.cells, offset }, first);
      } else {
        const outcome = { status: 'unreadable', error: block.notes.get(index)?.error?.message ?? '' };
        writer.placeholder(out, 'unreadable', first, { block, index, outcome, hasEntries: false });
      }
      first = false;
    }
  });
  writer.end(out);
  return new TextDecoder().decode(out.take());
}

/** The text of a file of `test/fixtures/formats`. */
export function fixture(name: string): string {
  return readFileSync(new URL(`../fixtures/formats/${name}`, import.meta.url), 'utf8');
}

/** The notes as values that can be compared, without the blank, which is a field of the record. */
export function plainNotes(notes: RecordNotes | undefined): RecordNotes | undefined {
  if (notes === undefined) return undefined;
  const { blank: _, labels, ...others } = notes;
  const plain = labels === undefined ? others : { ...others, labels: String(labels) };
  return Object.keys(plain).length === 0 ? undefined : plain;
}

/** Reads `text` in chunks that end at the offsets `cuts`, block by block. */
export function eachBlock(
  text: string | Uint8Array,
  hints: FormatHints,
  cuts: readonly number[],
  capacity: number,
  take: (block: RecordBlock) => void,
): Detection {
  const bytes = bytesOf(text);
  const detection = detectFormat(bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES, hints);
  if (detection.kind !== 'puzzles') return detection;
  const reader = openReader(detection, hints, {
    acquire: (layout) => new RecordBlock(layout, capacity),
  });
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    // A copy that is cleared afterwards: a reader must not keep its input.
    const chunk = bytes.slice(from, cut);
    for (const block of reader.push(chunk)) take(block);
    chunk.fill(0);
    from = cut;
  }
  for (const block of reader.end()) take(block);
  return detection;
}

/** The puzzle 53..7...., known from most articles. */
export const CLASSIC = '53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79';
export const CLASSIC_SOLUTION =
  '534678912672195348198342567859761423426853791713924856961537284287419635345286179';

/** The rows of a grid of 81 characters. */
export function rowsOf(line: string): string[] {
  const size = Math.sqrt(line.length);
  return Array.from({ length: size }, (_, row) => line.slice(row * size, (row + 1) * size));
}
