/** Lines drawn around and within grids, which have no cells, and lines that may be a part of a puzzle. */
import {
  BARS,
  BLANKS,
  CELL,
  COLONS,
  CONTROL,
  DASHES,
  DIGIT,
  DOTS,
  DRAWN,
  KINDS,
  QUOTE,
  SIGNS,
  SPACE,
  SPACES,
  STARS,
  UNDERSCORES,
} from '../../bytes/byte-kinds.ts';
import type { Line } from './line.ts';

/** A sign that no cell is, between bars: `^^^|^^^|^^^` */
const SIGN_RULER = /^[|!]?([^\w\s])\1*(?:[|!]\1+)+[|!]?$/;
/** The kinds of lines of one sign, which may be a blank. */
const ONE_SIGN: ReadonlySet<number> = new Set([DASHES, STARS, UNDERSCORES]);
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
/** Cells, and what is between them. */
export const LOOSE_CELLS = CELL | SPACE | CONTROL;

/** Whether a line only draws, and is no row of blanks: it has a sign that no blank is, `*-----*`, or the width of no neighbour. */
export function isRuler(line: Line): boolean {
  if (line.length < 3) return false;
  if (ONE_SIGN.has(line.kinds)) return !mayBeBlanks(line);
  if (!line.only(RULE)) return line.has(BARS) && line.only(RULE | SIGNS) && SIGN_RULER.test(line.text);
  return line.has(DRAWN) || (line.has(STARS) && /^\*-.*\*$/.test(line.text));
}

/**
 * Whether a line of one sign may be a row or a puzzle of blanks: nothing else is in the file, a line as long as a row follows, or
 * the puzzle before or after it is as long and has that blank.
 */
function mayBeBlanks({ context, book, at, number, length, kinds, text }: Line): boolean {
  const isRow = book.isSize(length);
  if (!isRow && book.sizeOfCells(length) === undefined) return false;
  const { lastSize, decoder } = context.sink;
  const next = context.nextText(at + 1);
  if (lastSize !== undefined) {
    const isAsLong = length === lastSize || length === lastSize ** 2;
    if (isAsLong && decoder.last(lastSize)?.blank === text[0]) return true;
  }
  if (next === undefined) return lastSize === undefined && context.firstLine === number;
  // Two such lines are rulers around a title, unless they are rows.
  return next.length === length && next.only(CELL) && (isRow || (next.has(kinds) && next.kinds !== kinds));
}

/** Whether a line separates the first row of a Markdown table. */
export function isTableRuler(line: Line): boolean {
  return line.has(BARS) && line.only(RULE) && TABLE_RULER.test(line.text);
}

/** Whether a line only draws, around a grid whose cells have something regular around them. */
export function isFrame(line: Line): boolean {
  if (!line.only(PLAIN_RULE | STARS)) return false;
  if (isRuler(line) || isTableRuler(line)) return true;
  if (!line.only(PLAIN_RULE) || !line.has(DASHES | DRAWN | UNDERSCORES)) return false;
  return PLAIN_RULER.test(line.text) && line.text.replaceAll(/[^-=_]/g, '').length * 2 > line.length;
}

/** Whether a line has bars alone: space between rows. */
export function isBarsOnly(line: Line): boolean {
  return line.tokens > 0 && line.only(BARS | COLONS | SPACES);
}

/** Whether a line is a ruler that starts with no cell, or has one sign alone. */
export function isDrawnRuler(line: Line): boolean {
  return isRuler(line) && (ONE_SIGN.has(line.kinds) || NO_CELL.test(line.text));
}

/**
 * The character of a line that may be a ruler, or a row of blanks: `---------`, or `---!---!---` or `--- --- ---` between rows with
 * bars or gaps in its columns.
 *
 * @param first whether it is the first line of its grid
 * @returns empty if it is no such line
 */
export function rulerSign(line: Line, first: boolean): string {
  if (!maySeparateRows(line)) return '';
  const [sign] = line.text;
  if (!line.has(~CELL)) return sign;
  const columns = ({ start, end }: Line) => line.raw(start, end);
  const drawn = [...columns(line).matchAll(/\S/g)].filter(({ 0: character }) => character !== sign);
  const bars =
    drawn.length > 0
      ? drawn
      : [
          ...columns(line)
            .trimEnd()
            .matchAll(/(?<=\S\s*)\s/g),
        ];
  const isNeighbour = (neighbour: Line) => {
    const other = columns(neighbour);
    return (
      bars.every(({ 0: bar, index }) => other[index] === bar) && CELL_SIGN.test(other.replaceAll(sign, ''))
    );
  };
  if (!first && isNeighbour(line.previous)) return sign;
  const { next } = line;
  return next !== undefined && isNeighbour(next) ? sign : '';
}

/** Whether a line may be a ruler by its bytes alone; see `rulerSign`. */
export function maySeparateRows(line: Line): boolean {
  const { kinds, length } = line;
  return (line.has(~CELL) || (ONE_SIGN.has(kinds) && length > 2)) && isOneCell(line);
}

/** Whether a line starts with a sign of cells and has no other: most rows do not, which few of their bytes show. */
export function isOneCell({ bytes, from, end }: Line): boolean {
  const sign = bytes[from];
  if ((KINDS[sign] & CELL) === 0) return false;
  let at = from + 1;
  while (at < end && (bytes[at] === sign || (KINDS[bytes[at]] & CELL) === 0)) at++;
  return at === end;
}

/** Whether a line may be a row or a list of cells: one token of cells with a digit or a blank, or short tokens. */
export function resemblesCells(line: Line): boolean {
  // More than one token, longer than cells, are prose.
  if (line.tokens > 1 && line.length > line.tokens * 4) return false;
  return line.only(LOOSE_CELLS) && line.has(DIGIT | BLANKS);
}
