/**
 * Data of f-puzzles and SudokuPad links: JSON in LZ-string's Base64.
 *
 * A code stands for a phrase, which may be one character longer than all phrases before: a few hundred characters may hold
 * gigabytes, so no more than a limit is decoded.
 */
/** Size of the largest puzzle that is decoded, in characters. */
export const MAX_DECODED = 1024 * 1024;

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** The first codes: a character of 8 bits, one of 16 bits, the end. */
const NARROW = 0;
const WIDE = 1;
const END = 2;

/** @returns the text; `too_large` if it exceeds `MAX_DECODED`; undefined if the data is damaged or something else */
export function decodeLz(data: string): string | 'too_large' | undefined {
  const padding = data.indexOf('=');
  const digits = padding < 0 || /[^=]/.test(data.slice(padding)) ? data : data.slice(0, padding);
  const values = Array.from(digits, (digit) => DIGITS.indexOf(digit));
  if (values.includes(-1)) return undefined;
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
  /** By code. */
  const phrases = ['', '', ''];
  let bits = 2;
  let left = 1;
  let before = '';
  let text = '';
  const add = (phrase: string) => {
    phrases.push(phrase);
    if (--left > 0) return;
    left = 2 ** bits;
    bits++;
  };
  while (at < last && text.length <= MAX_DECODED) {
    let code = take(bits);
    if (code === END) return at <= last && text !== '' ? text : undefined;
    if (code === NARROW || code === WIDE) {
      const character = String.fromCharCode(take(code === NARROW ? 8 : 16));
      code = phrases.length;
      add(character);
    }
    // The phrase that comes next begins with the one before, and so ends with its first character.
    const phrase = phrases[code] ?? (code === phrases.length ? before + before.charAt(0) : '');
    if (phrase === '') return undefined;
    text += phrase;
    if (before !== '') add(before + phrase[0]);
    before = phrase;
  }
  return text.length > MAX_DECODED ? 'too_large' : undefined;
}
