/** Lines drawn around and within grids, which have no cells. */
import type { TextContext } from '../text-context.ts';

/** Made of `- + * = ~ | !` and spaces. */
const DRAWN = /^[-*|!: +=~]{3,}$/;
/** Too regular to be a row of blanks: a sign that no blank is, or `*-----*`. */
const RULED = /[=~+]|^\*-.*\*$/;
const DASHES = /^-+$/;
/** Columns of the smallest table, of at least two dashes each: `|---|:-:|`. */
const TABLE_RULER = /^[|!]?(?:(?: *[-:]){2,} *[|!]){3,}(?: *[-:]){2,} *[|!]?$/;
/** A line of `=` or `_`, or one between corners: `.-----.`, `:-----:`, `'-----'`. */
const PLAIN_RULER = /^(?:[=_]{3,}|[+.:'`][-=_ |!:+.'`]+[+.:'`])$/;
const BARS = /^[|!: ]+$/;
/** A first character that no cell has, or `*-`; dashes alone may be blanks. */
const NO_CELL = /^(?:[|!:+=~]|\*-)/;
const CELL = /[\w.*?#-]/;

/** Whether line `at` only draws. */
export function isRuler({ lines, window, sink }: TextContext, at: number): boolean {
  const text = lines.text(at);
  if (!DRAWN.test(text)) return false;
  return RULED.test(text) || (window.tokens[at] === 1 && DASHES.test(text) && !sink.book.isSize(text.length));
}

/** Whether line `at` separates the first row of a Markdown table. */
export function isTableRuler({ lines }: TextContext, at: number): boolean {
  return TABLE_RULER.test(lines.text(at));
}

/** Whether line `at` only draws, around a grid whose cells have something regular around them. */
export function isFrame(context: TextContext, at: number): boolean {
  const text = context.lines.text(at);
  if (isRuler(context, at) || TABLE_RULER.test(text)) return true;
  return PLAIN_RULER.test(text) && text.replaceAll(/[^-=_]/g, '').length * 2 > text.length;
}

/** Whether line `at` has bars alone: space between rows. */
export function isBarsOnly({ lines }: TextContext, at: number): boolean {
  return BARS.test(lines.text(at));
}

/** Whether line `at` is a ruler that starts with no cell. */
export function isDrawnRuler(context: TextContext, at: number): boolean {
  return NO_CELL.test(context.lines.text(at)) && isRuler(context, at);
}

/**
 * The character of a line that may be a ruler, or a row of blanks: `---!---!---` between rows with bars in its columns.
 *
 * @param first line of its grid
 * @returns empty if it is no such line
 */
export function rulerSign({ window, lines }: TextContext, at: number, first: number): string {
  const [sign] = lines.text(at);
  if (sign !== '-' && sign !== '_' && sign !== '*') return '';
  const columns = (line: number) => lines.raw(window.start[line], window.end[line]);
  const text = columns(at);
  const bars = [...text.matchAll(/\S/g)].filter(({ 0: character }) => character !== sign);
  if (bars.length === 0 || bars.some(([bar]) => CELL.test(bar))) return '';
  const isNeighbour = (line: number) => {
    const other = columns(line);
    return bars.every(({ 0: bar, index }) => other[index] === bar) && CELL.test(other.replaceAll(sign, ''));
  };
  return (at > first && isNeighbour(at - 1)) || (window.has(at + 1) && isNeighbour(at + 1)) ? sign : '';
}
