/** Writes grids as text; formats and output profiles share these functions. */

import { LINE_BYTES, nineBlocks } from '../../sudoku/nine-blocks.ts';
import { LF, SPACE } from '../bytes/ascii.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { Alphabet, Layout } from '../records/layout.ts';
import type { RecordBlock } from '../records/record-block.ts';
import { type RowStyle, writeUnruled } from './grid-drawing.ts';

/** The bytes of each digit's symbol. */
interface SymbolBytes {
  /** One array if all symbols are single characters, for the fast path. */
  readonly single: Uint8Array | undefined;
  readonly bytes: readonly Uint8Array[];
}

const symbolBytes = new WeakMap<Alphabet, SymbolBytes>();

function bytesOf(alphabet: Alphabet): SymbolBytes {
  let known = symbolBytes.get(alphabet);
  if (known === undefined) {
    const encoder = new TextEncoder();
    known = {
      single: alphabet.singleCharacter
        ? Uint8Array.from(alphabet.symbols, (symbol) => (symbol === '' ? SPACE : symbol.charCodeAt(0)))
        : undefined,
      bytes: alphabet.symbols.map((symbol) => encoder.encode(symbol)),
    };
    symbolBytes.set(alphabet, known);
  }
  return known;
}

/**
 * Whether `writeNineLines` can write grids of a layout: 81 cells and consecutive symbols.
 *
 * @returns the byte before that of digit 1; undefined if it cannot
 */
export function nineLineBlank({ geometry, alphabet }: Layout): number | undefined {
  const { single } = bytesOf(alphabet);
  if (geometry.cellCount !== 81 || single === undefined || nineBlocks() === undefined) return undefined;
  for (let digit = 1; digit <= 9; digit++) if (single[digit] !== single[1] + digit - 1) return undefined;
  return single[1] - 1;
}

/**
 * `writeLine` for each of the grids `from` to `to` (exclusive).
 *
 * @param blank `nineLineBlank` of their layout
 */
export function writeNineLines(
  out: ByteBuffer,
  cells: Uint8Array,
  from: number,
  to: number,
  blank: number,
): void {
  const bytes = (to - from) * LINE_BYTES;
  out.ensure(bytes);
  nineBlocks()!.write(cells, from, to, blank, out.bytes, out.length);
  out.length += bytes;
}

/** Writes cells without separators, or with single spaces if a symbol has several digits. */
export function writeCells(
  out: ByteBuffer,
  alphabet: Alphabet,
  cells: Uint8Array,
  offset: number,
  count: number,
): void {
  const { single } = bytesOf(alphabet);
  if (single === undefined) {
    writeSpaced(out, alphabet, cells, offset, count);
    return;
  }
  out.ensure(count);
  const { bytes } = out;
  const at = out.length;
  for (let cell = 0; cell < count; cell++) bytes[at + cell] = single[cells[offset + cell]];
  out.length = at + count;
}

/** Writes cells with single spaces between them. */
function writeSpaced(
  out: ByteBuffer,
  alphabet: Alphabet,
  cells: Uint8Array,
  offset: number,
  count: number,
): void {
  const symbols = bytesOf(alphabet).bytes;
  out.ensure(count * 4);
  const { bytes } = out;
  let at = out.length;
  for (let cell = 0; cell < count; cell++) {
    if (cell > 0) bytes[at++] = SPACE;
    const symbol = symbols[cells[offset + cell]];
    for (let k = 0; k < symbol.length; k++) bytes[at++] = symbol[k];
  }
  out.length = at;
}

/** Writes the whole grid on one line. */
export function writeLine(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void {
  writeCells(out, layout.alphabet, cells, offset, layout.geometry.cellCount);
  out.byte(LF);
}

/** Writes one line per row without separators; gaps between overlapping grids are spaces. */
export function writeRows(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void {
  writeStyledRows(out, layout, ROWS, cells, offset);
}

/** Writes one line per row with single spaces between symbols; gaps between overlapping grids are dots. */
export function writeTokens(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void {
  writeStyledRows(out, layout, TOKENS, cells, offset);
}

/** `writeTokens` with a space after every symbol, also the last one of a line. */
export function writeTerminatedTokens(
  out: ByteBuffer,
  layout: Layout,
  cells: Uint8Array,
  offset: number,
): void {
  writeStyledRows(out, layout, TERMINATED_TOKENS, cells, offset);
}

const ROWS: RowStyle = { gap: ' ', between: '', after: '' };
const TOKENS: RowStyle = { gap: '.', between: ' ', after: '' };
const TERMINATED_TOKENS: RowStyle = { gap: '.', between: ' ', after: ' ' };

function writeStyledRows(
  out: ByteBuffer,
  layout: Layout,
  style: RowStyle,
  cells: Uint8Array,
  offset: number,
): void {
  const { size, cellCount, places } = layout.geometry;
  if (places !== undefined) {
    writeUnruled(out, layout, style, cells, offset);
    return;
  }
  const writeRow = style.between === '' ? writeCells : writeSpaced;
  for (let cell = 0; cell < cellCount; cell += size) {
    writeRow(out, layout.alphabet, cells, offset + cell, size);
    if (style.after !== '') out.byte(SPACE);
    out.byte(LF);
  }
}

/**
 * A grid as one string in the layout's symbols, separated by spaces if a symbol has several digits.
 *
 * @param cells values 0 (blank) to size, `cellCount` of them starting at `offset`
 * @param blank of the puzzle, if it differs from its layout's
 */
export function gridText(layout: Layout, cells: Uint8Array, offset: number, blank = layout.blank): string {
  const { symbols, singleCharacter } = layout.alphabet;
  const spaced = !singleCharacter || blank.length > 1;
  let text = '';
  for (let cell = 0; cell < layout.geometry.cellCount; cell++) {
    const value = cells[offset + cell];
    if (spaced && cell > 0) text += ' ';
    text += value === 0 ? blank : symbols[value];
  }
  return text;
}

/** The puzzle of a record as one string; see `gridText`. */
export function puzzleText(block: RecordBlock, index: number): string {
  const { layout, geometry, cells } = block;
  if (geometry.candidates !== undefined) return candidateText(layout, geometry.candidates);
  return gridText(layout, cells, index * geometry.cellCount, block.blankOf(index));
}

/** Candidates in the notation of the format `pencilmarks`: a place for each digit of each cell. */
function candidateText({ alphabet, geometry }: Layout, candidates: Int32Array): string {
  let text = '';
  for (const marks of candidates) {
    for (let digit = 1; digit <= geometry.size; digit++) {
      text += (marks >>> (digit - 1)) & 1 ? alphabet.symbols[digit] : '.';
    }
  }
  return text;
}
