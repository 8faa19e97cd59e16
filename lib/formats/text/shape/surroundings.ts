/**
 * What surrounds the cells of a line, which is taken off in this order, from the outside in:
 *
 *     int[][] grid = { {5, 3, 0}, // first
 *                               ^^^^^^^^^^ 1. a comment, after brackets or quotes
 *     ^^^^^^^^^^^^^^^              2. a declaration, a key or a call; its name is kept
 *     - "53..7...."                3. the sign of a list, before a bracket or a quote
 *     """53..7....                 4. three quotes that open or close a text of several lines
 *     {5, 3, 0},                   5. the end of a statement: after a bracket or quote, or the only separator
 *                         ^
 */

import { HARD, TABULATOR } from '../../cells/byte-kinds.ts';
import type { LayoutBook } from '../../records/layout-book.ts';

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

/** A line of which nothing is read. */
const NOTHING: Surroundings = {
  from: 0,
  to: 0,
  end: 0,
  separator: 0,
  structured: false,
  continues: false,
  opensText: false,
  outerBars: false,
  rowInQuotes: false,
  name: undefined,
  hasOpening: false,
};

const NOT_ASCII = /[\x7f-\xff]/;
const WRAPS = /[[\](){}"'`]/;
const SEPARATORS = /[,;|!/:]/;
/** A comment after cells, `// ...` or `# ...`. */
const COMMENT = /(?!^)(?:\/\/|(?<=\s)#\s)/;
/** What a declaration starts with. */
const NAME = /^[A-Za-z_&$(["'`]/;
/** Signs before the brackets or quotes of a row: `, [5,3,...]`, `- "53..7...."`. */
const LIST_SIGNS = /^(?:[,+]\s*|-\s+)(?=([[{("'`]))/;
/** Three quotes that are not closed in the line, and three that were not opened in it. */
const TEXT_OPENS = /^(["'`])\1\1(?=[^"'`]+$)/;
const TEXT_CLOSES = /^[^"'`]+(["'`]).\1$/;
const TEXT_QUOTES = 3;

/**
 * The cells in the characters `text` to `last` (exclusive) of a line.
 *
 * @param isWhole whether they are all of its text: tabs at the ends of the line then separate empty fields
 */
export function cellsIn(
  line: string,
  text: number,
  last: number,
  isWhole: boolean,
  book: LayoutBook,
): Surroundings {
  const whole = line.slice(text, last);
  if (line === '' || NOT_ASCII.test(whole)) return NOTHING;
  const isWrapped = WRAPS.test(whole);
  const around = isWrapped ? unwrapped(whole) : undefined;
  let from = text + (around?.from ?? 0);
  let to = text + (around?.to ?? whole.length);
  let end = to;
  const cells = line.slice(from, to);
  const plain = withoutTerminators(cells);
  const isHard = SEPARATORS.test(plain);
  if (!isHard || (plain !== cells && /[,;|!/:[\](){}"'`\s]$/.test(plain))) to = from + plain.length;
  const isOuter = isWhole && (line[0] === '\t' || line[last] === '\t');
  const isTabbed = !isHard && !isWrapped && (isOuter || whole.includes('\t'));
  if (isTabbed && isWhole) [from, to, end] = [0, line.length, line.length];
  const isInQuotes = around?.quotes === 2 && !isQuotedCells(line.slice(from, to), book);
  return {
    from,
    to,
    end,
    separator: isHard ? HARD : isTabbed ? TABULATOR : 0,
    structured: isHard || isWrapped || isTabbed || plain.length < whole.length - (from - text),
    continues: whole.endsWith('\\'),
    opensText: around?.opensText === true,
    outerBars: isHard && /[,;/]/.test(line.slice(from, to)),
    rowInQuotes: isInQuotes,
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
  const rest = text.slice(from);
  const opensText = quotes > 2 && TEXT_OPENS.test(rest);
  if (opensText) from += TEXT_QUOTES;
  const closesText = quotes > 2 && TEXT_CLOSES.test(text.slice(from));
  const to = text.length - (closesText ? TEXT_QUOTES : 0);
  return { from, to, quotes, opensText, name: opening?.name, hasOpening: opening !== undefined };
}

/** Whether the quotes of a line enclose a row or a grid of adjacent cells, which may be spaces. */
function isQuotedCells(cells: string, book: LayoutBook): boolean {
  const quoted = /(["'`])(.*?)(?:\1|$)/s.exec(cells)?.[2] ?? '';
  if (SEPARATORS.test(quoted)) return false;
  const { length } = quoted.replace(/\\n$/, '');
  return length <= 1 || book.isSize(length) || book.sizeOfCells(length) !== undefined;
}

/**
 * Cells without the signs that end a statement or a list: after a bracket or quote, or the only separator of the line.
 * `\` at the end of a line breaks it in Markdown, and continues it in code.
 */
function withoutTerminators(cells: string): string {
  let plain = cells;
  for (;;) {
    const sign = plain.at(-1) ?? '';
    if (!',;.\\+'.includes(sign) || sign === '') return plain;
    const before = plain.slice(0, -1).trimEnd();
    const isQuote = /["'`]$/.test(before);
    const closes = sign === '+' ? isQuote : isQuote || /[\])}]$/.test(before);
    const isBar = sign === '.' && /[|!:]$/.test(before);
    const isOnly = (sign === ',' || sign === ';') && !SEPARATORS.test(before);
    if (!closes && !isBar && !isOnly && sign !== '\\') return plain;
    plain = before;
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
