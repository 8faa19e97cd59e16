/** Writes grids as text; formats and output profiles share these functions. */

import { LINE_BYTES, nineBlocks } from '../../sudoku/nine-blocks.ts';
import type { ByteBuffer } from '../bytes/byte-buffer.ts';
import type { Layout } from '../records/layout.ts';
import type { RecordBlock } from '../records/record-block.ts';

/**
 * Whether `writeNineLines` can write grids of a layout: 81 cells and consecutive symbols.
 *
 * @returns the byte before that of digit 1; undefined if it cannot
 */
export function nineLineBlank({ geometry, alphabet }: Layout): number | undefined {
  const { symbols, singleCharacter } = alphabet;
  if (geometry.cellCount !== 81 || !singleCharacter || nineBlocks() === undefined) return undefined;
  const blank = symbols[1].charCodeAt(0) - 1;
  return symbols.every((symbol, digit) => digit === 0 || symbol.charCodeAt(0) === blank + digit)
    ? blank
    : undefined;
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
  const offset = index * geometry.cellCount;
  if (geometry.candidates !== undefined) return candidateText(layout, geometry.candidates, cells, offset);
  return gridText(layout, cells, offset, block.blankOf(index));
}

/** Candidates in the notation of the format `pencilmarks`: a place for each digit of each cell; a given is its only one. */
function candidateText(
  { alphabet, geometry }: Layout,
  candidates: Int32Array,
  cells: Uint8Array,
  offset: number,
): string {
  let text = '';
  for (let cell = 0; cell < candidates.length; cell++) {
    const given = cells[offset + cell];
    const marks = given === 0 ? candidates[cell] : 1 << (given - 1);
    for (let digit = 1; digit <= geometry.size; digit++) {
      text += (marks >>> (digit - 1)) & 1 ? alphabet.symbols[digit] : '.';
    }
  }
  return text;
}
