/**
 * Matrices of 0s and 1s, a column for each item, and what may stand above them:
 *
 *     6 7             rows and columns; with a third number, the last columns are secondary; also on lines of their own
 *     7 2             columns and secondary ones, which are the last
 *     5 2 6           primary columns, secondary ones and rows
 *     6               rows, or columns
 *     A B C D         names of the columns; numbers may be above or below them
 *
 * What the numbers mean is decided by the rows below: `shapeStated` is the table. A matrix may also be puzzles, in which 0
 * is a blank and 1 a given.
 */
import { HASH, NINE, SPACE } from '../bytes/ascii.ts';
import { layoutBook, RARE_SIZES } from '../records/layout-book.ts';
import type { CoverDraft, MatrixHead } from './cover-draft.ts';
import type { CoverLines } from './cover-lines.ts';
import { type CoverProblem, MAX_ITEMS } from './cover-record.ts';
import { readColumns } from './options.ts';

const MAX_NUMBERS = 3;
const NUMBER = /^\d{1,7}$/;
const NAME = /^[\p{L}_]\w*$/u;
/** A comment behind a row. */
const COMMENT = /#.*$/;
/** A name in front of a row, up to its columns. */
const ROW_NAME = /^(?=[a-z])\w+(?:\s*[:=,;])?\s*(?=[01][\s,;|]|[[({|])/i;

/** Reads line `at` as one above the rows; false if it is a row. */
export function readMatrixHead(draft: CoverDraft, lines: CoverLines, at: number): boolean {
  const text = lines.string(lines.text[at], lines.end[at]);
  // Below one number, a single 0 or 1 is the next.
  const isNumber = text.length === 1 && draft.head.numbers.length === 1;
  if (!isNumber && isRow(text.replace(COMMENT, ''))) return false;
  // Most lines of other files have signs that no head has: they are not cut into words.
  const mayBeHead = !OTHER_SIGNS.test(text);
  if (!mayBeHead && !/\d\d/.test(text)) return false;
  const words = lines.words(at);
  const head = mayBeHead ? withLine(draft.head, words) : undefined;
  if (head === undefined) draft.isMixed = new Set(words.map((word) => /^\d{2,}$/.test(word))).size > 1;
  else draft.head = head;
  return head !== undefined;
}

/** A sign that is in no name and in no number of a head, and between none of them. */
const OTHER_SIGNS = /[^\p{L}\w\s,;]/u;
/** A sign that is in no row. */
const NO_ROW_SIGNS = /[^\s,;|()[\]{}01-]/;

/** Whether a line has only 0s and 1s, with or without signs between them, but no numbers such as 10. */
function isRow(text: string): boolean {
  if (NO_ROW_SIGNS.test(text)) return false;
  const cells = text.match(/[01]+|-/g) ?? [];
  const hasLong = cells.some((cell) => cell.length > 1);
  return !hasLong || cells.length === 1;
}

/** A head with another line of words below it; undefined if the line is no part of a head. */
function withLine({ numbers, names }: MatrixHead, words: readonly string[]): MatrixHead | undefined {
  if (words.every((word) => NUMBER.test(word))) {
    const all = [...numbers, ...words.map(Number)];
    if (all.length <= MAX_NUMBERS) return { numbers: all, names };
    // Names of columns may be numbers in order, if there are too many for counts.
    const isOrder =
      words.length > MAX_NUMBERS && words.every((word, k) => Number(word) === Number(words[0]) + k);
    if (!isOrder) return undefined;
  } else if (!words.every((word) => NAME.test(word))) return undefined;
  if (names > 0) return undefined;
  return { numbers, names: words.length === 1 ? [...words[0]].length : words.length };
}

/** What a head states of the rows below it; undefined if it states another number of columns than there are. */
function shapeStated({ numbers, names }: MatrixHead, columns: number): CoverDraft['shape'] | undefined {
  if (names !== 0 && names !== columns) return undefined;
  const [first, second, third = 0] = numbers;
  if (first === undefined || (second === undefined && first === columns)) return { secondary: 0 };
  if (second === undefined) return { rows: first, secondary: 0 };
  if (second === columns && third <= columns) return { rows: first, secondary: third };
  if (first + second === columns && numbers.length > 2) return { rows: third, secondary: second };
  if (first !== columns || numbers.length > 2) return undefined;
  return second <= columns ? { secondary: second } : { rows: second, secondary: 0 };
}

/** Reads line `at` as columns; the first row of a matrix tells their number, if nothing else did. */
export function readRow(draft: CoverDraft, lines: CoverLines, at: number): void {
  const [from, to] = [lines.text[at], lines.end[at]];
  draft.builder.beginOption(lines.bytes, from, to);
  const name = lines.bytes[from] > NINE ? (ROW_NAME.exec(lines.characters(at))?.[0] ?? '') : '';
  lines.bytes.fill(SPACE, from, from + name.length);
  const comment = lines.bytes.subarray(from, to).indexOf(HASH);
  if (comment > 0) lines.bytes.fill(SPACE, from + comment, to);
  if (draft.itemCount === 0) startMatrix(draft, lines, from, readColumns(draft, lines, at), name !== '');
  const columns = readColumns(draft, lines, at);
  if (columns !== draft.itemCount)
    lines.refuse('bad_length', from, `${columns} columns`, `${draft.itemCount} columns, one per item`);
  draft.endOption(lines, at);
}

function startMatrix(
  draft: CoverDraft,
  lines: CoverLines,
  from: number,
  columns: number,
  hasName: boolean,
): void {
  const { names, numbers } = draft.head;
  // The names of the rows may have a title.
  const isTitled = hasName && columns > 0 && names === columns + 1;
  const shape = shapeStated({ numbers, names: isTitled ? columns : names }, columns);
  if (shape === undefined) {
    const stated = names > 0 ? `${names} columns` : `columns as in "${numbers.join(' ')}"`;
    lines.refuse('bad_length', from, `${columns} columns`, stated);
  }
  draft.shape = shape;
  startNumbered(draft, lines, from, columns, shape.secondary);
}

/** Reads line `at` as the number of items, and of the secondary ones. */
export function readCounts(draft: CoverDraft, lines: CoverLines, at: number): boolean {
  const [from, end] = [lines.text[at], lines.end[at]];
  const words = lines.string(from, end).split(/[ \t\v\f]+/);
  const [items, secondary = 0] = words.map((word) => (NUMBER.test(word) ? Number(word) : -1));
  if (words.length > 2 || items < 1 || secondary < 0 || secondary > items) {
    const expected = 'the number of items, followed by the number of secondary ones, if any';
    lines.fail('bad_character', from, end, expected);
  }
  startNumbered(draft, lines, from, items, secondary);
  return true;
}

function startNumbered(
  draft: CoverDraft,
  lines: CoverLines,
  from: number,
  count: number,
  secondary: number,
): void {
  if (count > MAX_ITEMS) lines.refuse('too_large', from, `${count} items`, `${MAX_ITEMS} items at most`);
  draft.start(count, secondary);
}

/** Compares the rows of a matrix with those that its head states. */
export function endMatrix(draft: CoverDraft, cover: CoverProblem, isCut: boolean): CoverProblem {
  const { good, line, itemCount } = draft;
  const { rows, secondary } = draft.shape;
  const { numbers } = draft.head;
  if (isCut) return cover;
  const [size] = rows === undefined ? puzzleSizes(good, itemCount) : [];
  if (size !== undefined) {
    draft.warn('matrices in the shape of puzzles', () => {
      const what = `${good} rows of ${itemCount} are also the shape of ${size}x${size} puzzles`;
      return `line ${line}: ${what}, in which 0 is a blank: --box or --format reads them as puzzles`;
    });
  }
  if (rows !== undefined && rows !== good)
    draft.fail('bad_length', `${good} rows below "${numbers.join(' ')}"`, `${rows} rows`);
  else if (secondary > 0 && secondary === good && numbers.length === 2) {
    draft.isAmbiguous = true;
    const found = `${itemCount} columns, of which ${good} may be secondary, or else ${good} is the number of rows`;
    const advice = `write "${good} ${itemCount}" for rows and columns, or use --format dense for secondary columns`;
    draft.fail('bad_length', found, 'one meaning', { advice });
  }
  return cover;
}

const SIZES: readonly number[] = [...layoutBook({}).sizes, ...RARE_SIZES];

/** The sizes of the puzzles that a matrix of that shape may be. */
function puzzleSizes(rows: number, width: number): readonly number[] {
  return SIZES.filter((size) => {
    const cells = size * size;
    return (width === size && rows % size === 0) || width === cells || rows * width === cells;
  });
}

/** Whether a matrix without errors may be puzzles, and nothing else: a column without a 1 leaves it without a solution. */
export function puzzleReading({ good, itemCount, shape, line }: CoverDraft, cover: CoverProblem) {
  const { items, optionStart, optionCount } = cover.problem;
  if (shape.rows !== undefined) return optionCount > 0 ? 'not' : 'alone';
  const sizes = puzzleSizes(good, itemCount);
  const ones = Array.from({ length: optionCount }, (_, option) =>
    Array.from(
      items.subarray(optionStart[option], optionStart[option + 1]),
      (item) => (cover.lineOf[option] - line) * itemCount + item,
    ),
  ).flat();
  // Puzzles on lines may be damaged each on its own; rows of one grid with a 1 twice are no puzzle.
  const isOnLines = sizes.some((size) => itemCount === size * size);
  const isPuzzle = sizes.some((size) => !onesClash(ones, size));
  if (new Set(items).size < itemCount && (isOnLines || isPuzzle)) return 'alone';
  return isPuzzle ? 'too' : 'not';
}

/** Whether two of the cells that are 1 are in one row or one column of a grid. */
function onesClash(ones: readonly number[], size: number): boolean {
  const rows = ones.map((cell) => Math.floor(cell / size));
  const columns = ones.map((cell) => Math.floor(cell / (size * size)) * size + (cell % size));
  return [rows, columns].some((units) => new Set(units).size < units.length);
}
