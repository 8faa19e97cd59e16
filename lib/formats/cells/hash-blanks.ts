/**
 * `#` as a blank, although it also starts comments. The head of a file decides:
 *
 *     #5##3##...     81 digits and #, one # of them not at the front     lines of 81 cells are puzzles
 *     #5##3##2#      nine such lines of 9 cells                          lines of 9 cells are rows
 *     # 5 # # 3 ...  nine such lines of 9 tokens                         lines of 9 tokens are rows
 *
 * In such a file these lines are never comments. Every other line that starts with `#` is one, such as a puzzle that is
 * commented out: it has one character more. A line with another blank (`#53..7...`) is no evidence.
 */
import { CR, HASH, LF } from '../bytes/ascii.ts';

/** Sizes of the puzzles whose blank is `#`; plain data. */
export interface HashBlanks {
  /** Puzzles on one line. */
  readonly lines: readonly number[];
  /** Rows of characters. */
  readonly rows: readonly number[];
  /** Rows of tokens. */
  readonly tokens: readonly number[];
}

/** The cells that a line starts with: digits, letters and `#`. */
interface LineCells {
  /** Characters, or tokens with white space between them. */
  readonly kind: 'rows' | 'tokens';
  readonly cells: readonly string[];
  /** How many of them are anything else. */
  readonly strays: number;
  /** Nothing follows them. */
  readonly whole: boolean;
  /** The largest number, or position of a letter in the alphabet. */
  readonly largest: number;
  /** A `#` follows the first cell. */
  readonly hasInnerHash: boolean;
}

/** @param sizes to look for */
export function findHashBlanks(
  head: Uint8Array,
  complete: boolean,
  sizes: readonly number[],
): HashBlanks | undefined {
  if (!hasInnerHash(head)) return undefined;
  const found = { lines: new Set<number>(), rows: new Set<number>(), tokens: new Set<number>() };
  /** The run of rows that may be a grid; some row of it shows that `#` is a blank. */
  let run = { kind: '', cells: 0, rows: 0, isEvidence: false };
  const lines = latin1.decode(head).split(/[\r\n]/);
  for (const text of complete ? lines : lines.slice(0, -1)) {
    const { kind, strays, whole, largest, ...line } = cellsIn(text);
    const cells = line.cells.length;
    const isGrid = (size: number) => strays === 0 && line.hasInnerHash && largest > 0 && largest <= size;
    const size = Math.sqrt(cells);
    if (isGrid(size) && sizes.includes(size)) found.lines.add(size);
    if (whole && strays === 0 && largest <= cells && sizes.includes(cells)) {
      const before = kind === run.kind && cells === run.cells ? run : { rows: 0, isEvidence: false };
      run = { kind, cells, rows: before.rows + 1, isEvidence: before.isEvidence || isGrid(cells) };
      if (run.rows >= cells && run.isEvidence) found[kind].add(cells);
    } else if (cells > 0 && text[0] !== '#') {
      // Comments and blank lines may be among the rows.
      run = { kind: '', cells: 0, rows: 0, isEvidence: false };
    }
  }
  if (found.lines.size + found.rows.size + found.tokens.size === 0) return undefined;
  return { lines: [...found.lines], rows: [...found.rows], tokens: [...found.tokens] };
}

/** Whether some line has a `#` among its cells: most files have none, and these are not cut into lines. */
function hasInnerHash(head: Uint8Array): boolean {
  const isEnd = (at: number) => at < 0 || at >= head.length || head[at] === LF || head[at] === CR;
  for (let at = head.indexOf(HASH); at >= 0; at = head.indexOf(HASH, at + 1)) {
    if (isEnd(at - 1)) continue;
    let from = at;
    while (!isEnd(from - 1)) from--;
    while (!isEnd(at)) at++;
    const line = cellsIn(latin1.decode(head.subarray(from, at)));
    if (line.strays === 0 && line.hasInnerHash) return true;
  }
  return false;
}

/** All sizes of puzzles whose blank is `#`. */
export function hashSizes(blanks: HashBlanks | undefined): readonly number[] {
  return blanks === undefined ? [] : [...blanks.lines, ...blanks.rows, ...blanks.tokens];
}

/** Whether a line that starts with `#` is a puzzle or a row, and no comment. */
export function isHashLine(blanks: HashBlanks, line: string): boolean {
  const { kind, cells, strays, whole, hasInnerHash } = cellsIn(line);
  const { length } = cells;
  if (strays === 0 && whole && blanks[kind].includes(length)) return true;
  return blanks.lines.some((size) => {
    if (strays === 0 && length === size * size) return true;
    // A damaged puzzle. With one character more it is a whole one that is commented out.
    const isNear = length !== size * size + 1 && Math.abs(length - size * size) <= size;
    return isNear && hasInnerHash && strays <= size;
  });
}

const latin1 = new TextDecoder('latin1');

const TOKEN = /^(?:[#\dA-Za-z]|\d\d)$/;
/** The characters before white space or a separator. */
const CHARACTERS = /^[^\0- ,;:]*/;

function cellsIn(line: string): LineCells {
  const text = line.trim();
  // A short token and another one: single characters, and numbers of two digits.
  const isTokens = /^\S{1,2}\s/.test(text);
  const found = isTokens ? text.split(/\s+/) : [...(CHARACTERS.exec(text)?.[0] ?? '')];
  const cells = isTokens && !found.every((token) => TOKEN.test(token)) ? [] : found;
  return {
    kind: isTokens ? 'tokens' : 'rows',
    cells,
    strays: cells.filter((cell) => !/^[#\dA-Za-z]+$/.test(cell)).length,
    whole: isTokens || found.length === text.length,
    largest: cells.reduce((most, cell) => Math.max(most, numberOf(cell)), 0),
    hasInnerHash: cells.includes('#', 1),
  };
}

/** The value of a symbol; x is one, as the blank is `#`. */
function numberOf(symbol: string): number {
  return /\d/.test(symbol) ? Number(symbol) : Math.max(0, (symbol.charCodeAt(0) | 32) - 96) % 31;
}
