/** Where the cells of a line are: without a name before them, a comment after them, and the end of a statement. */
import {
  BACKSLASH,
  COMMA,
  DASH,
  DOLLAR,
  DOT,
  HASH,
  isBar,
  isWhite,
  LETTER_N,
  PLUS,
  SEMICOLON,
  SLASH,
} from '../../bytes/ascii.ts';
import type { LayoutBook } from '../../records/layout-book.ts';
import { KINDS, LETTER } from '../byte-kinds.ts';
import type { LineWindow } from '../line-window.ts';
import { CLOSE, HARD, OPEN, PARTS, QUOTE, SPACE, TAB } from './line-parts.ts';
import { MAX_OPENING_BYTES, openingOf } from './openings.ts';

/** Bytes of the longest line that is split: a 36x36 puzzle takes half of that. */
const MAX_BYTES = 8192;

export interface LineSpan {
  /** Offsets in the window. */
  readonly from: number;
  readonly to: number;
  /** Offset after the signs that follow the cells, and before a comment. */
  readonly end: number;
  /** Kind of the bytes that separate fields: `HARD`, `TAB` or `SPACE`. */
  readonly separator: number;
  /** The line has separators other than spaces, brackets or quotes. */
  readonly structured: boolean;
  /** The line ends with a sign that continues it. */
  readonly continues: boolean;
  /** The row follows three quotes, which open a text of several lines. */
  readonly opensText: boolean;
  /** Bars are not the separators: at the ends of the line they are brackets, as in `[| 5, 3, 0 | 0, 7, 0 |]`. */
  readonly outerBars: boolean;
  /** The whole row is in one pair of quotes and has separators of its own. */
  readonly rowInQuotes: boolean;
  /** The name before the cells. */
  readonly name: string | undefined;
  /** Text before the cells was dropped. */
  readonly hasOpening: boolean;
}

/**
 * The span of the bytes `text` to `last` (exclusive) of line `at`: its text, or a part of it.
 *
 * @returns undefined if the line is too long, or has bytes of UTF-8
 */
export function spanOf(
  window: LineWindow,
  at: number,
  text: number,
  last: number,
  book: LayoutBook,
): LineSpan | undefined {
  const { bytes } = window;
  let from = text;
  let to = last;
  if (to - from > MAX_BYTES) return undefined;
  let brackets = 0;
  let quotes = 0;
  let tabs = 0;
  for (let byte = from; byte < to; byte++) {
    const part = PARTS[bytes[byte]];
    if (bytes[byte] > 126) return undefined;
    if (part === OPEN || part === CLOSE) brackets++;
    else if (part === QUOTE) quotes++;
    else if (part === TAB) tabs++;
  }
  const wrapped = brackets > 0 || quotes > 0;
  let name: string | undefined;
  let hasOpening = false;
  let opensText = false;
  if (wrapped) {
    to = beforeComment(bytes, from, to);
    const opening = mayBeName(bytes[from])
      ? openingOf(window.string(from, Math.min(to, from + MAX_OPENING_BYTES)))
      : undefined;
    if (opening !== undefined) {
      from += opening.end;
      name = opening.name;
      hasOpening = true;
    }
    from = afterListSigns(bytes, from, to, quotes);
    const opened = afterTextQuotes(bytes, from, to);
    opensText = opened > from;
    from = opened;
    if (beforeTextQuotes(bytes, from, to) < to) to = beforeTextQuotes(bytes, from, to);
  }
  let lineEnd = to;
  const end = beforeTerminator(bytes, from, to);
  const hard = hasHard(bytes, from, end);
  if (!hard || (end < to && PARTS[bytes[end - 1]] !== 0)) to = end;
  const whole = text === window.text[at] && last === window.end[at];
  const outer = whole && (bytes[window.start[at]] === 9 || bytes[window.end[at]] === 9);
  const tabbed = !hard && !wrapped && (tabs > 0 || outer);
  if (tabbed && whole) {
    // Tabs at the ends of the line separate empty fields.
    from = window.start[at];
    to = lineEnd = window.rawEnd(at);
  }
  return {
    from,
    to,
    end: lineEnd,
    separator: hard ? HARD : tabbed ? TAB : SPACE,
    structured: hard || wrapped || tabbed || end < last,
    continues: bytes[last - 1] === BACKSLASH,
    opensText,
    outerBars: hard && !hasOnlyBars(bytes, from, to),
    rowInQuotes: quotes === 2 && !isQuotedCells(bytes, from, to, book),
    name,
    hasOpening,
  };
}

/** Whether the quotes of a line enclose a row or a grid of adjacent cells, which may be spaces. */
function isQuotedCells(bytes: Uint8Array, from: number, to: number, book: LayoutBook): boolean {
  let open = from;
  while (open < to && PARTS[bytes[open]] !== QUOTE) open++;
  let close = open + 1;
  while (close < to && bytes[close] !== bytes[open]) close++;
  if (hasHard(bytes, open, close)) return false;
  const isBroken = bytes[close - 2] === BACKSLASH && bytes[close - 1] === LETTER_N;
  const length = close - open - (isBroken ? 3 : 1);
  return length <= 1 || book.isSize(length) || book.sizeOfCells(length) !== undefined;
}

/** Offset of a comment after cells, `// ...` or `# ...`; `to` if there is none. */
function beforeComment(bytes: Uint8Array, from: number, to: number): number {
  for (let byte = from + 1; byte + 1 < to; byte++) {
    const slashes = bytes[byte] === SLASH && bytes[byte + 1] === SLASH;
    const hash = bytes[byte] === HASH && isWhite(bytes[byte - 1]) && isWhite(bytes[byte + 1]);
    if (slashes || hash) return beforeWhite(bytes, from, byte);
  }
  return to;
}

/** `\\` at the end of a line breaks it in Markdown, and continues it in code. */
const TERMINATORS = [COMMA, SEMICOLON, DOT, BACKSLASH, PLUS];

/** Offset of the signs that end a statement or a list: after a bracket or quote, or the only separator of the line. */
function beforeTerminator(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && TERMINATORS.includes(bytes[end - 1])) {
    const sign = bytes[end - 1];
    const before = beforeWhite(bytes, from, end - 1);
    const part = before > from ? PARTS[bytes[before - 1]] : 0;
    if (sign === PLUS && part !== QUOTE) break;
    const ends =
      part === CLOSE || part === QUOTE || sign === BACKSLASH || (sign === DOT && isBar(bytes[before - 1]));
    if (!ends && (sign === DOT || hasHard(bytes, from, before))) break;
    end = before;
  }
  return end;
}

/** Signs before the brackets or quotes of a row: `, [5,3,...]`, `- "53..7...."`. */
function afterListSigns(bytes: Uint8Array, from: number, to: number, quotes: number): number {
  const isSign = bytes[from] === COMMA || bytes[from] === PLUS;
  if (!isSign && (bytes[from] !== DASH || !isWhite(bytes[from + 1]))) return from;
  let next = from + 1;
  while (next < to && isWhite(bytes[next])) next++;
  const part = PARTS[bytes[next]];
  return part === OPEN || (part === QUOTE && quotes === 2) ? next : from;
}

/** Whether bars are the only separators between two offsets. */
function hasOnlyBars(bytes: Uint8Array, from: number, to: number): boolean {
  for (let byte = from; byte < to; byte++)
    if (PARTS[bytes[byte]] === HARD && !isBar(bytes[byte])) return false;
  return true;
}

/** Offset after three quotes at `from` that are not closed in the line; `from` if there are none. */
function afterTextQuotes(bytes: Uint8Array, from: number, to: number): number {
  const quote = bytes[from];
  if (to - from <= TEXT_QUOTES || PARTS[quote] !== QUOTE) return from;
  if (bytes[from + 1] !== quote || bytes[from + 2] !== quote) return from;
  for (let byte = from + TEXT_QUOTES; byte < to; byte++) if (PARTS[bytes[byte]] === QUOTE) return from;
  return from + TEXT_QUOTES;
}

/** Offset of three quotes at the end that were not opened in the line; `to` if there are none. */
function beforeTextQuotes(bytes: Uint8Array, from: number, to: number): number {
  let first = from;
  while (first < to && PARTS[bytes[first]] !== QUOTE) first++;
  const isText = first > from && to - first === TEXT_QUOTES && bytes[first] === bytes[to - 1];
  return isText ? first : to;
}

const TEXT_QUOTES = 3;

function hasHard(bytes: Uint8Array, from: number, to: number): boolean {
  for (let byte = from; byte < to; byte++) if (PARTS[bytes[byte]] === HARD) return true;
  return false;
}

function beforeWhite(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && isWhite(bytes[end - 1])) end--;
  return end;
}

/** Other first characters of a declaration: `_`, `&`, `$`, `(`, `[`. */
const NAME_SIGNS = [95, 38, DOLLAR, 40, 91];

function mayBeName(byte: number): boolean {
  return KINDS[byte] & LETTER ? true : NAME_SIGNS.includes(byte) || PARTS[byte] === QUOTE;
}
