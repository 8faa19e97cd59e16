/**
 * What surrounds the cells of a line, which is taken off in this order, from the outside in:
 *
 *     int[][] grid = { {5, 3, 0}, // first
 *                               ^^^^^^^^^^ 1. a comment, after brackets or quotes
 *     ^^^^^^^^^^^^^^^              2. a declaration, a key or a call; its name is kept
 *     - "53..7...."                3. the sign of a list, before a bracket or a quote
 *     {5, 3, 0},                   4. the end of a statement: after a bracket or quote, or the only separator
 *                         ^
 */

import { BACKSLASH, COMMA, DOT, PLUS, SEMICOLON, TAB } from '../../bytes/ascii.ts';
import {
  BARS,
  CLOSE,
  COLONS,
  HARD,
  HIGH,
  KINDS,
  kindsIn,
  LISTS,
  PARTS,
  QUOTE,
  SPACE,
  TABULATOR,
  WRAPS,
} from '../../bytes/byte-kinds.ts';
import type { LayoutBook } from '../../records/layout-book.ts';
import { type LineShapes, MAX_TEXT } from './line-shapes.ts';

export interface Surroundings {
  /** Offsets of the cells in the line. */
  readonly from: number;
  readonly to: number;
  /** Offset after the signs that follow the cells, and before a comment. */
  readonly end: number;
  /** Kind of the bytes that separate fields: `HARD`, `TABULATOR`, or 0 for white space. */
  readonly separator: number;
  /** The line has separators other than spaces, brackets or quotes. */
  readonly structured: boolean;
  /** The whole row is in one pair of quotes and has separators of its own. */
  readonly rowInQuotes: boolean;
  /** The name before the cells. */
  readonly name: string | undefined;
  /** Text before the cells was dropped. */
  readonly hasOpening: boolean;
}

/** A line of which nothing is read. */
const NOTHING: Surroundings = {
  from: 0,
  to: 0,
  end: 0,
  separator: 0,
  structured: false,
  rowInQuotes: false,
  name: undefined,
  hasOpening: false,
};

/** A comment after cells, `// ...` or `# ...`. */
const COMMENT = /(?!^)(?:\/\/|(?<=\s)#\s)/;
/** What a declaration starts with. */
const NAME = /^[A-Za-z_&$(["'`]/;
/** Signs before the brackets or quotes of a row: `, [5,3,...]`, `- "53..7...."`. */
const LIST_SIGNS = /^(?:[,+]\s*|-\s+)(?=([[{("'`]))/;

/** The cells in the bytes `first` to `last` (exclusive) of line `at`. */
export function cellsIn(lines: LineShapes, at: number, first: number, last: number): Surroundings {
  const { window, book } = lines;
  const { bytes } = window;
  const start = window.start[at];
  const lineEnd = window.rawEnd(at);
  /** Whether they are all of its text: tabs at the ends of the line then separate empty fields. */
  const isWhole = first === window.text[at] && last === window.end[at];
  const kinds = isWhole ? window.kinds[at] : kindsIn(bytes, first, last);
  if (lineEnd === start || lineEnd - start > MAX_TEXT || window.isLong(at) || kinds & HIGH) return NOTHING;
  const isWrapped = (kinds & WRAPS) !== 0;
  const around = isWrapped ? unwrapped(lines.raw(first, last)) : undefined;
  let from = first + (around?.from ?? 0);
  let to = around === undefined ? last : first + around.to;
  let end = to;
  const stop = withoutTerminators(lines, from, to);
  const isHard = ((isWrapped || stop < last ? kindsIn(bytes, from, stop) : kinds) & HARD) !== 0;
  if (!isHard || (stop < to && stop > from && KINDS[bytes[stop - 1]] & (PARTS | SPACE))) to = stop;
  const isOuter = isWhole && (bytes[start] === TAB || (last < lineEnd && bytes[last] === TAB));
  const isTabbed = !isHard && !isWrapped && (isOuter || (kinds & TABULATOR) !== 0);
  if (isTabbed && isWhole) [from, to, end] = [start, lineEnd, lineEnd];
  return {
    from: from - start,
    to: to - start,
    end: end - start,
    separator: isHard ? HARD : isTabbed ? TABULATOR : 0,
    structured: isHard || isWrapped || isTabbed || stop < last,
    rowInQuotes: around?.quotes === 2 && !isQuotedCells(lines.raw(from, to), book),
    name: around?.name,
    hasOpening: around?.hasOpening === true,
  };
}

/** What surrounds the cells of a text with brackets or quotes. */
function unwrapped(whole: string) {
  const comment = /#|\/\//.test(whole) ? whole.search(COMMENT) : -1;
  const text = comment < 0 ? whole : whole.slice(0, comment).trimEnd();
  const quotes = whole.replaceAll(/[^"'`]+/g, '').length;
  const opening = NAME.test(text) ? openingOf(text.slice(0, MAX_OPENING)) : undefined;
  let from = opening?.end ?? 0;
  const sign = LIST_SIGNS.exec(text.slice(from));
  if (sign !== null && (quotes === 2 || '[{('.includes(sign[1]))) from += sign[0].length;
  return { from, to: text.length, quotes, name: opening?.name, hasOpening: opening !== undefined };
}

/** Whether the quotes of a line enclose a row or a grid of adjacent cells, which may be spaces. */
function isQuotedCells(cells: string, book: LayoutBook): boolean {
  const quoted = /(["'`])(.*?)(?:\1|$)/s.exec(cells)?.[2] ?? '';
  if (/[,;|!/:]/.test(quoted)) return false;
  const { length } = quoted.replace(/\\n$/, '');
  return length <= 1 || book.isSize(length) || book.sizeOfCells(length) !== undefined;
}

/**
 * The end of cells without the signs that end a statement or a list: after a bracket or quote, or the only separator of the
 * line. `\\` at the end of a line breaks it in Markdown, and continues it in code.
 */
function withoutTerminators({ window: { bytes } }: LineShapes, from: number, to: number): number {
  let end = to;
  while (end > from && TERMINATORS.has(bytes[end - 1])) {
    const sign = bytes[end - 1];
    let before = end - 1;
    while (before > from && KINDS[bytes[before - 1]] & SPACE) before--;
    const last = before > from ? KINDS[bytes[before - 1]] : 0;
    const closes = (last & (sign === PLUS ? QUOTE : QUOTE | CLOSE)) !== 0;
    const isBar = sign === DOT && (last & (BARS | COLONS)) !== 0;
    const isOnly = KINDS[sign] === LISTS && (kindsIn(bytes, from, before) & HARD) === 0;
    if (!closes && !isBar && !isOnly && sign !== BACKSLASH) return end;
    end = before;
  }
  return end;
}

/** `, ; . \\ +` */
const TERMINATORS: ReadonlySet<number> = new Set([COMMA, SEMICOLON, DOT, BACKSLASH, PLUS]);

/** Characters of a line in which a name is looked for. */
export const MAX_OPENING = 160;

/** `int[][] board =`, `let board: [[u8; 9]; 9] =`, `puzzle :=`, `s <-` */
const ASSIGNMENT = /^([\w\s$.<>,:;&*()[\]-]*?[\w$\]>)])\s*(?::?=(?![=>])|<-)\s*/;
/** `"easy":`, `grid:`, `Here is one:` */
const KEY = /^(?:(["'])([\w .-]+)\1|([A-Za-z_][\w#'-]*(?: [\w#'-]+){0,5}))\s*:(?!:)\s*(?=["'`[{(|>]|$)/;
/** `problem(1,`, `puzzle("easy",`; the name is matched as a whole, so that its spaces are tried once. */
const FACT = /^[A-Za-z_]\w*\s*\(\s*(?:["']\s*)?(?=(\w[\w ]*))\1["']?\s*,\s*(?=[[{(])/;
/** `vec!`, `new int[][]`, `np.array`, `List.of`, `std::array<int, 9>`, `[9][9]int` */
const CONSTRUCTOR =
  /^(?:return\s+)?(?:new\s+|&)?(?:\[\s*(?:\w+\s*)?\])*[A-Za-z_][\w.:]*(?:<[\w\s:,<>]*>)?(?:\[\s*(?:\w+\s*)?\])*!?\s*(?=["'`[{(])/;

/** The text before the cells of a line of code, and the name in it; undefined if it has none. */
export function openingOf(
  text: string,
): { readonly end: number; readonly name: string | undefined } | undefined {
  const fact = FACT.exec(text);
  if (fact !== null) return { end: fact[0].length, name: fact[1] };
  const assignment = ASSIGNMENT.exec(text);
  const key = assignment === null ? KEY.exec(text) : null;
  let end = (assignment ?? key)?.[0].length ?? 0;
  const name = assignment === null ? (key?.[2] ?? key?.[3])?.trim() : nameIn(assignment[1]);
  // A constructor may be within another one: `np.array(`, `vec![vec![`.
  for (let made = CONSTRUCTOR.exec(text.slice(end)); made !== null; ) {
    end += made[0].length;
    const brackets = /^[[{(\s]*/.exec(text.slice(end))?.[0].length ?? 0;
    made = CONSTRUCTOR.exec(text.slice(end + brackets));
    if (made !== null) end += brackets;
  }
  return end === 0 ? undefined : { end, name };
}

/** The name that a declaration gives: its last word without types. */
function nameIn(declaration: string): string | undefined {
  const plain = declaration.replace(/\[[^\]]*\]|<.*>/g, ' ').replace(/(?<!:):(?!:).*/, '');
  return /([A-Za-z_$][\w$]*)\W*$/.exec(plain)?.[1];
}
