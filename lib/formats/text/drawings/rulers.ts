/** Lines drawn around and within grids. */
import type { TextContext } from '../text-context.ts';

const BAR = 124;
const OTHER_BAR = 33;
const STAR = 42;
const PLUS = 43;
const DASH = 45;
const COLON = 58;
const EQUALS = 61;
const SPACE = 32;

export function isBar(byte: number): boolean {
  return byte === BAR || byte === OTHER_BAR || byte === COLON;
}

/** Whether line `at` only draws: made of `- + * = |` and spaces, and too regular to be a row of blanks. */
export function isRuler(context: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = context.window;
  let plus = false;
  let equals = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const character = bytes[byte];
    if (character === PLUS) plus = true;
    else if (character === EQUALS) equals++;
    else if (character !== DASH && character !== STAR && !isBar(character) && character !== SPACE)
      return false;
  }
  const length = end[at] - text[at];
  if (length < 3) return false;
  if (plus || equals === length) return true;
  // `*-----*` around a grid; a line of dashes that is not a row of any size.
  if (bytes[text[at]] === STAR && bytes[end[at] - 1] === STAR && bytes[text[at] + 1] === DASH) return true;
  return tokens[at] === 1 && !context.sink.book.isSize(length) && onlyDashes(bytes, text[at], end[at]);
}

function onlyDashes(bytes: Uint8Array, from: number, to: number): boolean {
  for (let byte = from; byte < to; byte++) if (bytes[byte] !== DASH) return false;
  return true;
}
