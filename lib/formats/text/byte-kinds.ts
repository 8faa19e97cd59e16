/** Which bytes may be cells of a grid, and what separates them. */

/** Bits of `KINDS`. */
export const CELL = 1;
export const DIGIT = 2;
export const LETTER = 4;
/** Ends a puzzle on a line, as white space does. */
export const SEPARATOR = 8;
/** Separates tokens on a line. */
export const SPACE = 16;

const kinds = new Uint8Array(256);
for (const character of '.*_-?#') kinds[character.charCodeAt(0)] = CELL;
for (const character of ',;:') kinds[character.charCodeAt(0)] = SEPARATOR;
for (const character of ' \t\v\f') kinds[character.charCodeAt(0)] = SPACE;
for (let digit = 48; digit <= 57; digit++) kinds[digit] = CELL | DIGIT;
for (let letter = 65; letter <= 90; letter++) kinds[letter] = kinds[letter + 32] = CELL | LETTER;

/** `KINDS[byte]`: the bits of a byte. A `#` that starts a comment is recognised before, see `hash-blanks.ts`. */
export const KINDS: Readonly<Uint8Array> = kinds;

/** The digit that a byte would be in a small puzzle: 1 to 9, 1 to 26 for a letter, 0 for a blank (x included). */
export function symbolValue(byte: number): number {
  const kind = KINDS[byte];
  if (kind & DIGIT) return byte - 48;
  return kind & LETTER && (byte | 0x20) !== 0x78 ? (byte | 0x20) - 96 : 0;
}
