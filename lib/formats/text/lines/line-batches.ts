/**
 * The fast path for lines: consecutive lines written like the last one, or like an earlier one with another blank. Each
 * cell costs one table look-up. A mistake ends it, and so does a label that may be something else.
 *
 * Lines of 81 digits and one blank are read many at a time (nine-blocks.ts), in a fifth of the time.
 */

import type { Geometry } from '../../../sudoku/geometry/geometry.ts';
import { CRLF_LINE_BYTES, LINE_BYTES, nineBlocks } from '../../../sudoku/nine-blocks.ts';
import { CR, LF, SPACE, TILDE, ZERO } from '../../bytes/ascii.ts';
import type { RecordBlock } from '../../records/record-block.ts';
import type { FastPath } from '../fast-path.ts';
import type { TextContext } from '../text-context.ts';
import { labelIn } from './line.ts';

const NINE_CELLS = 81;
/** A smaller puzzle on a line looks like a row of a larger one: it must be in a run that was judged. */
const MIN_SIZE = 9;
/** Rows of the shortest text that may be a damaged region map. */
const MIN_MAP_ROWS = 2;
const MIN_BATCH_LINES = 4;
const FIRST_BATCH_LINES = 64;

export class LineBatches implements FastPath {
  /** Lines of 81 cells in the next batch: fewer in damaged files, as the lines after the first bad one are wasted. */
  #batchLines = FIRST_BATCH_LINES;

  take(context: TextContext): boolean {
    const { window, sink } = context;
    // A line may have the region map of its puzzle below or above it.
    if (context.maps.length > 0) return false;
    const { layout } = sink;
    if (layout?.format !== 'line' || context.nextId !== undefined) return false;
    const { geometry } = layout;
    const number = window.number(window.head);
    const small = geometry.size < MIN_SIZE;
    const { run } = context;
    if (small && (run?.kind !== 'lines' || run.nextLine !== number)) return false;
    const from = window.rawPosition();
    if (from < 0) return false;
    const { bytes, length } = window;
    const { cellCount } = geometry;
    const ends =
      from + cellCount + 1 < length && (bytes[from + cellCount] === LF || bytes[from + cellCount] === CR);
    const block = sink.currentBlock ?? (ends ? sink.blockFor(bytes, from) : undefined);
    if (block === undefined) return false;
    const { capacity } = block;
    let line = number;
    let at = from;
    if (cellCount === NINE_CELLS) {
      const lineBytes = bytes[at + cellCount] === CR ? CRLF_LINE_BYTES : LINE_BYTES;
      const taken = this.#takeBatches(context, block, at, lineBytes);
      for (let k = 0; k < taken; k++) {
        block.line[block.count] = line;
        block.lineEnd[block.count++] = line++;
      }
      at += taken * lineBytes;
    }
    // The line's end and one more byte must be there: an LF may follow the CR.
    while (block.count < capacity && at + cellCount + 1 < length) {
      const stop =
        bytes[at + cellCount] === SPACE && !small ? labelEnd(bytes, at, length, geometry) : at + cellCount;
      const end = bytes[stop];
      if ((end !== LF && end !== CR) || !sink.fill(bytes, at)) break;
      if (stop > at + cellCount) {
        const id = labelIn(bytes, at + cellCount, stop);
        if (id !== undefined) block.notes.set(block.count, { id, ...block.notes.get(block.count) });
      }
      block.line[block.count] = line;
      block.lineEnd[block.count++] = line++;
      at = end === CR && bytes[stop + 1] === LF ? stop + 2 : stop + 1;
    }
    const taken = line - number;
    if (taken === 0) return false;
    window.skipTo(at, taken);
    if (small && run !== undefined) context.run = { ...run, nextLine: run.nextLine + taken };
    sink.finishIfFull();
    return true;
  }

  /**
   * Fills the block with the cells of lines from `at` on that have nine digits and one blank.
   *
   * @returns how many lines
   */
  #takeBatches(context: TextContext, block: RecordBlock, at: number, lineBytes: number): number {
    const { bytes, length } = context.window;
    // A call takes as long as a few lines, which may have a comment between.
    if (bytes[at + MIN_BATCH_LINES * lineBytes - 1] !== LF) return 0;
    const { decoder } = context.sink;
    const { blank, alphabet } = block.layout;
    const decoding = decoder.last(block.geometry.size);
    if (decoding === undefined || !decoding.plain || !decoding.reusable) return 0;
    if (decoding.alphabet !== alphabet || decoding.blank !== blank || blank.length !== 1) return 0;
    const { table } = decoding;
    for (let digit = 1; digit <= 9; digit++) if (table[ZERO + digit] !== digit) return 0;
    const blankByte = blank.charCodeAt(0);
    const blocks = nineBlocks();
    if (blocks === undefined || blankByte > 127 || table[blankByte] !== 0) return 0;
    const max = Math.min(block.capacity - block.count, Math.floor((length - 1 - at) / lineBytes));
    let taken = 0;
    for (;;) {
      // Line ends are checked first, so that no lines with labels are copied for nothing.
      const stop = Math.min(max, taken + this.#batchLines);
      let count = taken;
      while (count < stop && bytes[at + (count + 1) * lineBytes - 1] === LF) count++;
      const from = at + taken * lineBytes;
      const read = blocks.read(
        bytes,
        from,
        count - taken,
        lineBytes,
        blankByte,
        block.cells,
        block.count + taken,
      );
      taken += read;
      if (taken < stop) {
        this.#batchLines = Math.max(MIN_BATCH_LINES, 2 * read);
        return taken;
      }
      if (taken >= max) return taken;
      this.#batchLines *= 2;
    }
  }
}

/**
 * The end of the line at `at`, whose puzzle is followed by a space; `at` if the text after it may be more than a label of
 * ASCII, such as a solution or a region map, or if one more byte is not there.
 */
function labelEnd(bytes: Uint8Array, at: number, length: number, { cellCount, size }: Geometry): number {
  let start = at + cellCount;
  for (let byte = start; byte < length - 1; byte++) {
    const code = bytes[byte];
    if (code === LF || code === CR) return byte;
    if (code < SPACE || code > TILDE) return at;
    if (code === SPACE) start = byte + 1;
    else if (byte - start >= MIN_MAP_ROWS * size - 1) return at;
  }
  return at;
}
