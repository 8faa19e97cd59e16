/**
 * The fast way through a file of lines: consecutive lines written exactly like the last one, or like the last one of
 * another blank, go from the file's bytes into the block with one table look-up a cell. Anything else, be it a label or
 * a mistake, is left to the formats, which give the same records, only slower.
 */
import { type Decoding, NO_VALUE } from '../cell-decoder.ts';
import { isPlain } from './same-shape.ts';
import type { TextContext } from './text-context.ts';

const LF = 10;
const CR = 13;
/** Smaller puzzles on a line look like rows of larger ones: they must stand in a run that was judged. */
const LEAST_SIZE = 9;

/** Takes such lines until the block is full or another line comes; whether any was taken. */
export function takeFastLines(context: TextContext): boolean {
  const { window, sink } = context;
  const block = sink.current;
  if (block === undefined || block.layout.format !== 'line' || context.nextId !== undefined) return false;
  const { geometry } = block.layout;
  let decoding = sink.decoder.last(geometry.size);
  if (decoding === undefined || !isPlain(decoding, block.layout)) return false;
  const { run } = context;
  const small = geometry.size < LEAST_SIZE;
  if (small && (run?.kind !== 'lines' || run.nextLine !== window.number(window.head))) return false;
  const from = window.rawPosition();
  if (from < 0) return false;
  const { bytes, length } = window;
  const { cellCount } = geometry;
  const { cells, capacity } = block;
  const number = window.number(window.head);
  let index = block.count;
  let at = from;
  // The line's end and one byte more must be there: an LF may follow the CR.
  while (index < capacity && at + cellCount + 1 < length) {
    const end = bytes[at + cellCount];
    if (end !== LF && end !== CR) break;
    const base = index * cellCount;
    if (!fillCells(decoding, bytes, at, cells, base, cellCount)) {
      const other: Decoding | undefined = sink.decoder.other(geometry.size);
      if (other === undefined || !isPlain(other, block.layout)) break;
      if (!fillCells(other, bytes, at, cells, base, cellCount)) break;
      sink.decoder.change(geometry.size);
      decoding = other;
    }
    if (decoding.blank !== block.layout.blank) block.notes.set(index, { blank: decoding.blank });
    const line = number + index - block.count;
    block.line[index] = line;
    block.lineEnd[index] = line;
    index++;
    at += end === CR && bytes[at + cellCount + 1] === LF ? cellCount + 2 : cellCount + 1;
  }
  const taken = index - block.count;
  if (taken === 0) return false;
  block.count = index;
  window.skipTo(at, taken);
  if (small && run !== undefined) run.nextLine += taken;
  sink.filled();
  return true;
}

/** Puts `count` cells into place; false where a byte is none. */
function fillCells(
  { table }: Decoding,
  bytes: Uint8Array,
  from: number,
  cells: Uint8Array,
  to: number,
  count: number,
): boolean {
  let seen = 0;
  for (let cell = 0; cell < count; cell++) {
    const value = table[bytes[from + cell]];
    cells[to + cell] = value;
    seen |= value;
  }
  return seen < NO_VALUE;
}
