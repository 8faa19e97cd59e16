/**
 * Folds characters that stand for ASCII: `5│·３` becomes `5|.3`. What the readers of formats see is ASCII; line ends and all
 * other characters stay.
 */

/** Value of `foldedByte` for characters that are left out. */
const DROPPED = -1;
/** Value of `foldedByte` for characters that stay. */
const KEPT = -2;

/** Characters by their replacement; a range has its first and last code point. */
const FOLDINGS: readonly (readonly [
  replacement: string,
  characters: readonly (number | readonly [number, number])[],
])[] = [
  // Soft hyphen, zero-width characters and direction marks, variation selectors, keycaps.
  [
    '',
    [
      0xad,
      [0x200b, 0x200f],
      [0x202a, 0x202e],
      [0x2060, 0x2064],
      [0x2066, 0x2069],
      0xfeff,
      [0xfe00, 0xfe0f],
      0x20e3,
    ],
  ],
  [' ', [0xa0, 0x1680, [0x2000, 0x200a], 0x202f, 0x205f, 0x3000, 0x2800]],
  // Dots, circles and empty squares.
  [
    '.',
    [
      0xb0,
      0xb7,
      0x387,
      0x2022,
      0x2024,
      0x2027,
      0x2218,
      0x2219,
      0x22c5,
      0x2423,
      0x2591,
      [0x25a1, 0x25a2],
      0x25ab,
      0x25cb,
      0x25e6,
    ],
  ],
  [
    '.',
    [
      0x25ef,
      0x25fb,
      0x25fd,
      0x2610,
      0x26aa,
      0x2b1a,
      0x2b1c,
      0x2e31,
      0x3002,
      0x30fb,
      0xff61,
      0xff65,
      [0x1f532, 0x1f533],
    ],
  ],
  ['-', [[0x2010, 0x2015], 0x2212, 0x2e3a, 0x2e3b, 0xfe58, 0xfe63]],
  ['"', [0xab, 0xbb, [0x201c, 0x201f], [0x300c, 0x300f], 0x2033]],
  ["'", [0xb4, [0x2018, 0x201b], 0x2032, 0x2039, 0x203a]],
  ['+', [[0x2500, 0x257f]]],
  [
    '-',
    [
      0x2500, 0x2501, 0x2504, 0x2505, 0x2508, 0x2509, 0x254c, 0x254d, 0x2550, 0x2574, 0x2576, 0x2578, 0x257a,
      0x257c, 0x257e,
    ],
  ],
  [
    '|',
    [
      0x2502, 0x2503, 0x2506, 0x2507, 0x250a, 0x250b, 0x254e, 0x254f, 0x2551, 0x2575, 0x2577, 0x2579, 0x257b,
      0x257d, 0x257f,
    ],
  ],
];

const FOLDED = new Map<number, number>();
for (const [replacement, characters] of FOLDINGS) {
  for (const range of characters) {
    const [first, last] = typeof range === 'number' ? [range, range] : range;
    for (let code = first; code <= last; code++) {
      FOLDED.set(code, replacement === '' ? DROPPED : replacement.charCodeAt(0));
    }
  }
}

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
  let folded = KEPT;
  if (code >= FULL_WIDTH_FIRST && code <= FULL_WIDTH_LAST) folded = code - FULL_WIDTH;
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
