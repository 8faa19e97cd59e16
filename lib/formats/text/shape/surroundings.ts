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
  ANGLES,
  BARS,
  COLONS,
  DRAWN,
  HARD,
  HASHES,
  HIGH,
  KINDS,
  kindsIn,
  LETTER,
  LISTS,
  QUOTE,
  SLASHES,
  TABULATOR,
  UNDERSCORES,
  WRAPS,
} from '../../bytes/byte-kinds.ts';
import type { LayoutBook } from '../../records/layout-book.ts';
import { type Line, MAX_TEXT } from './line.ts';

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
/** A declaration has a letter or one of these signs. */
const NAMING = LETTER | UNDERSCORES | COLONS | DRAWN | ANGLES;
/** What a declaration starts with. */
const NAME = /^[A-Za-z_&$(["'`]/;
/** Signs before the brackets or quotes of a row: `, [5,3,...]`, `- "53..7...."`. */
const LIST_SIGNS = /^(?:[,+]\s*|-\s+)(?=([[{("'`]))/;
/** A sign that separates fields. */
const SEPARATORS = /[,;:|!/]/;

/** The cells in the bytes `first` to `last` (exclusive) of a line. */
export function cellsIn(line: Line, first: number, last: number): Surroundings {
  const { bytes, start, rawEnd } = line;
  /** Whether they are all of its text: tabs at the ends of the line then separate empty fields. */
  const isWhole = first === line.from && last === line.end;
  const kinds = isWhole ? line.kinds : kindsIn(bytes, first, last);
  if (rawEnd === start || rawEnd - start > MAX_TEXT || line.isLong || kinds & HIGH) return NOTHING;
  const isWrapped = (kinds & WRAPS) !== 0;
  /** Whether nothing is taken off: then no text is made of the line. Outside of quotes and brackets, a dot may be a blank. */
  const isBlank = bytes[last - 1] === DOT && (kinds & (BARS | COLONS)) === 0;
  const isBare =
    !isWrapped && (isBlank || !TERMINATORS.has(bytes[last - 1]) || separates(bytes, first, last - 1));
  const text = isBare ? '' : line.raw(first, last);
  const around = isWrapped ? unwrapped(text, kinds) : undefined;
  const cells = text.slice(around?.from, around?.to);
  const bare = withoutTerminators(cells);
  const isHard = (kinds & HARD) !== 0 && (isBare || SEPARATORS.test(bare));
  const isOuter = isWhole && (bytes[start] === TAB || (last < rawEnd && bytes[last] === TAB));
  const isTabbed = !isHard && !isWrapped && (isOuter || (kinds & TABULATOR) !== 0);
  const from = first - start + (around?.from ?? 0);
  const end = isBare ? last - start : from + cells.length;
  const isStripped = bare !== cells && (!isHard || /[[\](){}"'`,;:|!/\s]$/.test(bare));
  const to = isStripped ? from + bare.length : end;
  const isLine = isTabbed && isWhole;
  return {
    from: isLine ? 0 : from,
    to: isLine ? rawEnd - start : to,
    end: isLine ? rawEnd - start : end,
    separator: isHard ? HARD : isTabbed ? TABULATOR : 0,
    structured: isHard || isWrapped || isTabbed || bare !== cells,
    rowInQuotes: around?.quotes === 2 && !isQuotedCells(cells.slice(0, to - from), line.book),
    name: around?.name,
    hasOpening: around?.hasOpening === true,
  };
}

/** Signs that may end a statement: `, ; . \\ +` */
const TERMINATORS: ReadonlySet<number> = new Set([COMMA, SEMICOLON, DOT, BACKSLASH, PLUS]);

/** Whether a line without brackets and quotes ends with a separator that it has twice: an empty field follows the last one. */
function separates(bytes: Uint8Array, first: number, last: number): boolean {
  if ((KINDS[bytes[last]] & LISTS) === 0) return false;
  let at = first;
  while (at < last && (KINDS[bytes[at]] & HARD) === 0) at++;
  return at < last;
}

/** What surrounds the cells of a text with brackets or quotes. @param kinds of its bytes */
function unwrapped(whole: string, kinds: number) {
  const comment = kinds & (HASHES | SLASHES) ? whole.search(COMMENT) : -1;
  const text = comment < 0 ? whole : whole.slice(0, comment).trimEnd();
  const quotes = kinds & QUOTE ? whole.replaceAll(/[^"'`]+/g, '').length : 0;
  const opening = kinds & NAMING && NAME.test(text) ? openingOf(text.slice(0, MAX_OPENING)) : undefined;
  let from = opening?.end ?? 0;
  const sign = LIST_SIGNS.exec(text.slice(from));
  if (sign !== null && (quotes === 2 || '[{('.includes(sign[1]))) from += sign[0].length;
  return { from, to: text.length, quotes, name: opening?.name, hasOpening: opening !== undefined };
}

/** Whether the quotes of a line enclose a row or a grid of adjacent cells, which may be spaces. */
function isQuotedCells(cells: string, book: LayoutBook): boolean {
  const quoted = /(["'`])(.*?)(?:\1|$)/s.exec(cells)?.[2] ?? '';
  if (SEPARATORS.test(quoted)) return false;
  const { length } = quoted.replace(/\\n$/, '');
  return length <= 1 || book.isSize(length) || book.sizeOfCells(length) !== undefined;
}

/** The last two signs of a text that ends a statement or a list: the last one is no cell. */
const ENDS = /^(?:["'`\])}][,;.]|["'`]\+|[|!:]\.|.?\\)$/s;

/**
 * Cells without the signs that end a statement or a list: after a bracket or quote, or the only separator of the line. `\\` at
 * the end of a line breaks it in Markdown, and continues it in code.
 */
function withoutTerminators(cells: string): string {
  for (let text = cells; ; ) {
    const sign = text.charAt(text.length - 1);
    if (!TERMINATORS.has(sign.charCodeAt(0))) return text;
    const before = text.slice(0, -1).trimEnd();
    const isOnly = /[,;]/.test(sign) && !SEPARATORS.test(before);
    if (!isOnly && !ENDS.test(before.slice(-1) + sign)) return text;
    text = before;
  }
}

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

/** One within another: `np.array(`, `vec![vec![`. */
const NESTED = new RegExp(`^[[{(\\s]*${CONSTRUCTOR.source.slice(1)}`);

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
  for (let made = CONSTRUCTOR.exec(text.slice(end)); made !== null; made = NESTED.exec(text.slice(end))) {
    end += made[0].length;
  }
  // The bar that ends each row of MiniZinc begins the first one.
  const bar = end === 0 || !text.startsWith('[|', end) ? null : FIRST_BAR.exec(text.slice(end));
  return end === 0 ? undefined : { end: end + (bar?.[0].length ?? 0), name };
}

const FIRST_BAR = /^\[\|\s*(?=.*\|$)/;

/** The name that a declaration gives: its last word without types. */
function nameIn(declaration: string): string | undefined {
  const plain = declaration.replace(/\[[^\]]*\]|<.*>/g, ' ').replace(/(?<!:):(?!:).*/, '');
  return /([A-Za-z_$][\w$]*)\W*$/.exec(plain)?.[1];
}
