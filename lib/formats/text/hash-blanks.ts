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
import { CR, HASH, LF, SPACE, ZERO } from '../bytes/ascii.ts';
import { DIGIT, KINDS, LETTER, SEPARATOR, symbolValue } from './byte-kinds.ts';

/** Digits of the largest number in a row of tokens. */
const MAX_NUMBER_BYTES = 2;

/** Sizes of the puzzles whose blank is `#`; plain data. */
export interface HashBlanks {
  /** Puzzles on one line. */
  readonly lines: readonly number[];
  /** Rows of characters. */
  readonly rows: readonly number[];
  /** Rows of tokens. */
  readonly tokens: readonly number[];
}

/** @param sizes to look for */
export function findHashBlanks(
  head: Uint8Array,
  complete: boolean,
  sizes: readonly number[],
): HashBlanks | undefined {
  const found = { lines: new Set<number>(), rows: new Set<number>(), tokens: new Set<number>() };
  // The run of rows that may be a grid.
  let [run, isEvidence] = [NO_ROWS, false];
  for (let at = 0; at < head.length; ) {
    let start = at;
    let [end, isInner] = [at, true];
    if (run.rows === 0) {
      // Most lines have no #, or one that starts a comment.
      const hash = head[at] === HASH ? at : head.indexOf(HASH, at);
      if (hash < 0) break;
      for (start = hash; start > 0 && !isLineEnd(head[start - 1]); ) start--;
      [end, isInner] = [hash + 1, hash > start];
    }
    for (; end < head.length && !isLineEnd(head[end]); end++) isInner ||= head[end] === HASH;
    if (end === head.length && !complete) break;
    at = end + 1;
    if (!isInner) continue;
    const line = lineCells(head, start, end);
    const size = Math.sqrt(line.cells);
    if (isGrid(line, size) && sizes.includes(size)) found.lines.add(size);
    if (isRow(line) && sizes.includes(line.cells)) {
      const continues = line.kind === run.kind && line.cells === run.cells;
      const rows = continues ? run.rows + 1 : 1 + rowsBefore(head, start, line);
      run = { kind: line.kind, cells: line.cells, rows };
      isEvidence = (continues && isEvidence) || isGrid(line, line.cells);
      if (rows >= line.cells && isEvidence) found[line.kind].add(line.cells);
    } else if (line.cells > 0 && head[start] !== HASH) {
      // Comments and blank lines may be among the rows.
      run = NO_ROWS;
    }
  }
  if (found.lines.size + found.rows.size + found.tokens.size === 0) return undefined;
  return { lines: [...found.lines], rows: [...found.rows], tokens: [...found.tokens] };
}

/** All sizes of puzzles whose blank is `#`. */
export function hashSizes(blanks: HashBlanks | undefined): readonly number[] {
  return blanks === undefined ? [] : [...blanks.lines, ...blanks.rows, ...blanks.tokens];
}

/** Whether a line that starts with `#` at `from` is a puzzle or a row, and no comment. */
export function isHashLine(blanks: HashBlanks, bytes: Uint8Array, from: number, end: number): boolean {
  const { kind, cells, strays, whole, hasInnerHash } = lineCells(bytes, from, end);
  if (strays === 0 && whole && blanks[kind].includes(cells)) return true;
  return blanks.lines.some((size) => {
    if (strays === 0 && cells === size * size) return true;
    // A damaged puzzle. With one character more it is a whole one that is commented out.
    const isNear = cells !== size * size + 1 && Math.abs(cells - size * size) <= size;
    return isNear && hasInnerHash && strays <= size;
  });
}

/** The cells that a line starts with: digits, letters and `#`. */
interface LineCells {
  /** Characters, or tokens with white space between them. */
  readonly kind: 'rows' | 'tokens';
  readonly cells: number;
  /** How many of them are anything else. */
  readonly strays: number;
  /** Nothing follows them. */
  readonly whole: boolean;
  /** The largest number, or position of a letter in the alphabet. */
  readonly largest: number;
  /** A `#` follows the first cell. */
  readonly hasInnerHash: boolean;
}

const NOTHING: LineCells = {
  kind: 'rows',
  cells: 0,
  strays: 0,
  whole: false,
  largest: 0,
  hasInnerHash: false,
};

const NO_ROWS: Pick<LineCells, 'kind' | 'cells'> & { rows: number } = { kind: 'rows', cells: 0, rows: 0 };

function isLineEnd(byte: number): boolean {
  return byte === LF || byte === CR;
}

/** Whether nothing but the cells of a row is in a line. */
function isRow({ whole, strays, largest, cells }: LineCells): boolean {
  return whole && strays === 0 && largest <= cells;
}

/** How many lines directly before the one at `start` are rows like it. */
function rowsBefore(head: Uint8Array, start: number, { kind, cells }: LineCells): number {
  let rows = 0;
  for (let end = start - 1; rows < cells && end > 0; rows++) {
    let from = end;
    while (from > 0 && !isLineEnd(head[from - 1])) from--;
    const line = lineCells(head, from, end);
    if (line.cells === 0) rows--;
    else if (!isRow(line) || line.kind !== kind || line.cells !== cells) return rows;
    end = from - 1;
  }
  return rows;
}

/** Whether cells of a puzzle of that size have symbols and `#` among them. */
function isGrid({ strays, largest, hasInnerHash }: LineCells, size: number): boolean {
  return strays === 0 && hasInnerHash && largest > 0 && largest <= size;
}

function lineCells(bytes: Uint8Array, start: number, end: number): LineCells {
  let from = start;
  while (from < end && bytes[from] <= SPACE) from++;
  let last = end;
  while (last > from && bytes[last - 1] <= SPACE) last--;
  let strays = 0;
  let largest = 0;
  let hasInnerHash = false;
  let at = from;
  for (; at < last && bytes[at] > SPACE && (KINDS[bytes[at]] & SEPARATOR) === 0; at++) {
    if (bytes[at] === HASH) hasInnerHash ||= at > from;
    else if ((KINDS[bytes[at]] & (DIGIT | LETTER)) === 0) strays++;
    else largest = Math.max(largest, symbolNumber(bytes[at]));
  }
  if (at - from <= MAX_NUMBER_BYTES && at < last) return tokenCells(bytes, from, last);
  return { kind: 'rows', cells: at - from, strays, whole: at === last, largest, hasInnerHash };
}

/** The cells of a line of tokens: single characters and numbers. */
function tokenCells(bytes: Uint8Array, start: number, end: number): LineCells {
  let cells = 0;
  let largest = 0;
  let hasInnerHash = false;
  for (let at = start; at < end; cells++) {
    const from = at;
    while (at < end && bytes[at] > SPACE) at++;
    if (at - from === 1) {
      if (bytes[from] === HASH) hasInnerHash ||= from > start;
      else if ((KINDS[bytes[from]] & (DIGIT | LETTER)) === 0) return NOTHING;
      else largest = Math.max(largest, symbolNumber(bytes[from]));
    } else {
      if (at - from > MAX_NUMBER_BYTES) return NOTHING;
      let number = 0;
      for (let digit = from; digit < at; digit++) {
        if ((KINDS[bytes[digit]] & DIGIT) === 0) return NOTHING;
        number = number * 10 + bytes[digit] - ZERO;
      }
      largest = Math.max(largest, number);
    }
    while (at < end && bytes[at] <= SPACE) at++;
  }
  return { kind: 'tokens', cells, strays: 0, whole: true, largest, hasInnerHash };
}

/** The value of a symbol; x is one, as the blank is `#`. */
function symbolNumber(byte: number): number {
  return (byte | 0x20) === 0x78 ? 24 : symbolValue(byte);
}
