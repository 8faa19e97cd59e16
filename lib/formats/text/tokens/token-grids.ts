/**
 * The fast way through a file of grids whose cells are numbers of several digits, which stand nowhere twice at the same
 * places: rows of as many tokens as the puzzle before had are taken apart in one pass over their bytes.
 *
 *     9  .  12 3  ...      tokens    numbers, or single characters
 *     16 .  .  11 ...
 *     144 18 112 ...       walls     digits and the walls of the regions that the puzzle before had
 *
 * Taken is only what the formats would read the same way: `size` rows that a blank line or a short lone integer follows,
 * or that follow a grid themselves (`row-grids.ts`), every cell written as the last puzzle was. What could be a samurai
 * or a drawing, since those are asked before, is left to the formats.
 */
import { type Decoding, NO_VALUE } from '../../cells/cell-decoder.ts';
import { MAX_NUMBER, MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import type { RecordBlock } from '../../records/record-block.ts';
import { mayOverlap } from '../samurai/samurai-rows.ts';
import { CELL, DIGIT, KINDS, type TextContext } from '../text-context.ts';
import { wallsAndDigit } from './walls.ts';

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const MINUS = 45;
const ZERO = 48;
/** Digits of a lone integer that is no row of any size. */
const FEW_DIGITS = 2;
/** Longer grids are no grids, or full of spaces: they are left to the formats, which have bounds for all of that. */
const MOST_BYTES = 64 * 1024;

/** The grid at hand: the codes of its cells, and by row the bytes of its tokens (-1 has one, as in a samurai). */
const codes = new Uint16Array(1296);
const places = new Int32Array(36);

/** Takes such grids until the block is full or something else comes; whether any was taken. */
export function takeTokenGrids(context: TextContext): boolean {
  const { window, sink } = context;
  const block = sink.current;
  if (context.regionMaps || !sink.mayHurry) return false;
  if (block === undefined) return surveyTokenGrids(context);
  const { format, geometry, arrangement } = block.layout;
  const isWalls = format === 'walls';
  if ((!isWalls && format !== 'tokens') || arrangement !== undefined) return false;
  const { size } = geometry;
  if (!isWalls && geometry !== sink.book.geometry(size)) return false;
  const decoding = sink.decoder.last(size);
  if (decoding === undefined || !isAsBefore(decoding, block)) return false;
  const from = window.rawPosition();
  if (from < 0) return false;
  const fill = isWalls ? fillWalls : fillCells;
  const number = window.number(window.head);
  let line = number;
  let at = from;
  let behindGrid = context.gridEndLine === number;
  while (block.count < block.capacity) {
    const end = gridEnd(window.bytes, at, window.length, size);
    if (end < 0) break;
    const blank = blankLineEnd(window.bytes, end, window.length);
    const ends = blank > end || behindGrid || isShortInteger(window.bytes, end, window.length);
    if (!ends || mayOverlap(places, size, blank > end) || !fill(context, decoding, block)) break;
    enterNext(context, decoding, block, line, line + size - 1);
    line += size;
    context.gridEndLine = line;
    behindGrid = blank === end;
    if (!behindGrid) line++;
    at = blank;
  }
  if (line === number) return false;
  window.skipTo(at, line - number);
  sink.filled();
  return true;
}

/** The same where only the symbols of the grids are asked for, as the alphabet is still to be decided. */
function surveyTokenGrids(context: TextContext): boolean {
  const { window, sink } = context;
  const place = sink.surveyed;
  if (place?.format !== 'tokens' || !place.spaced || place.arrangement !== undefined) return false;
  const { size } = place.geometry;
  if (place.geometry !== sink.book.geometry(size) || context.nextId !== undefined) return false;
  const from = window.rawPosition();
  if (from < 0) return false;
  const number = window.number(window.head);
  let line = number;
  let at = from;
  let behindGrid = context.gridEndLine === number;
  for (;;) {
    const end = gridEnd(window.bytes, at, window.length, size);
    if (end < 0) break;
    const blank = blankLineEnd(window.bytes, end, window.length);
    const ends = blank > end || behindGrid || isShortInteger(window.bytes, end, window.length);
    if (!ends || mayOverlap(places, size, blank > end)) break;
    sink.symbols(codes, place);
    line += size;
    context.gridEndLine = line;
    behindGrid = blank === end;
    if (!behindGrid) line++;
    at = blank;
  }
  if (line === number) return false;
  window.skipTo(at, line - number);
  return true;
}

/** Whether what fits the table of the last puzzle is read by it, without a word to say, and goes into the block. */
function isAsBefore({ reusable, warnings, alphabet }: Decoding, { layout }: RecordBlock): boolean {
  return reusable && warnings === undefined && alphabet === layout.alphabet;
}

function enterNext(
  context: TextContext,
  { blank }: Decoding,
  block: RecordBlock,
  line: number,
  lineEnd: number,
): void {
  const index = block.count++;
  block.line[index] = line;
  block.lineEnd[index] = lineEnd;
  const named = context.named(undefined);
  if (blank !== block.layout.blank) block.notes.set(index, { ...named, blank });
  else if (named !== undefined) block.notes.set(index, named);
}

/** Puts the cells of the grid at hand into the block; false where one is not written as the last puzzle was. */
function fillCells(_context: TextContext, { table }: Decoding, block: RecordBlock): boolean {
  const { cellCount } = block.geometry;
  const to = block.count * cellCount;
  for (let cell = 0; cell < cellCount; cell++) {
    const value = table[codes[cell]];
    if (value === NO_VALUE) return false;
    block.cells[to + cell] = value;
  }
  return true;
}

const walls = new Uint16Array(81);

/** The same for digits and walls; false where these are other walls as well. */
function fillWalls({ sink }: TextContext, { table }: Decoding, block: RecordBlock): boolean {
  const { size, cellCount } = block.geometry;
  const to = block.count * cellCount;
  for (let cell = 0; cell < cellCount; cell++) {
    const both = wallsAndDigit(codes[cell]);
    const digit = both & 15;
    if (both < 0 || digit > size || table[ZERO + digit] === NO_VALUE) return false;
    walls[cell] = both - digit;
    block.cells[to + cell] = table[ZERO + digit];
  }
  return sink.book.jigsawWithin(walls.subarray(0, cellCount), size) === block.geometry;
}

/**
 * Takes the `size` rows from `at` apart into `codes` and `places`.
 *
 * @returns where the line behind them begins; -1 where they are no such rows, or their ends are not there yet
 */
function gridEnd(bytes: Uint8Array, from: number, length: number, size: number): number {
  if (from + 2 * size * size > length) return -1;
  let at = from;
  for (let row = 0; row < size; row++) {
    const start = row * size;
    at = rowEnd(bytes, at, start, start + size, row);
    if (at < 0 || at > length || at - from > MOST_BYTES) return -1;
  }
  return at;
}

function rowEnd(bytes: Uint8Array, from: number, start: number, stop: number, row: number): number {
  let at = from;
  let wide = 0;
  let widest = 1;
  let minuses = 0;
  for (let cell = start; cell < stop; cell++) {
    while (bytes[at] === SPACE || bytes[at] === TAB) at++;
    const first = bytes[at++];
    let code = first;
    let next = bytes[at];
    if (next > SPACE) {
      const token = at - 1;
      if (first === MINUS && next === ZERO + 1) {
        code = MINUS_ONE;
        minuses++;
        next = bytes[++at];
      } else {
        if ((KINDS[first] & DIGIT) === 0) return -1;
        let number = first - ZERO;
        for (; KINDS[next] & DIGIT; next = bytes[++at]) number = number * 10 + next - ZERO;
        if (number > MAX_NUMBER) return -1;
        code = NUMBER + number;
        wide += at - token - 1;
      }
      if (at - token > widest) widest = at - token;
    } else if ((KINDS[first] & CELL) === 0) return -1;
    if (next !== SPACE && next !== LF && next !== CR && next !== TAB) return -1;
    codes[cell] = code;
  }
  const size = stop - start;
  places[row] = size + wide;
  // Tokens that are all as wide as a box would be boxes, parted by gaps.
  if (row === 0 && widest > 1 && size + wide + minuses === size * widest) return -1;
  while (bytes[at] === SPACE || bytes[at] === TAB) at++;
  if (bytes[at] === CR) at++;
  return bytes[at] === LF ? at + 1 : -1;
}

/** Behind the blank line at `at`; `at` where another line begins, or its end is not there yet. */
function blankLineEnd(bytes: Uint8Array, at: number, length: number): number {
  if (at < length && bytes[at] === LF) return at + 1;
  return at + 1 < length && bytes[at] === CR && bytes[at + 1] === LF ? at + 2 : at;
}

/** Whether the line at `at` is a lone integer of few digits. */
function isShortInteger(bytes: Uint8Array, from: number, length: number): boolean {
  let at = from;
  while (at < length && KINDS[bytes[at]] & DIGIT) at++;
  return at > from && at - from <= FEW_DIGITS && at < length && bytes[at] === LF;
}
