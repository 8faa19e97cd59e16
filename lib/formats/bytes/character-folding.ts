/**
 * Folds characters that stand for ASCII: `5│·３` becomes `5|.3`. What the readers of formats see is ASCII; line ends and all
 * other characters stay.
 */

/** Value of `foldedByte` for characters that are left out. */
const DROPPED = -1;
/** Value of `foldedByte` for characters that stay. */
const KEPT = -2;

/** Characters by their replacement; the first that has a character replaces it. */
const FOLDINGS: readonly (readonly [replacement: string, characters: RegExp])[] = [
  // Soft hyphen, zero-width characters and direction marks, keycaps, variation selectors.
  ['', /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|\u20e3|[\ufe00-\ufe0f]/u],
  [' ', /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800]/u],
  // Dots, circles and empty squares.
  [
    '.',
    /[\u00b0\u00b7\u0387\u2022\u2024\u2027\u2218\u2219\u22c5\u2423\u2591\u25a1\u25a2\u25ab\u25cb\u25e6]/u,
  ],
  ['.', /[\u25ef\u25fb\u25fd\u2610\u26aa\u2b1a\u2b1c\u2e31\u3002\u30fb\uff61\uff65\u{1f532}\u{1f533}]/u],
  ['-', /[\u2010-\u2015\u2212\u2e3a\u2e3b\ufe58\ufe63]/u],
  ['-', /[\u2500\u2501\u2504\u2505\u2508\u2509\u254c\u254d\u2550\u2574\u2576\u2578\u257a\u257c\u257e]/u],
  [
    '|',
    /[\u00a6\u2502\u2503\u2506\u2507\u250a\u250b\u254e\u254f\u2551\u2575\u2577\u2579\u257b\u257d\u257f]/u,
  ],
  // The corners and crossings of frames.
  ['+', /[\u2500-\u257f]/u],
  ['"', /[\u00ab\u00bb\u201c-\u201f\u300c-\u300f\u2033]/u],
  ["'", /[\u00b4\u2018-\u201b\u2032\u2039\u203a]/u],
];

/** By code point, what was found. */
const FOLDED = new Map<number, number>();

/** Bytes of Windows-1252 that are no UTF-8 where they stand. */
const FOLDED_SINGLE = new Map([
  [0x95, 46],
  [0x96, 45],
  [0x97, 45],
  [0xa0, 32],
  [0xad, DROPPED],
  [0xb7, 46],
]);

const DECIMAL_DIGIT = /^\p{Nd}$/u;
const FULL_WIDTH_FIRST = 0xff01;
const FULL_WIDTH_LAST = 0xff5e;
/** Distance of a full-width character from its ASCII character. */
const FULL_WIDTH = 0xfee0;

/** @returns the ASCII character for a code point from 128 on, or `DROPPED`, or `KEPT` */
function foldedByte(code: number): number {
  const known = FOLDED.get(code);
  if (known !== undefined) return known;
  const character = String.fromCodePoint(code);
  const replacement = FOLDINGS.find(([, characters]) => characters.test(character))?.[0];
  let folded = KEPT;
  if (replacement !== undefined) folded = replacement === '' ? DROPPED : replacement.charCodeAt(0);
  else if (code >= FULL_WIDTH_FIRST && code <= FULL_WIDTH_LAST) folded = code - FULL_WIDTH;
  else if (isDigit(code)) {
    // The digits of a script are in order, and only sets of ten adjoin.
    let zero = code;
    while (isDigit(zero - 1)) zero--;
    folded = 48 + ((code - zero) % 10);
  }
  FOLDED.set(code, folded);
  return folded;
}

function isDigit(code: number): boolean {
  return DECIMAL_DIGIT.test(String.fromCodePoint(code));
}

/** Whether all bytes are ASCII. */
export function isAscii(bytes: Uint8Array): boolean {
  const { buffer, byteOffset, length } = bytes;
  let high = 0;
  let at = 0;
  // 32 bytes at a time, from the first aligned one.
  for (; at < length && (byteOffset + at) % 4 !== 0; at++) high |= bytes[at];
  if (at + 32 <= length) {
    const w = new Int32Array(buffer, byteOffset + at, ((length - at) >> 5) * 8);
    for (let k = 0; k < w.length; k += 8) {
      high |= w[k] | w[k + 1] | w[k + 2] | w[k + 3] | w[k + 4] | w[k + 5] | w[k + 6] | w[k + 7];
    }
    at += w.length * 4;
  }
  for (; at < length; at++) high |= bytes[at];
  return (high & 0x80808080) === 0;
}

/**
 * Folds whole characters.
 *
 * @param most stops once this many bytes are folded
 * @returns the folded bytes, and the number of bytes that they were made from
 */
export function fold(
  bytes: Uint8Array,
  most = Number.POSITIVE_INFINITY,
): { readonly folded: Uint8Array; readonly length: number } {
  const folded = new Uint8Array(bytes.length);
  let to = 0;
  let at = 0;
  while (at < bytes.length && to < most) {
    const byte = bytes[at];
    if (byte < 0x80) {
      folded[to++] = byte;
      at++;
      continue;
    }
    const length = characterLength(bytes, at);
    const replacement =
      length === 1 ? (FOLDED_SINGLE.get(byte) ?? KEPT) : foldedByte(codePoint(bytes, at, length));
    if (replacement >= 0) folded[to++] = replacement;
    else if (replacement === KEPT) for (let k = 0; k < length; k++) folded[to++] = bytes[at + k];
    at += length;
  }
  return { folded: folded.subarray(0, to), length: at };
}

/** Number of bytes at the end that may be the start of a character. */
export function partialCharacter(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count];
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > count ? count : 0;
  }
  return 0;
}

/** Bytes of the character at `at`; 1 for a byte that is no UTF-8. */
function characterLength(bytes: Uint8Array, at: number): number {
  const length = sequenceLength(bytes[at]);
  for (let k = 1; k < length; k++) if ((bytes[at + k] & 0xc0) !== 0x80) return 1;
  const isBeyondUnicode = bytes[at] === 0xf4 && bytes[at + 1] > 0x8f;
  return isBeyondUnicode ? 1 : length;
}

/** Bytes of a character with that first byte; 1 if no character has it. */
function sequenceLength(byte: number): number {
  if (byte < 0xc2 || byte > 0xf4) return 1;
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

function codePoint(bytes: Uint8Array, at: number, length: number): number {
  let code = bytes[at] & (0xff >> (length + 1));
  for (let k = 1; k < length; k++) code = (code << 6) | (bytes[at + k] & 0x3f);
  return code;
}
