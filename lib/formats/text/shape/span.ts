/** Where the cells of a line are: without a name before them, a comment after them, and the end of a statement. */
import { BACKSLASH, COMMA, DOT, isBar, isWhite, LETTER_N, PLUS, SEMICOLON } from '../../bytes/ascii.ts';
import type { LayoutBook } from '../../records/layout-book.ts';
import { CLOSE, HARD, HIGH, KINDS, kindsIn, OPEN, PARTS, QUOTE, SPACE, TABULATOR } from '../byte-kinds.ts';
import type { LineWindow } from '../line-window.ts';
import { MAX_OPENING_BYTES, openingOf } from './openings.ts';

/** Bytes of the longest line that is split: a 36x36 puzzle takes half of that. */
const MAX_BYTES = 8192;

export interface LineSpan {
  /** Offsets in the line. */
  readonly from: number;
  readonly to: number;
  /** Offset after the signs that follow the cells, and before a comment. */
  readonly end: number;
  /** Kind of the bytes that separate fields: `HARD`, `TABULATOR`, or 0 for white space. */
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

/** A comment after cells, `// ...` or `# ...`. */
const COMMENT = /(?!^)(?:\/\/|(?<=\s)#\s)/;
/** Signs before the brackets or quotes of a row: `, [5,3,...]`, `- "53..7...."`. */
const LIST_SIGNS = /^(?:[,+]\s*|-\s+)(?=[[{("'`])/;
/** Three quotes that are not closed in the line, and three that were not opened in it. */
const TEXT_OPENS = /^(["'`])\1\1(?=[^"'`]+$)/;
const TEXT_CLOSES = /^[^"'`]+(["'`]).\1$/;
/** What a declaration starts with. */
const NAME = /^[A-Za-z_&$(["'`]/;

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
  const { bytes, start } = window;
  if (last - text > MAX_BYTES) return undefined;
  const kinds = kindsIn(bytes, text, last);
  if (kinds & HIGH) return undefined;
  const wrapped = (kinds & (OPEN | CLOSE | QUOTE)) !== 0;
  const around = wrapped
    ? aroundCells(window.string(text, last), (kinds & QUOTE) !== 0)
    : { from: 0, to: last - text };
  let [from, to] = [text + around.from, text + around.to];
  let lineEnd = to;
  const end = beforeTerminator(bytes, from, to);
  const hard = hasHard(bytes, from, end);
  if (!hard || (end < to && KINDS[bytes[end - 1]] & (PARTS | SPACE))) to = end;
  const whole = text === window.text[at] && last === window.end[at];
  const outer = whole ? KINDS[bytes[start[at]]] | KINDS[bytes[last]] : 0;
  const tabbed = !hard && !wrapped && ((kinds | outer) & TABULATOR) !== 0;
  if (tabbed && whole) {
    // Tabs at the ends of the line separate empty fields.
    from = start[at];
    to = lineEnd = window.rawEnd(at);
  }
  return {
    opensText: false,
    name: undefined,
    hasOpening: false,
    ...around,
    from: from - start[at],
    to: to - start[at],
    end: lineEnd - start[at],
    separator: hard ? HARD : tabbed ? TABULATOR : 0,
    structured: hard || wrapped || tabbed || end < last,
    continues: bytes[last - 1] === BACKSLASH,
    outerBars: hard && bytes.subarray(from, to).some((byte) => KINDS[byte] & HARD && !isBar(byte)),
    rowInQuotes: around.hasOneText === true && !isQuotedCells(bytes, from, to, book),
  };
}

interface Around {
  readonly from: number;
  readonly to: number;
  readonly opensText?: boolean;
  readonly name?: string | undefined;
  readonly hasOpening?: boolean;
  /** The line has two quotes. */
  readonly hasOneText?: boolean;
}

/** What surrounds the cells of a line with brackets or quotes. */
function aroundCells(whole: string, hasQuotes: boolean): Around {
  const comment = whole.includes('#') || whole.includes('//') ? whole.search(COMMENT) : -1;
  const line = comment < 0 ? whole : whole.slice(0, comment).trimEnd();
  const quotes = hasQuotes ? whole.replaceAll(NO_QUOTES, '').length : 0;
  const opening = NAME.test(line) ? openingOf(line.slice(0, MAX_OPENING_BYTES)) : undefined;
  let from = opening?.end ?? 0;
  const sign = ',+-'.includes(line[from]) ? LIST_SIGNS.exec(line.slice(from)) : null;
  if (sign !== null && (quotes === 2 || '[{('.includes(line[from + sign[0].length]))) from += sign[0].length;
  const mayBeText = quotes > 2;
  const opensText = mayBeText && TEXT_OPENS.test(line.slice(from));
  if (opensText) from += TEXT_QUOTES;
  const closes = mayBeText && TEXT_CLOSES.test(line.slice(from));
  return {
    from,
    to: line.length - (closes ? TEXT_QUOTES : 0),
    opensText,
    name: opening?.name,
    hasOpening: opening !== undefined,
    hasOneText: quotes === 2,
  };
}

const NO_QUOTES = /[^"'`]+/g;
const TEXT_QUOTES = 3;

/** Whether the quotes of a line enclose a row or a grid of adjacent cells, which may be spaces. */
function isQuotedCells(bytes: Uint8Array, from: number, to: number, book: LayoutBook): boolean {
  let open = from;
  while (open < to && (KINDS[bytes[open]] & QUOTE) === 0) open++;
  let close = open + 1;
  while (close < to && bytes[close] !== bytes[open]) close++;
  if (hasHard(bytes, open, close)) return false;
  const isBroken = bytes[close - 2] === BACKSLASH && bytes[close - 1] === LETTER_N;
  const length = close - open - (isBroken ? 3 : 1);
  return length <= 1 || book.isSize(length) || book.sizeOfCells(length) !== undefined;
}

/** `\\` at the end of a line breaks it in Markdown, and continues it in code. */
const TERMINATORS = [COMMA, SEMICOLON, DOT, BACKSLASH, PLUS];

/** Offset of the signs that end a statement or a list: after a bracket or quote, or the only separator of the line. */
function beforeTerminator(bytes: Uint8Array, from: number, to: number): number {
  let end = to;
  while (end > from && TERMINATORS.includes(bytes[end - 1])) {
    const sign = bytes[end - 1];
    let before = end - 1;
    while (before > from && isWhite(bytes[before - 1])) before--;
    const kind = before > from ? KINDS[bytes[before - 1]] : 0;
    if (sign === PLUS && (kind & QUOTE) === 0) break;
    const isAfterBar = sign === DOT && isBar(bytes[before - 1]);
    const ends = kind & (CLOSE | QUOTE) || sign === BACKSLASH || isAfterBar;
    if (!ends && (sign === DOT || hasHard(bytes, from, before))) break;
    end = before;
  }
  return end;
}

function hasHard(bytes: Uint8Array, from: number, to: number): boolean {
  return (kindsIn(bytes, from, to, HARD) & HARD) !== 0;
}
