/** Reads a text completely, with everything that a test may compare as plain values. */
import { readFileSync } from 'node:fs';
import { ByteBuffer } from '../../lib/formats/bytes/byte-buffer.ts';
import {
  detectFormat,
  type OutputProfile,
  openReader,
  openWriter,
  puzzleText,
  regionMap,
} from '../../lib/formats/formats.ts';
import {
  type Detection,
  type FormatHints,
  HEAD_BYTES,
  type ReaderState,
  type WriterOptions,
} from '../../lib/formats/reader.ts';
import { RecordBlock, type RecordNotes } from '../../lib/formats/records/record-block.ts';
import { type ReadCover, readCovers } from './exact-cover/reading-covers.ts';

export interface ReadRecord {
  readonly format: string;
  readonly size: number;
  /** Empty for an unreadable record, which has no layout of its own. */
  readonly box: string;
  readonly variant: string;
  /** The map of a jigsaw's regions. */
  readonly map: string | undefined;
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
  /** The problems of an exact-cover file. */
  readonly covers: readonly ReadCover[];
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
 * @param takesOver whether a new reader takes over at each cut that is between two records
 */
export function readText(
  text: string | Uint8Array,
  hints: FormatHints = {},
  cuts: readonly number[] = [],
  capacity = BLOCK_CAPACITY,
  takesOver = false,
): Reading {
  const records: ReadRecord[] = [];
  const blocks: number[] = [];
  const take = (block: RecordBlock) => {
    blocks.push(block.count);
    const { format, geometry, alphabet } = block.layout;
    for (let index = 0; index < block.count; index++) {
      records.push({
        format,
        size: geometry.size,
        box: block.isReadable(index) ? `${geometry.boxRows}x${geometry.boxColumns}` : '',
        variant: geometry.variant,
        map: regionMap(geometry),
        alphabet: alphabet.name,
        blank: block.blankOf(index),
        grid: puzzleText(block, index),
        line: block.line[index],
        lineEnd: block.lineEnd[index],
        notes: plainNotes(block.notes.get(index)),
      });
    }
  };
  const detection = eachBlock(text, hints, cuts, capacity, take, takesOver);
  const covers = detection.kind === 'exact-cover' ? readCovers(bytesOf(text), detection.format, cuts) : [];
  return { detection, records, blocks, covers };
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

/** Reads `text` in chunks that end at the offsets `cuts`, block by block; see `readText`. */
export function eachBlock(
  text: string | Uint8Array,
  hints: FormatHints,
  cuts: readonly number[],
  capacity: number,
  take: (block: RecordBlock) => void,
  takesOver = false,
): Detection {
  const bytes = bytesOf(text);
  const detection = detectFormat(bytes.subarray(0, HEAD_BYTES), bytes.length <= HEAD_BYTES, hints);
  if (detection.kind !== 'puzzles') return detection;
  const open = (from?: ReaderState) =>
    openReader(detection, hints, { acquire: (layout) => new RecordBlock(layout, capacity) }, from);
  let reader = open();
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    // A copy that is cleared afterwards: a reader must not keep its input.
    const chunk = bytes.slice(from, cut);
    for (const block of reader.push(chunk)) take(block);
    chunk.fill(0);
    from = cut;
    if (!takesOver || cut === bytes.length) continue;
    const checkpoint = reader.checkpoint();
    if (checkpoint === undefined) continue;
    for (const block of reader.flush()) take(block);
    from -= checkpoint.unreadBytes;
    reader = open(JSON.parse(JSON.stringify(checkpoint.state)));
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
