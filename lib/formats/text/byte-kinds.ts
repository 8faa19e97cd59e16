/** What a byte may be in a line: one table for cells, separators, brackets, quotes and drawings. */

import { BLANK_SIGNS } from '../cells/blanks.ts';

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
/** A sign that is in no row and in no declaration. */
export const ODD = 1024;
/** A line of these alone may be a ruler, of which a sign of `DOUBLE` alone certainly is. */
export const DRAWN = 2048;
export const DOUBLE = 4096;
/** A line of these alone may be drawn between corners, or separate the head of a Markdown table. */
export const FRAMED = 8192;
export const TABLED = 16384;
/** Not ASCII. */
export const HIGH = 32768;
/** A cell that is no digit and no letter. */
export const BLANK_SIGN = 65536;
/** A character that is no cell. */
export const STRAY = 131072;

/** Separates fields, encloses them or quotes them. */
export const PARTS = OPEN | CLOSE | QUOTE | HARD | TABULATOR;

const kinds = new Uint32Array(256);
const mark = (characters: string, kind: number) => {
  for (const character of characters) kinds[character.charCodeAt(0)] |= kind;
};
mark(`${BLANK_SIGNS}#`, CELL | BLANK_SIGN);
mark(',;:', SEPARATOR);
mark(' \t\v\f', SPACE);
mark('[{(', OPEN);
mark(']})', CLOSE);
mark('"\'`', QUOTE);
mark(',;|!/:', HARD);
mark('\t', TABULATOR);
mark('#%+@\\^~', ODD);
mark('-*|!: +=~', DRAWN);
mark('=~', DOUBLE);
mark("-=_ |!:+.'`", FRAMED);
mark('-:| !', TABLED);
mark('0123456789', CELL | DIGIT);
for (let letter = 65; letter <= 90; letter++) kinds[letter] = kinds[letter + 32] = CELL | LETTER;
for (let byte = 0; byte < 256; byte++) {
  if (byte > 126) kinds[byte] |= HIGH;
  if (byte > 32 && (kinds[byte] & CELL) === 0) kinds[byte] |= STRAY;
  if (byte > 126 || byte < 9 || (byte > 13 && byte < 32)) kinds[byte] |= ODD;
}

/** `KINDS[byte]`: the bits of a byte. A `#` that starts a comment is recognised before, see `hash-blanks.ts`. */
export const KINDS: Readonly<Uint32Array> = kinds;

/**
 * The kinds that some byte from `from` to `to` (exclusive) has.
 *
 * @param stop kinds after which no other byte is looked at
 */
export function kindsIn(bytes: Uint8Array, from: number, to: number, stop = 0): number {
  let some = 0;
  for (let byte = from; byte < to && (some & stop) === 0; byte++) some |= KINDS[bytes[byte]];
  return some;
}

/** The kinds that every byte from `from` to `to` (exclusive) has. */
export function commonKind(bytes: Uint8Array, from: number, to: number): number {
  let every = -1;
  for (let byte = from; byte < to && every !== 0; byte++) every &= KINDS[bytes[byte]];
  return every;
}

/** The digit that a byte would be in a small puzzle: 1 to 9, 1 to 26 for a letter, 0 for a blank (x included). */
export function symbolValue(byte: number): number {
  const kind = KINDS[byte];
  if (kind & DIGIT) return byte - 48;
  return kind & LETTER && (byte | 0x20) !== 0x78 ? (byte | 0x20) - 96 : 0;
}
