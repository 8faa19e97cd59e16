/**
 * Data of f-puzzles and SudokuPad links: JSON in LZ-string's Base64.
 *
 * A few hundred characters may hold gigabytes, so the size is computed first: a code stands for a phrase that is one
 * character longer than an earlier one, and lengths are added without the text.
 */
import LZString from 'lz-string';

/** Size of the largest puzzle that is decoded, in characters. */
export const MAX_DECODED = 1024 * 1024;

/** @returns the text; `too_large` if it exceeds `MAX_DECODED`; undefined if the data is damaged or something else */
export function decodeLz(data: string): string | 'too_large' | undefined {
  const length = decodedLength(data);
  if (length === undefined) return undefined;
  return length > MAX_DECODED ? 'too_large' : LZString.decompressFromBase64(data) || undefined;
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The first codes: a character of 8 bits, one of 16 bits, the end. */
const NARROW = 0;
const WIDE = 1;
const END = 2;

/** Length of the decoded text, or a number above `MAX_DECODED`; undefined if the data does not end properly. */
function decodedLength(data: string): number | undefined {
  const padding = data.indexOf('=');
  const digits = padding < 0 || /[^=]/.test(data.slice(padding)) ? data : data.slice(0, padding);
  const values = Array.from(digits, (digit) => DIGITS.indexOf(digit));
  if (values.length === 0 || values.includes(-1)) return undefined;
  let at = 0;
  // Six bits per digit, the highest first; the first bit of a code is its lowest.
  const take = (bits: number): number => {
    let code = 0;
    for (let bit = 0; bit < bits; bit++, at++) {
      code |= (((values[Math.floor(at / 6)] ?? 0) >> (5 - (at % 6))) & 1) << bit;
    }
    return code;
  };
  const last = values.length * 6;
  /** Lengths of the phrases, by code. */
  const lengths = [0, 0, 0];
  let bits = 2;
  let left = 1;
  let before = 0;
  let total = 0;
  const grow = () => {
    if (--left > 0) return;
    left = 2 ** bits;
    bits++;
  };
  while (at < last && total <= MAX_DECODED) {
    let code = take(bits);
    if (code === END) return at <= last ? total : undefined;
    if (code === NARROW || code === WIDE) {
      take(code === NARROW ? 8 : 16);
      code = lengths.push(1) - 1;
      grow();
    }
    const isNext = code === lengths.length && before > 0;
    const length = isNext ? before + 1 : (lengths[code] ?? 0);
    if (length === 0) return undefined;
    total += length;
    if (before > 0) {
      lengths.push(before + 1);
      grow();
    }
    before = length;
  }
  return total > MAX_DECODED ? total : undefined;
}
