/** What a byte may be in a line: one table for cells, separators, brackets, quotes and drawings. */

import { BLANK_SIGNS } from './blanks.ts';

/** Bits of `KINDS`. */
export const CELL = 1;
export const DIGIT = 2;
export const LETTER = 4;
/** Ends a puzzle on a line, as white space does: `, ; :` */
export const SEPARATOR = 8;
/** Separates tokens on a line. */
export const SPACE = 16;
export const OPEN = 32;
export const CLOSE = 64;
export const QUOTE = 128;
/** Separates fields in a line that has it, so that an empty field is a blank: `, ; | ! / :` */
export const HARD = 256;
/** Separates fields in a line without other separators and brackets. */
export const TABULATOR = 512;

/** Separates fields, encloses them or quotes them. */
export const PARTS = OPEN | CLOSE | QUOTE | HARD | TABULATOR;

const kinds = new Uint32Array(256);
const mark = (characters: string, kind: number) => {
  for (const character of characters) kinds[character.charCodeAt(0)] |= kind;
};
mark(`${BLANK_SIGNS}#`, CELL);
mark(',;:', SEPARATOR);
mark(' \t\v\f', SPACE);
mark('[{(', OPEN);
mark(']})', CLOSE);
mark('"\'`', QUOTE);
mark(',;|!/:', HARD);
mark('\t', TABULATOR);
mark('0123456789', CELL | DIGIT);
for (let letter = 65; letter <= 90; letter++) kinds[letter] = kinds[letter + 32] = CELL | LETTER;
/** `KINDS[byte]`: the bits of a byte. A `#` that starts a comment is recognised before, see `hash-blanks.ts`. */
export const KINDS: Readonly<Uint32Array> = kinds;

/** The digit that a byte would be in a small puzzle: 1 to 9, 1 to 26 for a letter, 0 for a blank (x included). */
export function symbolValue(byte: number): number {
  const kind = KINDS[byte];
  if (kind & DIGIT) return byte - 48;
  return kind & LETTER && (byte | 0x20) !== 0x78 ? (byte | 0x20) - 96 : 0;
}
