/** Grids as text: the ways of writing that formats and output profiles share. */
import { LINE_BYTES, nineBlocks } from '../../sudoku/nine-blocks.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { Alphabet, Layout } from '../records/layout.ts';
import type { RecordBlock } from '../records/record-block.ts';
import { type RowStyle, writeUnruled } from './grid-drawing.ts';

const LF = 10;
const SPACE = 32;

/** The bytes of each digit's symbol; of single characters in one array, for the fast way. */
interface SymbolBytes {
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
 * Whether many grids of a layout may be written by `writeNineLines`: 81 cells, digits whose symbols follow each other.
 *
 * @returns the byte before that of digit 1; undefined where they may not
 */
export function nineLineBlank({ geometry, alphabet }: Layout): number | undefined {
  const { single } = bytesOf(alphabet);
  if (geometry.cellCount !== 81 || single === undefined || nineBlocks() === undefined) return undefined;
  for (let digit = 1; digit <= 9; digit++) if (single[digit] !== single[1] + digit - 1) return undefined;
  return single[1] - 1;
}

/** `writeLine` for each of the grids `from` to `to` (exclusive), with what `nineLineBlank` said of their layout. */
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

/** Cells one after the other; parted by single spaces where a symbol has several digits. */
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

/** Cells parted by single spaces, none behind the last. */
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

/** The whole grid on one line. */
export function writeLine(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void {
  writeCells(out, layout.alphabet, cells, offset, layout.geometry.cellCount);
  out.byte(LF);
}

/** One line a row, its characters side by side; gaps between overlapping grids are spaces. */
export function writeRows(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void {
  const { size, cellCount, places } = layout.geometry;
  if (places !== undefined) {
    writeUnruled(out, layout, ROWS, cells, offset);
    return;
  }
  for (let cell = 0; cell < cellCount; cell += size) {
    writeCells(out, layout.alphabet, cells, offset + cell, size);
    out.byte(LF);
  }
}

/** One line a row, its symbols parted by single spaces; gaps between overlapping grids are dots. */
export function writeTokens(out: ByteBuffer, layout: Layout, cells: Uint8Array, offset: number): void {
  writeTokenRows(out, layout, TOKENS, cells, offset);
}

/** The same with a space behind every symbol, the last one of a line included. */
export function writeTerminatedTokens(
  out: ByteBuffer,
  layout: Layout,
  cells: Uint8Array,
  offset: number,
): void {
  writeTokenRows(out, layout, TERMINATED_TOKENS, cells, offset);
}

const ROWS: RowStyle = { gap: ' ', between: '', after: '' };
const TOKENS: RowStyle = { gap: '.', between: ' ', after: '' };
const TERMINATED_TOKENS: RowStyle = { gap: '.', between: ' ', after: ' ' };

function writeTokenRows(
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
  for (let cell = 0; cell < cellCount; cell += size) {
    writeSpaced(out, layout.alphabet, cells, offset + cell, size);
    if (style.after !== '') out.byte(SPACE);
    out.byte(LF);
  }
}

/**
 * A grid as one string in the puzzle's own symbols, blanks as the layout's blank, parted by spaces where a
 * symbol has several digits.
 *
 * @param cells values 0 (blank) to size, `cellCount` of them from `offset`
 * @param blank of the puzzle, where it is not that of its layout
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

/** The puzzle of a record as one string, see `gridText`. */
export function puzzleText(block: RecordBlock, index: number): string {
  const { layout, geometry, cells } = block;
  if (geometry.candidates !== undefined) return candidateText(layout, geometry.candidates);
  return gridText(layout, cells, index * geometry.cellCount, block.blankOf(index));
}

/** Candidates as the format `pencilmarks` has them: a place for each digit of each cell. */
function candidateText({ alphabet, geometry }: Layout, candidates: Int32Array): string {
  let text = '';
  for (const marks of candidates) {
    for (let digit = 1; digit <= geometry.size; digit++) {
      text += (marks >>> (digit - 1)) & 1 ? alphabet.symbols[digit] : '.';
    }
  }
  return text;
}
