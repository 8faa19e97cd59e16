/** Lines drawn around and within grids, which have no cells. */
import { DASH, isBar, PLUS, SPACE, STAR, UNDERSCORE } from '../../bytes/ascii.ts';
import { CELL, commonKind, DOUBLE, DRAWN, FRAMED, KINDS, TABLED } from '../byte-kinds.ts';
import type { TextContext } from '../text-context.ts';

/** Whether line `at` only draws: made of `- + * = ~ |` and spaces, and too regular to be a row of blanks. */
export function isRuler({ window, sink }: TextContext, at: number): boolean {
  const { bytes, text, end, tokens } = window;
  const from = text[at];
  const to = end[at];
  const kind = commonKind(bytes, from, to);
  if ((kind & DRAWN) === 0 || to - from < 3) return false;
  if (kind & DOUBLE || bytes.subarray(from, to).includes(PLUS)) return true;
  // `*-----*` around a grid; a line of dashes that is not a row of any size.
  if (bytes[from] === STAR && bytes[to - 1] === STAR && bytes[from + 1] === DASH) return true;
  return tokens[at] === 1 && !sink.book.isSize(to - from) && isOnly(bytes, from, to, DASH);
}

/** Columns of the smallest table, of at least two dashes each: `|---|:-:|`. */
const TABLE_RULER = /^[|!]?(?:(?: *[-:]){2,} *[|!]){3,}(?: *[-:]){2,} *[|!]?$/;
/** A line of `=` or `_`, or one between corners: `.-----.`, `:-----:`, `'-----'`. */
const PLAIN_RULER = /^(?:[=_]+|[+.:'`].*[+.:'`])$/;

/** Whether line `at` separates the first row of a Markdown table. */
export function isTableRuler({ window }: TextContext, at: number): boolean {
  const { bytes, text, end } = window;
  const mayBe = (commonKind(bytes, text[at], end[at]) & TABLED) !== 0;
  return mayBe && TABLE_RULER.test(window.string(text[at], end[at]));
}

/** Whether line `at` only draws, around a grid whose cells have something regular around them. */
export function isFrame(context: TextContext, at: number): boolean {
  const { window } = context;
  const { bytes, text, end } = window;
  const kind = commonKind(bytes, text[at], end[at]);
  if ((kind & (DRAWN | FRAMED)) === 0 || end[at] - text[at] < 3 || bytes[text[at]] === SPACE) return false;
  if (isRuler(context, at) || isTableRuler(context, at)) return true;
  const line = kind & FRAMED ? window.string(text[at], end[at]) : '';
  return PLAIN_RULER.test(line) && line.replaceAll(/[^-=_]/g, '').length * 2 > line.length;
}

/** Whether line `at` has bars alone: space between rows. */
export function isBarsOnly({ window: { bytes, text, end, tokens } }: TextContext, at: number): boolean {
  for (let byte = text[at]; byte < end[at]; byte++) {
    if (!isBar(bytes[byte]) && bytes[byte] !== SPACE) return false;
  }
  return tokens[at] > 0;
}

/** Whether line `at` is a ruler that starts with a character that no cell has, or with `*-`; dashes alone may be blanks. */
export function isDrawnRuler(context: TextContext, at: number): boolean {
  const { bytes, text } = context.window;
  const first = bytes[text[at]];
  const isDrawn = (KINDS[first] & CELL) === 0 || (first === STAR && bytes[text[at] + 1] === DASH);
  return isDrawn && isRuler(context, at);
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
  const isBar = (byte: number) => bytes[byte] !== sign && bytes[byte] !== SPACE;
  let bars = 0;
  for (let byte = text[at]; byte < end[at]; byte++) {
    if (!isBar(byte)) continue;
    if (KINDS[bytes[byte]] & CELL) return 0;
    bars++;
  }
  if (bars === 0) return 0;
  const isNeighbour = (line: number) => {
    for (let byte = text[at]; byte < end[at]; byte++) {
      const other = start[line] + byte - start[at];
      if (isBar(byte) && (other >= end[line] || bytes[other] !== bytes[byte])) return false;
    }
    for (let byte = text[line]; byte < end[line]; byte++) {
      if (bytes[byte] !== sign && KINDS[bytes[byte]] & CELL) return true;
    }
    return false;
  };
  return (at > first && isNeighbour(at - 1)) || (window.has(at + 1) && isNeighbour(at + 1)) ? sign : 0;
}

/** Whether bytes are all the same. */
function isOnly(bytes: Uint8Array, from: number, to: number, sign: number): boolean {
  for (let byte = from; byte < to; byte++) if (bytes[byte] !== sign) return false;
  return true;
}
