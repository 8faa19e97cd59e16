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
import { BACKSLASH, LETTER_N } from '../../bytes/ascii.ts';
import {
  BARS,
  CELL,
  CLOSE,
  COLONS,
  KINDS,
  kindsIn,
  LETTER,
  OPEN,
  PARTS,
  QUOTE,
  SPACE,
  SPACES,
} from '../../bytes/byte-kinds.ts';
import { MINUS_ONE, NUMBER } from '../../cells/grid-buffer.ts';
import { tokenCode } from '../../cells/token-code.ts';
import type { LayoutBook } from '../../records/layout-book.ts';
import type { Line } from './line.ts';
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
  /** The separator after the token; 0 if there is none other than spaces. */
  after: number;
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

/** Splits the bytes `first` to `last` (exclusive) of a line. */
export function fieldsOf(line: Line, first: number, last: number): Fields {
  const around = cellsIn(line, first, last);
  const { from, to, separator, rowInQuotes } = around;
  const { bytes, start, book } = line;
  const tokens: Token[] = [];
  /** Tokens before the open field, and its start; -1 after a closing bracket. */
  let before = 0;
  let field = from;
  let fields = 0;
  let opens = 0;
  let closes = 0;
  /** Tokens in each field; 0 if not all fields have as many. */
  let perField = 0;
  /** Fields at the ends of the line that are empty: they may be a frame. */
  let isFirstEmpty = false;
  let isLastEmpty = false;
  const add = (at: number, end: number, code: number) => {
    tokens.push({ from: at, to: end, code, left: at, right: end, after: 0 });
  };
  const endField = (end: number, after: number) => {
    if (tokens.length === before) add(field, field, BLANK);
    const last = tokens[tokens.length - 1];
    const count = tokens.length - before;
    if (count === 1) {
      last.left = field;
      last.right = end;
    }
    last.after = after;
    perField = fields++ === 0 || perField === count ? count : 0;
    before = tokens.length;
  };
  for (let at = from; at < to && tokens.length < MAX_TOKENS; ) {
    const sign = bytes[start + at];
    const kind = KINDS[sign];
    if (kind & separator) {
      if (field >= 0) {
        if (tokens.length === 0 && opens === 0) isFirstEmpty = true;
        endField(at, sign);
      } else if (tokens.length > 0) tokens[tokens.length - 1].after = sign;
      field = ++at;
      closes = 0;
    } else if (kind & SPACE || (kind & QUOTE && rowInQuotes)) at++;
    else if (kind & OPEN) {
      // A bracket directly after a cell is a call, or other code.
      if (field >= 0 && tokens.length > before) add(at, at + 1, STRAY);
      else if (tokens.length === 0) opens++;
      field = ++at;
    } else if (kind & CLOSE) {
      // A separator before the bracket ends the list, not an empty field.
      if (field >= 0 && tokens.length > before) endField(at, 0);
      field = -1;
      closes++;
      at++;
    } else {
      const first = at;
      if (field < 0) field = at;
      if (kind & QUOTE) {
        const close = bytes.indexOf(sign, start + at + 1) - start;
        const isClosed = close >= 0 && close < to;
        if (isClosed) {
          // A line break in a text of program code is no cell.
          const isBroken =
            close > at + 2 && bytes[start + close - 2] === BACKSLASH && bytes[start + close - 1] === LETTER_N;
          const end = isBroken ? close - 2 : close;
          add(at + 1, end, codeOf(line, start + at + 1, start + end, CELL | SPACES));
        } else add(at, at + 1, STRAY);
        at = isClosed ? close + 1 : to;
      } else {
        while (++at < to && (KINDS[bytes[start + at]] & (PARTS | SPACE)) === 0);
        add(first, at, codeOf(line, start + first, start + at, CELL));
      }
      closes = 0;
      if (separator === 0) {
        field = first;
        endField(at, 0);
        field = at;
      }
    }
  }
  if (separator !== 0 && field >= 0) {
    isLastEmpty = tokens.length === before;
    endField(to, 0);
  }
  const edges = edgesOf(tokens, isFirstEmpty, isLastEmpty, book);
  const count = tokens.length - edges;
  const skipped = edges === 2 || (edges === 1 && begins(tokens, isFirstEmpty)) ? 1 : 0;
  const stray = tokens.find(({ code }) => code === STRAY);
  return {
    ...around,
    tokens,
    opens,
    closes,
    count,
    stray,
    isEmpty: tokens.length > 1 && tokens.every((token) => token.from === token.to),
    cells:
      stray === undefined ? cellsOf(bytes, start, tokens, count, perField, book) : { single: 0, adjacent: 0 },
    read: { single: edges === 0 ? tokens : tokens.slice(skipped, skipped + count), adjacent: tokens },
  };
}

/** Number of cells in each reading of the tokens in a line that starts at `line`. */
function cellsOf(
  bytes: Uint8Array,
  line: number,
  tokens: readonly Token[],
  count: number,
  perField: number,
  book: LayoutBook,
): Fields['cells'] {
  /** Length of each token, if all of them may be adjacent cells of one length; else 0. */
  let length = tokens.length > 0 ? tokens[0].to - tokens[0].from : 0;
  let isAdjacent = false;
  let largest = 0;
  let letter = 0;
  let kinds = 0;
  for (const { from, to, code } of tokens) {
    if (to - from !== length) length = 0;
    if (code === ADJACENT) isAdjacent = true;
    if (code > NUMBER && code !== MINUS_ONE) largest = Math.max(largest, code - NUMBER);
  }
  for (const { from, to } of length > 1 ? tokens : []) {
    for (let byte = line + from; byte < line + to; byte++) {
      kinds |= KINDS[bytes[byte]];
      letter = Math.max(letter, (bytes[byte] | 32) - 96);
    }
  }
  // Numbers that are too large for the fields may be adjacent digits.
  const areDigits = length > 1 && largest > sizeOf(book, count);
  // Letters alone are words, unless none is beyond the size.
  const isWords = kinds === LETTER && letter > sizeOf(book, tokens.length * length);
  return {
    single: perField > 0 && !isAdjacent && !areDigits ? count : 0,
    adjacent: length > 1 && !isWords ? tokens.length * length : 0,
  };
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
  // A bar that is no separator ends the row.
  const isEnded = isLastEmpty && !isFirstEmpty && isBarSign(tokens[length - 2]?.after);
  if (isEnded && !isBarSign(tokens[0].after)) return 1;
  if (sizeOf(book, length) > 0) return 0;
  if ((begins(tokens, isFirstEmpty) || isLastEmpty) && sizeOf(book, length - 1) > 0) return 1;
  return framed || (both && sizeOf(book, length - 2) > 0) ? 2 : 0;
}

/** Whether the first separator of a line begins a row: a comma only if no other field is empty, as that may be a blank. */
function begins([first, ...others]: readonly Token[], isFirstEmpty: boolean): boolean {
  return isFirstEmpty && (isBarSign(first.after) || others.every(({ from, to }) => from < to));
}

function isBarSign(sign: number): boolean {
  return (KINDS[sign] & (BARS | COLONS)) !== 0;
}

/** Whether a line of fields may be a row of blanks, or only separate grids: all are empty, without bars. */
export function maySeparate({ isEmpty, tokens }: Fields): boolean {
  return isEmpty && !isBarSign(tokens[0].after);
}

/** The size of grids with rows of that many cells, or with that many cells in all; 0 if there is none. */
function sizeOf(book: LayoutBook, cells: number): number {
  return book.isSize(cells) ? cells : (book.sizeOfCells(cells) ?? 0);
}

const MAX_BLANK_WORD = 9;

/** The code of a token. @param cells the kinds of adjacent cells */
function codeOf({ bytes, context }: Line, from: number, to: number, cells: number): number {
  if (to === from) return BLANK;
  if (to - from === 1) return bytes[from];
  const code = tokenCode(bytes, from, to);
  if (code >= 0) return code;
  const kinds = kindsIn(bytes, from, to);
  const isWord = kinds === LETTER && to - from <= MAX_BLANK_WORD;
  if (isWord && BLANK_WORD.test(context.window.string(from, to))) return BLANK;
  return (kinds & ~cells) === 0 ? ADJACENT : STRAY;
}
