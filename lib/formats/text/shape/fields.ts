/**
 * The fields of a line: what separators, brackets and quotes leave.
 *
 *     [5, 3, 0, 0, 7],      a name, brackets, quotes and the end of a statement are dropped
 *     5;3;;;7;;;;           an empty field is a blank
 *     | 5 | 3 |   |         bars around a row are a frame, not empty fields
 *     5 3 . | . 7 .         fields of several cells: as many in each
 *     530|070|000           fields of adjacent cells: as many in each
 *
 * The separators are those of the line itself: `, ; | ! /` if it has any of them, else tabs if there are no brackets,
 * else white space.
 */
import { isBar } from '../../bytes/ascii.ts';
import { CLOSE, KINDS, OPEN, PARTS, QUOTE, SPACE } from '../../cells/byte-kinds.ts';
import { MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import { numberCode } from '../../cells/token-code.ts';
import type { LayoutBook } from '../../records/layout-book.ts';
import { cellsIn, type Surroundings } from './surroundings.ts';

/** Cells of the largest puzzle, and some too many. */
const MAX_TOKENS = 1300;

/** Code of a blank. */
export const BLANK = 32;
/** Codes of tokens that are no single cell: adjacent cells, and other text. */
const ADJACENT = -1;
const STRAY = -2;

/** Words for a blank in program code. */
const BLANK_WORD = /^(?:none|null|nil|nan?|undefined|empty|blank|nothing)$/i;
const CELLS = /^[\w.*?#-]+$/;
const QUOTED_CELLS = /^[\w.*?# -]+$/;
/** Cells of the smallest row between bars whose first and last cells may be blanks outside the bars. */
const MIN_UNFRAMED = 9;

/** How the tokens of a line are read: each one a cell, or each one several adjacent cells. */
export type FieldReading = 'single' | 'adjacent';

/** A cell, a group of adjacent cells, or an empty field; offsets are from the start of its line. */
export interface Token {
  readonly from: number;
  readonly to: number;
  /** Cell code; negative if the token is no single cell. */
  readonly code: number;
  /** The same with the white space of its field, if it is the only token of the field. */
  left: number;
  right: number;
  /** The separator after the token; empty if there is none other than spaces. */
  after: string;
}

export interface Fields extends Surroundings {
  readonly tokens: readonly Token[];
  /** Brackets that are opened before the first token, and those that are closed after the last one. */
  readonly opens: number;
  readonly closes: number;
  /** Fields of any line; those of a frame are not counted. */
  readonly count: number;
  /** The first token that is neither a cell nor adjacent cells. */
  readonly stray: Token | undefined;
  /** Number of cells of each reading; 0 if the line cannot be read so. */
  readonly cells: Readonly<Record<FieldReading, number>>;
  /** The tokens with cells in each reading. */
  readonly read: Readonly<Record<FieldReading, readonly Token[]>>;
  /** All fields are empty. */
  readonly isEmpty: boolean;
}

/**
 * Splits the characters `text` to `last` (exclusive) of a line.
 *
 * @param isWhole whether they are all of its text
 */
export function fieldsOf(
  line: string,
  text: number,
  last: number,
  isWhole: boolean,
  book: LayoutBook,
): Fields {
  const around = cellsIn(line, text, last, isWhole, book);
  const { from, to, separator, outerBars, rowInQuotes } = around;
  const tokens: Token[] = [];
  /** Tokens before the open field, and its start; -1 after a closing bracket. */
  let first = 0;
  let field = from;
  let [fields, opens, closes] = [0, 0, 0];
  /** Tokens in each field; 0 if not all fields have as many. */
  let perField = 0;
  /** Fields at the ends of the line that are empty: they may be a frame. */
  let [isFirstEmpty, isLastEmpty] = [false, false];
  const add = (start: number, end: number, code: number) =>
    tokens.push({ from: start, to: end, code, left: start, right: end, after: '' });
  const endField = (end: number, after: string) => {
    if (tokens.length === first) add(field, field, BLANK);
    const count = tokens.length - first;
    if (count === 1) [tokens[first].left, tokens[first].right] = [field, end];
    tokens[tokens.length - 1].after = after;
    perField = fields === 0 || perField === count ? count : 0;
    fields++;
    first = tokens.length;
  };
  for (let at = from; at < to && tokens.length < MAX_TOKENS; ) {
    const byte = line.charCodeAt(at);
    const kind = KINDS[byte];
    if (outerBars && isBar(byte) && fields === 0 && tokens.length === 0) field = ++at;
    else if (kind & separator) {
      const last = tokens.at(-1);
      if (field < 0 && last !== undefined) last.after = line[at];
      if (field >= 0) {
        if (tokens.length === first && fields === 0 && opens === 0) isFirstEmpty = true;
        endField(at, line[at]);
      }
      field = ++at;
      closes = 0;
    } else if (kind & SPACE || (kind & QUOTE && rowInQuotes)) at++;
    else if (kind & OPEN) {
      // A bracket directly after a cell is a call, or other code.
      if (field >= 0 && tokens.length > first) add(at, at + 1, STRAY);
      else if (tokens.length === 0) opens++;
      field = ++at;
    } else if (kind & CLOSE) {
      // A separator before the bracket ends the list, not an empty field.
      if (field >= 0 && tokens.length > first) endField(at, '');
      field = -1;
      closes++;
      at++;
    } else {
      const start = at;
      if (field < 0) field = at;
      if (kind & QUOTE) {
        const close = line.indexOf(line[at], at + 1);
        const isClosed = close >= 0 && close < to;
        // A line break in a text of program code is no cell.
        const quoted = isClosed ? line.slice(at + 1, close).replace(/\\n$/, '') : '';
        const code = quoted === '' ? BLANK : codeOf(quoted, QUOTED_CELLS);
        if (isClosed) add(at + 1, at + 1 + quoted.length, code);
        else add(at, at + 1, STRAY);
        at = isClosed ? close + 1 : to;
      } else {
        while (++at < to && (KINDS[line.charCodeAt(at)] & (PARTS | SPACE)) === 0);
        add(start, at, codeOf(line.slice(start, at), CELLS));
      }
      closes = 0;
      if (separator === 0) {
        field = start;
        endField(at, '');
        field = at;
      }
    }
  }
  const isClosed = outerBars && tokens.length === first && isBarSign(tokens[Math.max(0, first - 1)]?.after);
  if (separator !== 0 && field >= 0 && !isClosed) {
    isLastEmpty = tokens.length === first;
    endField(to, '');
  }
  const edges = edgesOf(tokens, isFirstEmpty, isLastEmpty, book);
  const count = tokens.length - edges;
  const skipped = edges === 2 || (edges === 1 && isFirstEmpty) ? 1 : 0;
  const stray = tokens.find(({ code }) => code === STRAY);
  return {
    ...around,
    tokens,
    opens,
    closes,
    count,
    stray,
    isEmpty: tokens.length > 1 && tokens.every((token) => token.from === token.to),
    cells: stray === undefined ? cellsOf(line, tokens, count, perField, book) : { single: 0, adjacent: 0 },
    read: { single: tokens.slice(skipped, skipped + count), adjacent: tokens },
  };
}

/** Number of cells in each reading. */
function cellsOf(
  line: string,
  tokens: readonly Token[],
  count: number,
  perField: number,
  book: LayoutBook,
): Fields['cells'] {
  /** Length of each token, if all of them may be adjacent cells of one length; else 0. */
  const width = tokens.length > 0 ? tokens[0].to - tokens[0].from : 0;
  const length = tokens.every(({ from, to }) => to - from === width) ? width : 0;
  const isAdjacent = tokens.some(({ code }) => code === ADJACENT);
  const numbers = tokens.filter(({ code }) => code > NUMBER && code !== MINUS_ONE);
  // Numbers that are too large for the fields may be adjacent digits.
  const largest = sizeOf(book, count);
  const areDigits = length > 1 && numbers.some(({ code }) => code - NUMBER > largest);
  // Letters alone are words, unless none is beyond the size.
  const all = length > 1 ? tokens.map(({ from, to }) => line.slice(from, to)).join('') : '';
  const isWords = /^[a-z]+$/i.test(all) && [...all].some((sign) => letterOf(sign) > sizeOf(book, all.length));
  return {
    single: perField > 0 && !isAdjacent && !areDigits ? count : 0,
    adjacent: length > 1 && !isWords ? all.length : 0,
  };
}

function letterOf(sign: string): number {
  return (sign.charCodeAt(0) | 32) - 96;
}

/** How many empty fields at the ends of the line are a frame, or come from a separator that ends the line. */
function edgesOf(
  tokens: readonly Token[],
  isFirstEmpty: boolean,
  isLastEmpty: boolean,
  book: LayoutBook,
): 0 | 1 | 2 {
  const { length } = tokens;
  const both = isFirstEmpty && isLastEmpty && length > 2;
  const framed = both && isBarSign(tokens[0].after) && isBarSign(tokens[length - 2].after);
  // A small grid between bars is more often one of a few boxes.
  if (framed && (sizeOf(book, length - 2) > 0 || length < MIN_UNFRAMED)) return 2;
  if (sizeOf(book, length) > 0) return 0;
  if ((isFirstEmpty || isLastEmpty) && sizeOf(book, length - 1) > 0) return 1;
  return framed || (both && sizeOf(book, length - 2) > 0) ? 2 : 0;
}

function isBarSign(sign: string | undefined): boolean {
  return sign === '|' || sign === '!' || sign === ':';
}

/** Whether a line of fields may be a row of blanks, or only separate grids: all are empty, without bars. */
export function maySeparate({ isEmpty, tokens }: Fields): boolean {
  return isEmpty && !isBarSign(tokens[0].after);
}

/** The size of grids with rows of that many cells, or with that many cells in all; 0 if there is none. */
function sizeOf(book: LayoutBook, cells: number): number {
  return book.isSize(cells) ? cells : (book.sizeOfCells(cells) ?? 0);
}

/** The code of a token. @param cells what adjacent cells are */
function codeOf(token: string, cells: RegExp): number {
  if (token.length === 1) return token.charCodeAt(0);
  const code = numberCode(token);
  if (code >= 0) return code;
  if (BLANK_WORD.test(token)) return BLANK;
  return cells.test(token) ? ADJACENT : STRAY;
}
