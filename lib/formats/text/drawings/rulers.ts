/** Lines drawn around and within grids. */
import { DASH, EQUALS, isBar, PLUS, SPACE, STAR, TILDE, UNDERSCORE } from '../../bytes/ascii.ts';
import { CELL, KINDS } from '../byte-kinds.ts';
import type { TextContext } from '../text-context.ts';

/** Whether line `at` only draws: made of `- + * = ~ |` and spaces, and too regular to be a row of blanks. */
export function isRuler(context: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = context.window;
  let plus = false;
  let equals = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    const character = bytes[byte];
    if (character === PLUS) plus = true;
    else if (character === EQUALS || character === TILDE) equals++;
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

/**
 * The character of a line that may be a ruler, or a row of blanks: `---!---!---` between rows with bars in its columns.
 *
 * @param first line of its grid
 * @returns 0 if it is no such line
 */
export function rulerSign({ window }: TextContext, at: number, first: number): number {
  const { bytes, text, end, start } = window;
  const sign = bytes[text[at]];
  if (sign !== DASH && sign !== UNDERSCORE && sign !== STAR) return 0;
  let bars = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    if (bytes[byte] === sign || bytes[byte] === SPACE) continue;
    if (KINDS[bytes[byte]] & CELL) return 0;
    bars++;
  }
  if (bars === 0) return 0;
  const hasBarsOf = (line: number) => {
    if (end[line] - start[line] < text[at] - start[at]) return false;
    for (let byte = text[at]; byte < end[at]; byte++) {
      const other = start[line] + byte - start[at];
      const isBar = bytes[byte] !== sign && bytes[byte] !== SPACE;
      if (isBar && (other >= end[line] || bytes[other] !== bytes[byte])) return false;
    }
    return true;
  };
  const isNeighbour = (line: number) => hasBarsOf(line) && !isOnly(bytes, text[line], end[line], sign);
  return (at > first && isNeighbour(at - 1)) || (window.has(at + 1) && isNeighbour(at + 1)) ? sign : 0;
}

/** Whether the cells of a line are all that sign. */
function isOnly(bytes: Uint8Array, from: number, to: number, sign: number): boolean {
  for (let byte = from; byte < to; byte++)
    if (bytes[byte] !== sign && KINDS[bytes[byte]] & CELL) return false;
  return true;
}
