/**
 * The fast way through a file of lines: consecutive lines written exactly like the last one, or like the last one of
 * another blank, go from the file's bytes into the block with one table look-up a cell. Anything else, be it a label or
 * a mistake, is left to the formats, which give the same records, only slower.
 *
 * Lines of 81 digits and one blank come first, many at a time (nine-blocks.ts): a fifth of the time.
 */
import { CRLF_LINE_BYTES, LINE_BYTES, nineBlocks } from '../../../sudoku/nine-blocks.ts';
import { fillNext } from '../../cells/straight-cells.ts';
import type { RecordBlock } from '../../records/record-block.ts';
import type { TextContext } from '../text-context.ts';

const LF = 10;
const CR = 13;
const ZERO = 48;
const NINE_CELLS = 81;
/** Smaller puzzles on a line look like rows of larger ones: they must stand in a run that was judged. */
const LEAST_SIZE = 9;
/** Lines that are tried at once, at least; twice as many as were taken before. */
const LEAST_LINES = 4;

/** Takes such lines until the block is full or another line comes; whether any was taken. */
export function takeFastLines(context: TextContext): boolean {
  const { window, sink } = context;
  const block = sink.current;
  if (block === undefined || block.layout.format !== 'line' || context.nextId !== undefined) return false;
  const { geometry } = block.layout;
  const { run } = context;
  const small = geometry.size < LEAST_SIZE;
  if (small && (run?.kind !== 'lines' || run.nextLine !== window.number(window.head))) return false;
  const from = window.rawPosition();
  if (from < 0) return false;
  const { bytes, length } = window;
  const { cellCount } = geometry;
  const { capacity } = block;
  const number = window.number(window.head);
  let line = number;
  let at = from;
  if (cellCount === NINE_CELLS) {
    const lineBytes = bytes[at + cellCount] === CR ? CRLF_LINE_BYTES : LINE_BYTES;
    const taken = takeNineLines(context, block, at, lineBytes);
    for (let k = 0; k < taken; k++) {
      block.line[block.count] = line;
      block.lineEnd[block.count++] = line++;
    }
    at += taken * lineBytes;
  }
  // The line's end and one byte more must be there: an LF may follow the CR.
  while (block.count < capacity && at + cellCount + 1 < length) {
    const end = bytes[at + cellCount];
    if ((end !== LF && end !== CR) || !fillNext(sink, block, bytes, at)) break;
    block.line[block.count] = line;
    block.lineEnd[block.count++] = line++;
    at += end === CR && bytes[at + cellCount + 1] === LF ? cellCount + 2 : cellCount + 1;
  }
  const taken = line - number;
  if (taken === 0) return false;
  window.skipTo(at, taken);
  if (small && run !== undefined) run.nextLine += taken;
  sink.filled();
  return true;
}

/** Fills the block with the cells of lines from `at` on, which the plain rules hold for; how many. */
function takeNineLines(context: TextContext, block: RecordBlock, at: number, lineBytes: number): number {
  const { bytes, length } = context.window;
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
  const most = Math.min(block.capacity - block.count, Math.floor((length - 1 - at) / lineBytes));
  let taken = 0;
  for (;;) {
    // Where lines end is looked at first: of a file of labels nothing is copied in vain.
    const stop = Math.min(most, taken + context.hopedLines);
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
      context.hopedLines = Math.max(LEAST_LINES, 2 * read);
      return taken;
    }
    if (taken >= most) return taken;
    context.hopedLines *= 2;
  }
}
