/**
 * The fast way through puzzles of 81 cells whose blanks are spaces, on lines or in rows: those written like the one
 * before go straight from the bytes into the block.
 *
 * Taken is only what `spaced-blanks.ts` would read the same way: whole rows with a blank line behind them, or whole
 * lines. Two digits side by side show that it is no table of numbers, and a space in front that it is nothing which
 * begins with a longer token.
 */
import { NO_VALUE } from '../../cells/cell-decoder.ts';
import type { RecordBlock } from '../../records/record-block.ts';
import type { TextContext } from '../text-context.ts';

const LF = 10;
const CR = 13;
const SPACE = 32;
const SIZE = 9;
const CELLS = SIZE * SIZE;
/** No other format knows a line whose first token is shorter. */
const LEAST_TOKEN = 12;

/** Takes such puzzles until the block is full or something else comes; whether any was taken. */
export function takeSpaced(context: TextContext): boolean {
  const { window, sink } = context;
  const block = sink.current;
  if (block === undefined || block.layout.blank !== ' ' || context.regionMaps || !sink.mayHurry) return false;
  const { format, geometry, alphabet, arrangement } = block.layout;
  const decoding = sink.decoder.last(geometry.size);
  if (decoding?.blank !== ' ' || !decoding.reusable || decoding.warnings !== undefined) return false;
  if (decoding.alphabet !== alphabet || arrangement !== undefined || context.nextId !== undefined)
    return false;
  if (geometry.cellCount !== CELLS || geometry !== sink.book.geometry(SIZE)) return false;
  const inRows = format === 'rows';
  const from = window.rawPosition();
  if (from < 0 || (!inRows && format !== 'line')) return false;
  const number = window.number(window.head);
  const { bytes, length } = window;
  let line = number;
  let at = from;
  while (block.count < block.capacity) {
    const end = fill(decoding.table, block, bytes, at, length, inRows ? SIZE : CELLS);
    // The byte behind must be there: an LF may follow a CR.
    const next = end < 0 || end >= length ? -1 : inRows ? lineEnd(bytes, end) : end;
    if (next < 0 || next >= length) break;
    block.line[block.count] = line;
    block.lineEnd[block.count++] = inRows ? line + SIZE - 1 : line;
    line += inRows ? SIZE + 1 : 1;
    at = next;
  }
  if (line === number) return false;
  if (inRows) context.gridEndLine = line - 1;
  window.skipTo(at, line - number);
  sink.filled();
  return true;
}

/** Behind the line end at `at`; negative where there is none. */
function lineEnd(bytes: Uint8Array, at: number): number {
  if (bytes[at] === LF) return at + 1;
  return bytes[at] === CR ? (bytes[at + 1] === LF ? at + 2 : at + 1) : -1;
}

/**
 * Puts the lines at `at`, `width` cells each, into the next place of the block.
 *
 * @returns behind them; negative where they are not 81 digits and spaces, both of them
 */
function fill(
  table: Uint8Array,
  block: RecordBlock,
  bytes: Uint8Array,
  from: number,
  length: number,
  width: number,
): number {
  if (from + CELLS + 2 * (CELLS / width) > length) return -1;
  const { cells } = block;
  let to = block.count * CELLS;
  let at = from;
  let seen = 0;
  let blanks = 0;
  let beside = false;
  for (let cell = 0; cell < CELLS; cell += width) {
    let last = 0;
    for (const stop = at + width; at < stop; at++) {
      const value = table[bytes[at]];
      cells[to++] = value;
      seen |= value;
      if (value === 0) blanks++;
      else if (last > 0) beside = true;
      last = value;
    }
    at = lineEnd(bytes, at);
    if (at < 0) return -1;
  }
  if (seen >= NO_VALUE || blanks === 0 || !beside) return -1;
  for (let k = 0; k < LEAST_TOKEN; k++) if (bytes[from + k] <= SPACE) return at;
  return -1;
}
