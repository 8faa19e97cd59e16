/** Lines drawn around and within grids, which have no cells. */
import { DASH, STAR } from '../../bytes/ascii.ts';
import {
  BARS,
  COLONS,
  DASHES,
  DOTS,
  DRAWN,
  KINDS,
  QUOTE,
  SPACES,
  STARS,
  UNDERSCORES,
} from '../../bytes/byte-kinds.ts';
import type { TextContext } from '../text-context.ts';

/** The kinds of a line that only draws. */
const RULE = DASHES | STARS | BARS | COLONS | SPACES | DRAWN;
/** Columns of the smallest table, of at least two dashes each: `|---|:-:|`. */
const TABLE_RULER = /^[|!]?(?:(?: *[-:]){2,} *[|!]){3,}(?: *[-:]){2,} *[|!]?$/;
/** A line of `=` or `_`, or one between corners: `.-----.`, `:-----:`, `'-----'`. */
const PLAIN_RULER = /^(?:[=_]{3,}|[+.:'`][-=_ |!:+.'`]+[+.:'`])$/;
const PLAIN_RULE = DASHES | BARS | COLONS | SPACES | DRAWN | UNDERSCORES | DOTS | QUOTE;
/** A first character that no cell has, or `*-`; dashes alone may be blanks. */
const NO_CELL = /^(?:[|!:+=~]|\*-)/;
const CELL_SIGN = /[\w.*?#-]/;

/** Whether line `at` only draws, and is too regular to be a row of blanks: it has a sign that no blank is, or `*-----*`. */
export function isRuler({ lines, window, sink }: TextContext, at: number): boolean {
  const { bytes, text, end, kinds } = window;
  if (!lines.only(at, RULE)) return false;
  const [from, last] = [text[at], end[at] - 1];
  if (last - from < 2) return false;
  if (kinds[at] & DRAWN) return true;
  if (bytes[from] === STAR && bytes[from + 1] === DASH && bytes[last] === STAR) return true;
  return kinds[at] === DASHES && !sink.book.isSize(last + 1 - from);
}

/** Whether line `at` separates the first row of a Markdown table. */
export function isTableRuler({ lines }: TextContext, at: number): boolean {
  return lines.has(at, BARS) && lines.only(at, RULE) && TABLE_RULER.test(lines.text(at));
}

/** Whether line `at` only draws, around a grid whose cells have something regular around them. */
export function isFrame(context: TextContext, at: number): boolean {
  const { lines } = context;
  if (!lines.only(at, PLAIN_RULE | STARS)) return false;
  if (isRuler(context, at) || isTableRuler(context, at)) return true;
  if (!lines.only(at, PLAIN_RULE) || !lines.has(at, DASHES | DRAWN | UNDERSCORES)) return false;
  const text = lines.text(at);
  return PLAIN_RULER.test(text) && text.replaceAll(/[^-=_]/g, '').length * 2 > text.length;
}

/** Whether line `at` has bars alone: space between rows. */
export function isBarsOnly({ lines, window }: TextContext, at: number): boolean {
  return window.tokens[at] > 0 && lines.only(at, BARS | COLONS | SPACES);
}

/** Whether line `at` is a ruler that starts with no cell. */
export function isDrawnRuler(context: TextContext, at: number): boolean {
  return isRuler(context, at) && NO_CELL.test(context.lines.text(at));
}

/**
 * The character of a line that may be a ruler, or a row of blanks: `---!---!---` between rows with bars in its columns.
 *
 * @param first line of its grid
 * @returns empty if it is no such line
 */
export function rulerSign({ window, lines }: TextContext, at: number, first: number): string {
  if ((KINDS[window.bytes[window.text[at]]] & (DASHES | UNDERSCORES | STARS)) === 0) return '';
  const [sign] = lines.text(at);
  const columns = (line: number) => lines.raw(window.start[line], window.end[line]);
  const text = columns(at);
  const bars = [...text.matchAll(/\S/g)].filter(({ 0: character }) => character !== sign);
  if (bars.length === 0 || bars.some(([bar]) => CELL_SIGN.test(bar))) return '';
  const isNeighbour = (line: number) => {
    const other = columns(line);
    return (
      bars.every(({ 0: bar, index }) => other[index] === bar) && CELL_SIGN.test(other.replaceAll(sign, ''))
    );
  };
  return (at > first && isNeighbour(at - 1)) || (window.has(at + 1) && isNeighbour(at + 1)) ? sign : '';
}
