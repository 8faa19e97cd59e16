/**
 * The fast way through a file of lines: consecutive lines written exactly like the last one, or like the last one of
 * another blank, go from the file's bytes into the block with one table look-up a cell. Anything else, be it a label or
 * a mistake, is left to the formats, which give the same records, only slower.
 */
import { fillNext } from '../straight-cells.ts';
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
